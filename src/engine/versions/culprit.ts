import type { Verdict } from '../../model/tuning.ts';
import type { ChangedFunction } from '../../model/versionDiff.ts';
import { weightPhrase } from '../../model/versionDiffTable.ts';

/** The function that answers for a verdict: the first that changed in the same direction, itself and with all that it calls. None where there is no verdict to explain. */
export function culpritOf(verdict: Verdict, functions: readonly ChangedFunction[]): ChangedFunction[] {
  if (verdict !== 'worse' && verdict !== 'better') return [];
  const sign = verdict === 'worse' ? 1 : -1;
  const found = functions.find(({ change, base, head }) => sign * change > 0 && sign * (head - base) > 0);
  return found === undefined ? [] : [found];
}

const eventWords: Readonly<Record<string, string>> = {
  cpu: 'CPU',
  wall: 'time',
  database: 'waiting for the database',
  poolWait: 'waiting for a connection of the pool',
  alloc: 'memory',
};

/** “itemsOf (server.js:20), which the change touched, takes 1.1 ms more per request: …” */
export function functionSentence({ name, file, line, touched, change, base, head, event, unit }: ChangedFunction): string {
  const where = file === null ? '' : ` (${file}${line === null ? '' : `:${line}`})`;
  const how = touched ? ', which the change touched,' : '';
  const amount = (value: number): string => weightPhrase(value, unit);
  return `${name}${where}${how} takes ${amount(Math.abs(change))} ${change > 0 ? 'more' : 'less'} per request: ${amount(base)} → ${amount(head)} of ${eventWords[event] ?? event} with all that it calls.`;
}

import type { NextAction } from '../../model/domain/diagnosis.ts';
import type { StatementUse } from '../../model/domain/statement.ts';
import { isProbed } from '../../model/domain/runtimes.ts';
import type { Runtime } from '../../model/domain/runtimes.ts';
import type { Knob } from './knobs.ts';
import { roundedUp } from './sizes.ts';

export function advice(label: string): NextAction {
  return { kind: 'advice', label };
}

export function record(event: Extract<NextAction, { kind: 'record' }>['event'], label: string): NextAction {
  return { kind: 'record', event, label };
}

/** Without what cannot be done there: only Java and Node processes can be recorded. */
export function possible(actions: readonly NextAction[], runtime: Runtime): NextAction[] {
  if (isProbed(runtime) || actions.every(({ kind }) => kind !== 'record')) return [...actions];
  const rest = actions.filter(({ kind }) => kind !== 'record');
  return [...rest, advice('Look at where its time goes with a profiler of its own runtime')];
}

/** Opens the statements with their plans; without any, `otherwise` says what to look at. */
export function openSql(statements: readonly StatementUse[], otherwise: string): NextAction {
  const [first] = statements;
  if (first === undefined) return advice(otherwise);
  return { kind: 'sql', label: `Open the SQL: one statement took ${Math.round(100 * first.share)} % of the database’s time` };
}

export function moreConnections(connections: number): NextAction {
  return { kind: 'connections', label: `Put twice the load on it: ${connections} connections`, connections };
}

/** More than our own generator can put on. */
export const otherGenerator: NextAction = { kind: 'generator', label: 'Let k6 put the load on, in 2 processes', processes: 2 };

export function oneMoreInstance(instances: number): NextAction {
  return { kind: 'instances', label: `Add an instance: ${instances + 1} in place of ${instances}`, instances: instances + 1 };
}

/**
 * Raises a size to `needed`, rounded up to a usual size and kept within the setting’s range; nothing where the target has no such setting, or where it is
 * there already. `needed` is of all processes together, and the setting of one of `processes`.
 */
export function raise(knob: Knob | null, needed: number | null, processes = 1): NextAction[] {
  if (knob === null || typeof knob.value !== 'number') return [];
  const wanted = roundedUp(needed === null ? knob.value * 2 : Math.max(each(needed, processes), knob.value + 1));
  const value = Math.min(wanted, knob.max ?? wanted);
  return value <= knob.value
    ? []
    : [
        {
          kind: 'set',
          label: `Raise “${knob.label}” from ${knob.value} to ${value}${inEach(processes)}`,
          setting: knob.name,
          value,
        },
      ];
}

function each(all: number, processes: number): number {
  return Math.ceil(all / Math.max(1, processes));
}

function inEach(processes: number): string {
  return processes > 1 ? ` in each of the ${processes} processes` : '';
}

/** Lowers a size to `wanted` of all processes together, within the setting’s range. */
export function lower(knob: Knob | null, wanted: number, processes = 1): NextAction[] {
  if (knob === null || typeof knob.value !== 'number') return [];
  const value = Math.max(each(wanted, processes), knob.min ?? 1);
  return value >= knob.value
    ? []
    : [
        {
          kind: 'set',
          label: `Lower “${knob.label}” from ${knob.value} to ${value}${inEach(processes)}`,
          setting: knob.name,
          value,
        },
      ];
}

/** Finds a size by experiment: what it is now, half and twice of what is proposed, and the proposal. */
export function tuneAround(knob: Knob | null, needed: number | null, processes = 1): NextAction[] {
  if (knob === null || typeof knob.value !== 'number') return [];
  const proposed = roundedUp(needed === null ? knob.value * 2 : each(needed, processes));
  const within = (size: number): number => Math.min(Math.max(size, knob.min ?? 1), knob.max ?? size);
  const sizes = [knob.value, roundedUp(proposed / 2), proposed, 2 * proposed].map(within);
  const values = [...new Set(sizes)].sort((a, b) => a - b);
  return values.length < 2
    ? []
    : [{ kind: 'tune', label: `Find the smallest “${knob.label}” that is enough: ${values.join(', ')}`, setting: knob.name, values }];
}

export function choose(knob: Knob | null, value: string, label: string): NextAction[] {
  return knob === null || knob.value === value ? [] : [{ kind: 'set', label, setting: knob.name, value }];
}

import type { RunRecord } from '../model/domain/run.ts';
import type { EngineCommand } from './command.ts';
import { exitCode, failuresField, runFailures } from './exitCode.ts';
import { measure } from './measure.ts';
import type { runCommand } from './measuredOptions.ts';
import { withTargets } from './meantTarget.ts';
import { runText } from './runText.ts';
import type { Terminal } from './terminal.ts';
import { wordedRun } from './wordedRun.ts';

/** `benchside run`. */
export const run: EngineCommand<typeof runCommand> = async (given, engine, terminal) => {
  const request = await withTargets(given, engine, terminal);
  const { record, outcome } = await measure(engine, terminal, { kind: 'run', ...request });
  return shownRun(record, outcome, given.json, terminal);
};

/** Prints a run, and gives the exit code that follows from it. */
export function shownRun(record: RunRecord, outcome: 'complete' | 'cancelled', json: boolean, terminal: Terminal): number {
  const failures = runFailures(record);
  if (json) terminal.json({ run: wordedRun(record), ...failuresField(failures) });
  else terminal.print(runText(record));
  const slo = record.request.slo ?? record.load.slo;
  return exitCode(record, { outcome, failures, slo, judged: () => record.trials }, terminal.tell);
}

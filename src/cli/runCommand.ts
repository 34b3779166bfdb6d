import type { EngineClient } from '../engine/rpc/engineClient.ts';
import type { Given } from './command.ts';
import { exitCode } from './exitCode.ts';
import { measure } from './measure.ts';
import type { RunAsked } from './measuredOptions.ts';
import { withTargets } from './meantTarget.ts';
import { failuresField, runFailures } from './runFailures.ts';
import { runText } from './runText.ts';
import type { Terminal } from './terminal.ts';
import { wordedRun } from './wordedRun.ts';

/** `benchside run`. */
export async function run(given: Given<RunAsked>, engine: EngineClient, terminal: Terminal): Promise<number> {
  const { json } = given;
  const request = await withTargets(given, engine, terminal);
  const { record, outcome } = await measure(engine, terminal, { kind: 'run', ...request });
  const failures = runFailures(record);
  if (json) terminal.json({ run: wordedRun(record), ...failuresField(failures) });
  else terminal.print(runText(record));
  return exitCode(record, { outcome, failures, slo: request.slo ?? record.load.slo, judged: () => record.trials }, terminal.tell);
}

import path from 'node:path';
import { prometheusText } from '../model/presentation/documents/prometheusText.ts';
import type { EngineClient } from '../engine/rpc/engineClient.ts';
import { resolveRun } from './resolveRun.ts';
import type { Given } from './command.ts';
import type { PrometheusAsked } from './exportOptions.ts';
import { type Terminal, writing } from './terminal.ts';

/** `benchside export prometheus`: the figures of a run as text that Prometheus reads. Fails with `output-not-written`. */
export async function prometheus(
  { run, output, json }: Given<PrometheusAsked>,
  engine: EngineClient,
  { document, json: printJson, tell, write }: Terminal,
): Promise<number> {
  const { run: record } = await engine.request('runs/get', { id: await resolveRun(engine, run) });
  const text = prometheusText(record);
  if (output === null) {
    if (json) printJson({ prometheus: { run: record.id, text } });
    else await document(text);
    return 0;
  }
  const file = path.resolve(output);
  writing('output-not-written', `${file} could not be written`, () => write(file, text));
  if (json) printJson({ prometheus: { run: record.id, file } });
  else tell(`Written: ${file}`);
  return 0;
}

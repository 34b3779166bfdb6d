import path from 'node:path';
import { advicePhrase } from '../model/domain/adviceRecord.ts';
import { failure } from '../model/domain/failure.ts';
import { onOneLine } from '../model/domain/plainText.ts';
import type { RunSummary } from '../model/domain/run.ts';
import type { ReportFormat } from '../model/protocol/protocol.ts';
import type { EngineClient } from '../engine/rpc/engineClient.ts';
import type { Given } from './command.ts';
import { resolveStored } from './resolveRun.ts';
import type { ReportAsked } from './storedOptions.ts';
import { type Terminal, writing } from './terminal.ts';

/** `benchside runs`. */
export async function runs(command: Given<object>, engine: EngineClient, { print, json }: Terminal): Promise<number> {
  const { runs: list } = await engine.request('runs/list', {});
  const { advice } = await engine.request('advice/list', {});
  if (command.json) {
    json({ runs: list, advice });
    return 0;
  }
  if (list.length === 0)
    print('There are no runs in this folder yet. Start one with “benchside run”, or of a sample with “benchside run --target node”.');
  for (const summary of list) print(summaryLine(summary));
  if (advice.length > 0) print('\nWhat would help');
  for (const one of advice) print(onOneLine(`${one.id}  ${minuteOf(one)}  ${advicePhrase(one)}`));
  return 0;
}

function summaryLine(summary: RunSummary): string {
  if (summary.kind === 'unreadable') return onOneLine(`${summary.id}  ${summary.problem}: ${summary.reason}`);
  const state = summary.state === 'complete' ? (summary.valid ? 'valid' : 'partly discarded') : summary.state;
  return onOneLine(`${summary.id}  ${minuteOf(summary)}  ${state.padEnd(9)}  ${summary.title}  ${summary.headline}`);
}

function minuteOf({ startedAt }: { startedAt: string }): string {
  return startedAt.slice(0, 16).replace('T', ' ');
}

/** `benchside report`. */
export async function report(
  command: Given<ReportAsked>,
  engine: EngineClient,
  { json, document, tell, write }: Terminal,
): Promise<number> {
  const { kind, id } = await resolveStored(engine, command.run);
  const { text } =
    kind === 'advice'
      ? await engine.request('advice/report', { id, format: adviceFormat(command.format) })
      : await engine.request('runs/report', { id, format: command.format });
  if (command.output === null) {
    if (command.json) json({ report: { run: id, format: command.format, text } });
    else await document(`${text}\n`);
    return 0;
  }
  const file = path.resolve(command.output);
  writing('report-not-written', `The report could not be written to ${file}`, () => write(file, text));
  if (command.json) json({ report: { run: id, file, format: command.format } });
  else tell(`Report written to ${file}`);
  return 0;
}

function adviceFormat(format: ReportFormat): Exclude<ReportFormat, 'csv'> {
  if (format !== 'csv') return format;
  throw failure('usage', 'An advice is no CSV file.', 'Export one of its runs, which have the figures, or name html or markdown.');
}

/** `benchside delete`. */
export async function deleteStored({ run, json }: Given<{ run: string }>, engine: EngineClient, terminal: Terminal): Promise<number> {
  const { kind, id } = await resolveStored(engine, run);
  await engine.request(kind === 'advice' ? 'advice/delete' : 'runs/delete', { id });
  if (json) terminal.json({ deleted: id });
  else terminal.tell(`Deleted ${id}.`);
  return 0;
}

import path from 'node:path';
import { advicePhrase } from '../model/domain/adviceRecord.ts';
import { failure } from '../model/domain/failure.ts';
import { onOneLine } from '../model/domain/plainText.ts';
import { measuredService } from '../model/domain/prediction/measuredService.ts';
import { measuredSurroundings, predict } from '../model/domain/prediction/predict.ts';
import type { RunSummary } from '../model/domain/run.ts';
import { predictionDocument, predictionHeadline } from '../model/presentation/documents/predictionDocument.ts';
import { prometheusText } from '../model/presentation/documents/prometheusText.ts';
import type { ReportFormat } from '../model/protocol/protocol.ts';
import type { EngineCommand } from './command.ts';
import { resolveRun, resolveStored } from './resolveRun.ts';
import type { deleteCommand, predictCommand, prometheusCommand, reportCommand, runsCommand } from './storedOptions.ts';
import { writing } from './terminal.ts';
import { textOf } from './textDocument.ts';

/** `benchside runs`. */
export const runs: EngineCommand<typeof runsCommand> = async (command, engine, { print, json }) => {
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
};

function summaryLine(summary: RunSummary): string {
  if (summary.kind === 'unreadable') return onOneLine(`${summary.id}  ${summary.problem}: ${summary.reason}`);
  const state = summary.state === 'complete' ? (summary.valid ? 'valid' : 'partly discarded') : summary.state;
  return onOneLine(`${summary.id}  ${minuteOf(summary)}  ${state.padEnd(9)}  ${summary.title}  ${summary.headline}`);
}

function minuteOf({ startedAt }: { startedAt: string }): string {
  return startedAt.slice(0, 16).replace('T', ' ');
}

/** `benchside report`. */
export const report: EngineCommand<typeof reportCommand> = async (command, engine, { json, document, tell, write }) => {
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
};

function adviceFormat(format: ReportFormat): Exclude<ReportFormat, 'csv'> {
  if (format !== 'csv') return format;
  throw failure('usage', 'An advice is no CSV file.', 'Export one of its runs, which have the figures, or name html or markdown.');
}

/** `benchside delete`. */
export const deleteStored: EngineCommand<typeof deleteCommand> = async ({ run, json }, engine, terminal) => {
  const { kind, id } = await resolveStored(engine, run);
  await engine.request(kind === 'advice' ? 'advice/delete' : 'runs/delete', { id });
  if (json) terminal.json({ deleted: id });
  else terminal.tell(`Deleted ${id}.`);
  return 0;
};

/** `benchside predict`: what a measured service is to give elsewhere. It measures nothing. */
export const predictElsewhere: EngineCommand<typeof predictCommand> = async (command, engine, { print, json }) => {
  const { run } = await engine.request('runs/get', { id: await resolveRun(engine, command.run) });
  const service = measuredService(run, command.trial);
  const { rttMs, instances, pool, clients, appCores, databaseCores } = command;
  const here = measuredSurroundings(service);
  const elsewhere = appCores !== undefined || databaseCores !== undefined;
  const prediction = predict(service, {
    clients: clients ?? here.clients,
    rttMs: rttMs ?? here.rttMs,
    instances: instances ?? here.instances,
    pool: pool ?? here.pool,
    machineCores: elsewhere ? null : here.machineCores,
    appCores: elsewhere ? (appCores ?? service.cores) : here.appCores,
    clientMs: null,
    databaseCores: elsewhere ? (databaseCores ?? service.cores) : null,
  });
  if (command.json) json({ prediction: { ...prediction, sentence: predictionHeadline(prediction) }, measured: service });
  else print(textOf(predictionDocument(prediction, service, run)));
  return 0;
};

/** `benchside export prometheus`: the figures of a run as text that Prometheus reads. Fails with `output-not-written`. */
export const prometheus: EngineCommand<typeof prometheusCommand> = async (
  { run, output, json },
  engine,
  { document, json: printJson, tell, write },
) => {
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
};

import { progressOf } from '../model/protocol/progress.ts';
import path from 'node:path';
import { k6ExportNoteText } from '../model/domain/k6ExportNotes.ts';
import type { ParamsInput } from '../model/protocol/protocol.ts';
import type { EngineClient } from '../engine/rpc/engineClient.ts';
import type { CarriedOut } from './command.ts';
import type { K6Asked } from './k6Options.ts';
import { withProgress } from './measure.ts';
import { resolveRun } from './resolveRun.ts';
import { shownRun } from './runCommand.ts';
import { experimentRequest } from './tuneCommand.ts';

type Action<A extends K6Asked['action']> = CarriedOut<Extract<K6Asked, { action: A }>>;

/** `benchside export k6` and `benchside import k6`. */
export const k6: CarriedOut<K6Asked> = (command, engine, terminal) =>
  command.action === 'export' ? exportK6(command, engine, terminal) : importK6(command, engine, terminal);

const exportK6: Action<'export'> = async ({ source, folder, url, parallelism, json, workspace }, engine, terminal) => {
  const of = await sourceOf(source, workspace, engine);
  const target = path.resolve(folder);
  const done = await engine.request('k6/export', { of, folder: target, url, parallelism }, terminal.signal);
  const notes = done.notes.map(k6ExportNoteText);
  if (json) {
    terminal.json({ export: { folder: target, ...done, notes } });
    return 0;
  }
  for (const note of notes) terminal.tell(`· ${note}`);
  terminal.print(`${done.tests} tests for k6 are in ${target}: README.md says how they are run.`);
  return 0;
};

const importK6: Action<'import'> = async ({ files, as, json }, engine, terminal) => {
  const run = as === null ? null : await resolveRun(engine, as);
  const progress = progressOf(engine, 'k6', ({ message }) => terminal.line?.show(message));
  const { run: record } = await withProgress(terminal, progress, () =>
    engine.request('k6/import', { files: files.map((file) => path.resolve(file)), as: run }, terminal.signal),
  );
  return shownRun(record, 'complete', json, terminal);
};

/** A run by its id or word, else an experiment by its name or file. */
async function sourceOf(source: string, workspace: string, engine: EngineClient): Promise<ParamsInput<'k6/export'>['of']> {
  const { runs } = await engine.request('runs/list', {});
  const isRun = /^(last|previous)$/.test(source) || runs.some(({ id }) => id.startsWith(source));
  if (isRun) return { run: await resolveRun(engine, source) };
  return { request: await experimentRequest(source, workspace, engine) };
}

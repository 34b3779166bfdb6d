import { adviceDocument } from '../model/presentation/documents/adviceDocument.ts';
import { adviceStagePhrase } from '../model/domain/adviceRecord.ts';
import { askedAfter } from '../model/presentation/adviseAfter.ts';
import { failure } from '../model/domain/failure.ts';
import type { EngineClient } from '../engine/rpc/engineClient.ts';
import { appendToSummary, writeGateFile } from './gate.ts';
import { measured } from './measure.ts';
import { withTarget } from './meantTarget.ts';
import { resolveRun } from './resolveRun.ts';
import type { AdviseAsked } from './adviseOptions.ts';
import type { Given } from './command.ts';
import type { Terminal } from './terminal.ts';
import { textOf } from './textDocument.ts';

/** `benchside advise`: tries what could help, and says what does. */
export async function advise(
  { request: asked, json, markdown, html }: Given<AdviseAsked>,
  engine: EngineClient,
  terminal: Terminal,
): Promise<number> {
  const request = await withTarget({ request: await withRun(asked, engine) }, engine, terminal, ['workspace', 'sample']);
  const { tell, print, write } = terminal;
  const { advised, outcome } = await measured(engine, terminal, { kind: 'advise', ...request }, [
    engine.on('advise/progress', (now) => tell(adviceStagePhrase(now))),
  ]);
  if (advised === undefined) throw failure('cancelled', 'Cancelled before anything was known.');
  const { id, advice } = advised;
  if (json) terminal.json({ id, advice });
  else print(`${textOf(adviceDocument(advice))}\n\nKept as ${id}: “benchside report ${id}” shows it again.`);
  const reportAs = async (format: 'html' | 'markdown'): Promise<string> => (await engine.request('advice/report', { id, format })).text;
  const text = await reportAs('markdown');
  if (markdown !== null) writeGateFile(write, markdown, text);
  if (html !== null) writeGateFile(write, html, await reportAs('html'));
  appendToSummary(text);
  return outcome === 'cancelled' ? 1 : 0;
}

/** With what a run was asked for, where its verdict is to be followed and nothing else was said. */
async function withRun(asked: AdviseAsked['request'], engine: EngineClient): Promise<AdviseAsked['request']> {
  if (asked.from === undefined) return asked;
  const id = await resolveRun(engine, asked.from);
  const { run } = await engine.request('runs/get', { id });
  return { ...askedAfter(run, run.trials[0]), ...asked, from: id };
}

import { adviceDocument } from '../model/presentation/documents/adviceDocument.ts';
import { adviceStagePhrase } from '../model/domain/adviceRecord.ts';
import { askedAfter } from '../model/presentation/adviseAfter.ts';
import { failure } from '../model/domain/failure.ts';
import type { EngineClient } from '../engine/rpc/engineClient.ts';
import { appendToSummary, writeGateFile } from './gate.ts';
import { withTarget } from './meantTarget.ts';
import { ProgressLine } from './progressLine.ts';
import { resolveRun } from './resolveRun.ts';
import type { Of, Terminal } from './terminal.ts';
import { textOf } from './textDocument.ts';

/** `benchside advise`: tries what could help, and says what does. */
export async function advise(
  { request: asked, json, markdown, html }: Of<'advise'>,
  engine: EngineClient,
  terminal: Terminal,
): Promise<number> {
  const request = await withTarget({ request: await withRun(asked, engine) }, engine, terminal, ['workspace', 'sample']);
  const { signal, line, tell, print, write } = terminal;
  const progress = new ProgressLine(line, tell);
  const subscriptions = [
    engine.on('run/event', (event) => progress.show(event)),
    engine.on('advise/progress', (now) => tell(adviceStagePhrase(now))),
  ];
  const cancel = (): void => void engine.request('run/cancel', {}).catch(() => undefined);
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const { advised, outcome } = await engine.request('measure/start', { request: { kind: 'advise', ...request } });
    progress.clear();
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
  } finally {
    signal.removeEventListener('abort', cancel);
    progress.clear();
    for (const subscription of subscriptions) subscription.dispose();
  }
}

/** With what a run was asked for, where its verdict is to be followed and nothing else was said. */
async function withRun(asked: Of<'advise'>['request'], engine: EngineClient): Promise<Of<'advise'>['request']> {
  if (asked.from === undefined) return asked;
  const id = await resolveRun(engine, asked.from);
  const { run } = await engine.request('runs/get', { id });
  return { ...askedAfter(run, run.trials[0]), ...asked, from: id };
}

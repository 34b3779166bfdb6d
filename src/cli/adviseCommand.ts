import { adviceDocument } from '../model/documents/adviceDocument.ts';
import { failure } from '../model/failure.ts';
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
    engine.on('engine/log', ({ source, message }) => {
      if (source === 'advise') tell(message);
    }),
  ];
  const cancel = (): void => void engine.request('run/cancel', {}).catch(() => undefined);
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const { advised, outcome } = await engine.request('measure/start', { request: { kind: 'advise', ...request } });
    progress.clear();
    if (advised === undefined) throw failure('cancelled', 'Cancelled before anything was known.');
    if (json) terminal.json({ advice: advised.advice });
    else print(textOf(adviceDocument(advised.advice)));
    if (markdown !== null) writeGateFile(write, markdown, advised.markdown);
    if (html !== null) writeGateFile(write, html, advised.html);
    appendToSummary(advised.markdown);
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
  const [trial] = run.trials;
  const { load, route } = run.request;
  return {
    ...(trial === undefined ? {} : { target: trial.target, settings: trial.settings, connections: trial.connections }),
    load,
    ...(route === undefined ? {} : { route }),
    ...asked,
    from: id,
  };
}

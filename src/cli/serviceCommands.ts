import { leakDocument } from '../model/presentation/documents/leakDocument.ts';
import { startupDocument } from '../model/presentation/documents/startupDocument.ts';
import type { LeakReport } from '../model/domain/leak.ts';
import type { EngineClient } from '../engine/rpc/engineClient.ts';
import { withTarget } from './meantTarget.ts';
import type { Given } from './command.ts';
import type { LeakAsked, StartupAsked } from './serviceOptions.ts';
import type { Terminal } from './terminal.ts';
import { textOf } from './textDocument.ts';

const leakCodes: Readonly<Record<LeakReport['verdict'], number>> = { 'does-not-leak': 0, leaks: 3, undecided: 4 };

/** `benchside leak`: whether memory is kept of requests that are over. Exit status 0: it is not, 3: it is, 4: more time is needed to say. */
export async function leak(command: Given<LeakAsked>, engine: EngineClient, terminal: Terminal): Promise<number> {
  const request = await named(command, engine, terminal);
  const { leak: report } = await withProgress(engine, terminal, () => engine.request('service/leak', { request }, terminal.signal));
  if (command.json) terminal.json({ leak: report });
  else terminal.print(textOf(leakDocument(report)));
  return leakCodes[report.verdict];
}

/** `benchside startup`: what a start takes. */
export async function startup(command: Given<StartupAsked>, engine: EngineClient, terminal: Terminal): Promise<number> {
  const request = await named(command, engine, terminal);
  const { startup: report } = await withProgress(engine, terminal, () => engine.request('service/startup', { request }, terminal.signal));
  if (command.json) terminal.json({ startup: report });
  else terminal.print(textOf(startupDocument(report)));
  return 0;
}

/** The request with the target that is meant where none is named. */
async function named<R extends { target?: string }>(
  command: { request: R },
  engine: EngineClient,
  terminal: Terminal,
): Promise<R & { target: string }> {
  const request = await withTarget(command, engine, terminal, ['workspace', 'sample']);
  return { ...request, target: request.target ?? '' };
}

/** What the engine does meanwhile: one line that is rewritten, or where there is no terminal a line for each step. */
async function withProgress<T>(engine: EngineClient, { line, tell }: Terminal, work: () => Promise<T>): Promise<T> {
  const progress = engine.on('service/progress', ({ message }) => (line === null ? tell(message) : line.show(`${message} …`)));
  try {
    return await work();
  } finally {
    progress.dispose();
    line?.clear();
  }
}

import { progressOf } from '../model/protocol/progress.ts';
import { adviceDocument } from '../model/presentation/documents/adviceDocument.ts';
import { leakDocument } from '../model/presentation/documents/leakDocument.ts';
import { startupDocument } from '../model/presentation/documents/startupDocument.ts';
import { adviceStagePhrase } from '../model/domain/adviceRecord.ts';
import { askedAfter } from '../model/presentation/nextStep.ts';
import { failure } from '../model/domain/failure.ts';
import type { LeakReport } from '../model/domain/leak.ts';
import type { AskedOf } from '../model/protocol/measureRequest.ts';
import type { EngineClient } from '../engine/rpc/engineClient.ts';
import { appendToSummary, writeGateFile } from './gate.ts';
import { measured, tellKept, withProgress } from './measure.ts';
import { withTarget } from './meantTarget.ts';
import { resolveRun } from './resolveRun.ts';
import type { EngineCommand } from './command.ts';
import type { adviseCommand, leakCommand, startupCommand } from './serviceOptions.ts';
import type { Terminal } from './terminal.ts';
import { textOf } from './textDocument.ts';

/** The origins of a target that is meant where none is named. */
const startable = ['workspace', 'sample'] as const;

const leakCodes: Readonly<Record<LeakReport['verdict'], number>> = { 'does-not-leak': 0, leaks: 3, undecided: 4 };

/** `benchside leak`: whether memory is kept of requests that are over. Exit status 0: it is not, 3: it is, 4: more time is needed to say. */
export const leak: EngineCommand<typeof leakCommand> = async (command, engine, terminal) => {
  const request = await withTarget(command, engine, terminal, startable);
  const { leak: report } = await withProgress(terminal, steps(engine, terminal), () =>
    engine.request('service/leak', { request }, terminal.signal),
  );
  if (command.json) terminal.json({ leak: report });
  else terminal.print(textOf(leakDocument(report)));
  return leakCodes[report.verdict];
};

/** `benchside startup`: what a start takes. */
export const startup: EngineCommand<typeof startupCommand> = async (command, engine, terminal) => {
  const request = await withTarget(command, engine, terminal, startable);
  const { startup: report } = await withProgress(terminal, steps(engine, terminal), () =>
    engine.request('service/startup', { request }, terminal.signal),
  );
  if (command.json) terminal.json({ startup: report });
  else terminal.print(textOf(startupDocument(report)));
  return 0;
};

/** What the engine does meanwhile: one line that is rewritten, or where there is no terminal a line for each step. */
function steps(engine: EngineClient, { line, tell }: Terminal): { dispose(): void } {
  return progressOf(engine, 'service', ({ message }) => (line === null ? tell(message) : line.show(`${message} …`)));
}

/** `benchside advise`: tries what could help, and says what does. */
export const advise: EngineCommand<typeof adviseCommand> = async ({ request: asked, json, markdown, html }, engine, terminal) => {
  const request = await withTarget({ request: await withRun(asked, engine) }, engine, terminal, startable);
  const { tell, print, write } = terminal;
  const done = await measured(engine, terminal, { kind: 'advise', ...request }, [
    engine.on('advise/progress', (now) => tell(adviceStagePhrase(now))),
  ]);
  const { advised, outcome } = done;
  if (advised === undefined) throw failure('cancelled', 'Cancelled before anything was known.');
  tellKept(done, tell);
  const { id, advice } = advised;
  if (json) terminal.json({ id, advice });
  else print(`${textOf(adviceDocument(advice))}\n\nKept as ${id}: “benchside report ${id}” shows it again.`);
  const reportAs = async (format: 'html' | 'markdown'): Promise<string> => (await engine.request('advice/report', { id, format })).text;
  const text = await reportAs('markdown');
  if (markdown !== null) writeGateFile(write, markdown, text);
  if (html !== null) writeGateFile(write, html, await reportAs('html'));
  appendToSummary(text);
  return outcome === 'cancelled' ? 1 : 0;
};

/** With what a run was asked for, where its verdict is to be followed and nothing else was said. */
async function withRun(asked: AskedOf<'advise'>, engine: EngineClient): Promise<AskedOf<'advise'>> {
  if (asked.from === undefined) return asked;
  const id = await resolveRun(engine, asked.from);
  const { run } = await engine.request('runs/get', { id });
  return { ...askedAfter(run, run.trials[0]), ...asked, from: id };
}

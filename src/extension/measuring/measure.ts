import { answerHeadline } from '../../model/domain/answerFacts.ts';
import type { FromPanel } from '../../model/protocol/panel.ts';
import type { RunRecord } from '../../model/domain/run.ts';
import type { VersionDiff } from '../../model/domain/versionDiff.ts';
import { measureKinds } from '../../model/protocol/measureKinds.ts';
import type { MeasureInput } from '../../model/protocol/measureRequest.ts';
import { applicableAnswers, tuningHeadline } from '../applied/answerText.ts';
import { runCommand } from '../kit/runCommand.ts';
import { logFailure, showFailure } from '../kit/showFailure.ts';
import type { Services } from '../services/services.ts';
import { inform, offer, say } from '../kit/safeUi/dialogs.ts';

/** Runs a benchmark, a tuning or an experiment to its end, opens the panel for it, and shows its result. */
export async function measure(services: Services, request: MeasureInput): Promise<void> {
  if (await isBusy(services)) return;
  await services.memory.remember(request);
  await services.memory.rememberUnderWay(request.kind);
  await services.next.done(({ kind }) => kind === 'measure' || kind === 'again');
  services.panel.open();
  void services.panel.send({ type: 'starting', kind: request.kind });
  try {
    const end = await services.runs.run(request);
    services.inventory.runs.refresh();
    if (end.compared?.diff.sameCode === true) say(await diffText(end.compared.diff));
    if (request.kind === 'advise') await (await import('../panel/sendAdvice.ts')).announceAdvice(services, end);
    else if (end.run !== null) await showStored(services, end.run, end.outcome === 'complete');
  } catch (error) {
    services.inventory.runs.refresh();
    if (!services.engine.isDisposed) await services.next.set({ kind: 'again', of: request.kind, because: 'failed' });
    await reportRunFailure(services, error);
  } finally {
    void services.panel.send({ type: 'starting', kind: null });
    services.inventory.catalog.refresh();
    // It ended because the window closes: the next window reports it.
    if (!services.engine.isDisposed) await services.memory.rememberUnderWay(undefined);
  }
}

/** What was asked for last, once more: without some of its routes, or without asking them beforehand. */
export async function measureAgain(
  services: Services,
  { leaveOut = [], askRoutes }: Extract<FromPanel, { type: 'measureAgain' }>,
): Promise<void> {
  const request = services.runs.last;
  if (request === undefined) return;
  // Of the others no routes are chosen: they are repeated as they were.
  if (request.kind !== 'run' && request.kind !== 'tune') return measure(services, request);
  const left = [...new Set([...(request.leaveOut ?? []), ...leaveOut])];
  const change = { ...(left.length === 0 ? {} : { leaveOut: left }), ...(askRoutes === undefined ? {} : { askRoutes }) };
  return measure(services, { ...request, ...change });
}

/** Says that what was measured when the window was closed or reloaded is over, and offers to repeat it. */
export async function tellInterrupted(services: Services): Promise<void> {
  const kind = services.memory.underWay;
  if (kind === undefined) return;
  await services.memory.rememberUnderWay(undefined);
  await services.next.set({ kind: 'again', of: kind, because: 'window' });
  const noun = measureKinds[kind].noun;
  await offer(`The ${noun} that was under way ended with the window that was reloaded or closed.`, {
    'Run Again': () => runCommand('runBenchmarkAgain', kind),
  });
}

export async function cancelRun(services: Services): Promise<void> {
  if (services.runs.isRunning) await services.runs.cancel();
  else say('No benchmark is running.');
}

/**
 * Whether something else is measured now, which one machine cannot do at the same time. Says so, with a way to it and one to end it. A live session
 * that the person ends here is over when this returns.
 */
export async function isBusy(services: Services): Promise<boolean> {
  const { runs, live, panel, recordings } = services;
  if (runs.kind !== undefined) {
    void offer(`A ${measureKinds[runs.kind].noun} is already running.`, { Show: () => panel.open(), 'Cancel It': () => runs.cancel() });
    return true;
  }
  if (recordings.isRecording) {
    void offer('A flame graph is being recorded; nothing else can be measured meanwhile.', { 'Cancel It': () => recordings.cancel() });
    return true;
  }
  if (!live.isRunning) return false;
  const chosen = await inform(
    `A live session keeps ${live.target} under load; nothing else can be measured meanwhile.`,
    'Show',
    'Stop It and Go On',
  );
  if (chosen === 'Show') await runCommand('live');
  if (chosen !== 'Stop It and Go On') return true;
  await live.stop();
  return live.isRunning;
}

async function showStored(services: Services, record: RunRecord, complete: boolean): Promise<void> {
  const visible = services.panel.isVisible;
  await services.panel.send({ type: 'run', run: record });
  if (!complete) return;
  const answer = await finishedText(services, record);
  const applies = applicableAnswers(record).length > 0;
  // What is said of an earlier run is over; a person who sees the panel has looked at this one.
  if (applies || !visible) await services.next.set({ kind: applies ? 'apply' : 'read', runId: record.id, answer });
  else await services.next.done();
  if (!visible) void announce(services, record, answer);
}

/** Reports what was found to a person who does not see the panel. */
async function announce(services: Services, record: RunRecord, answer: string): Promise<void> {
  const apply = async (): Promise<void> => (await import('../applied/applySettings.ts')).applyAnswers(services, record);
  const open = async (): Promise<void> => {
    services.panel.open();
    await services.panel.send({ type: 'run', run: record });
  };
  const offered = offer(answer, { Apply: applicableAnswers(record).length > 0 ? apply : undefined, Open: open });
  await offered.catch((error: unknown) => showFailure(error, services.log));
}

async function finishedText({ inventory }: Services, record: RunRecord): Promise<string> {
  const { result, delta } = record;
  if (result.kind === 'tune' && result.answers.length > 0) return `Tuning finished: ${tuningHeadline(result.answers)}`;
  if (result.kind === 'diff') return diffText(result);
  if (result.kind === 'experiment') {
    const { experimentSentence } = await import('../../model/presentation/experimentTables.ts');
    return `Experiment ${result.experiment.id} finished: ${experimentSentence(result, delta)}.`;
  }
  const summary = (await inventory.runs.get()).find((candidate) => candidate.id === record.id);
  const [first] = record.recommendations;
  const headline = first !== undefined ? answerHeadline(first) : summary?.kind === 'run' ? summary.headline : record.title;
  return `Benchmark finished: ${headline}`;
}

async function diffText(diff: VersionDiff): Promise<string> {
  const { diffHeadline } = await import('../../model/presentation/diffWords.ts');
  return diffHeadline(diff);
}

async function reportRunFailure(services: Services, error: unknown): Promise<void> {
  const { toFailure } = await import('../../model/domain/failure.ts');
  const failure = toFailure(error);
  // An engine that is gone says nothing more of its run: the page must not go on waiting for it.
  if (failure.code === 'engine-ended') await services.panel.runEvents.replay([]);
  await services.panel.send({ type: 'failure', failure });
  // The page says what failed, with its cure, the log and the ways on: a notification over it would say the same.
  if (services.panel.isVisible) logFailure(failure, services.log);
  else void showFailure(error, services.log);
}

import path from 'node:path';
import { defined } from '../model/domain/defined.ts';
import { failure, FailureError, isCancellation } from '../model/domain/failure.ts';
import { percentPhrase } from '../model/domain/format.ts';
import { defaultDelta } from '../model/domain/margin.ts';
import type { FailureCode } from '../model/domain/failureCodes.ts';
import { onOneLine } from '../model/domain/plainText.ts';
import { diffHeadline } from '../model/presentation/diffWords.ts';
import type { Measured, ResultOf } from '../model/protocol/protocol.ts';
import type { AskedOf } from '../model/protocol/measureRequest.ts';
import type { EngineClient } from '../engine/rpc/engineClient.ts';
import { type Seen, bisectionStep, stepsLeft } from './bisection.ts';
import { type BisectEntry, BisectLog, changesOf, seenIn } from './bisectLog.ts';
import { diffText, measuredDiff } from './diffCommand.ts';
import type { EngineCommand } from './command.ts';
import { withTarget } from './meantTarget.ts';
import { tellKept } from './measure.ts';
import type { Terminal } from './terminal.ts';
import type { bisectCommand } from './versionOptions.ts';
import { wordedDiff } from './wordedRun.ts';

/** An undecided comparison is repeated once, so many times as long. */
const longer = 3;
const defaultBudgetS = 180;
/** Of versions many times as slow there is no need to ask for less. */
const mostDelta = 0.25;
/** What a commit may break without ending the search: it is left out. */
const leftOut: ReadonlySet<FailureCode> = new Set<FailureCode>([
  'build-failed',
  'version-incomplete',
  'route-fails',
  'target-not-ready',
  'target-exited',
]);

type Commits = ResultOf<'diff/commits'>['commits'];

/** `benchside bisect GOOD BAD`: the commit that made it slower. Exit status 0 when one is found, 4 when the search cannot decide. */
export const bisect: EngineCommand<typeof bisectCommand> = async (given, engine, terminal) => {
  const command = { ...given, request: await withTarget(given, engine, terminal) };
  const { print, json, tell } = terminal;
  const { good, bad, commits } = await engine.request('diff/commits', { good: command.good, bad: command.bad });
  const search = JSON.stringify([good, bad, command.request]);
  const log = new BisectLog(command.log ?? path.join(command.workspace, '.benchside', 'bisect.ndjson'), search);
  let entries = log.entries();
  if (entries.length > 0) tell(`${entries.length} comparisons are in the log already.`);
  const seen = (): Map<string, Seen> => seenIn(entries, bad);

  /**
   * One comparison. If it is undecided and the search still asks for the commit, it is repeated once for longer. A step as large as the whole needs no
   * repetition: “1.8 % slower (−7.9 to +4.7 %)” says enough. The commit is skipped when the repetition does not help.
   */
  const measure = async (commit: string): Promise<void> => {
    const longest = seen().get(commit)?.finding === 'open';
    const budgetS = (longest ? longer : 1) * (command.request.budgetS ?? defaultBudgetS);
    const delta = command.request.delta ?? (commit === bad ? undefined : decisiveDelta(seen().get(bad)));
    const found = await findingOf({ ...command.request, ...defined({ delta }), budgetS, base: good, head: commit }, engine, terminal);
    const finding = longest && found.finding === 'open' ? 'skipped' : found.finding;
    entries = log.add({ commit, ...found, finding });
    tell(`${nameOf(commits, commit)}: ${finding === 'skipped' ? `left out (${found.sentence})` : found.sentence}`);
  };
  const isOpen = (): boolean => [undefined, 'open'].includes(seen().get(bad)?.finding);
  while (isOpen()) await measure(bad);
  const order = commits.map(({ commit }) => commit);
  const newer = entries.findLast(({ commit }) => commit === bad)?.sentence ?? '';
  const ending = withoutSearch(seen().get(bad), order.length, newer);
  if (ending !== null) {
    const { sentence, slower, status } = ending;
    if (command.json) json({ bisect: { culprits: [], slower, newer, sentence } });
    else print(sentence);
    return status;
  }
  if (seen().get(bad)?.finding !== 'bad')
    tell('Whether the newer version is slower can’t be told for certain; that it is, as you say, is assumed.');
  let step = bisectionStep(order, seen());
  for (; 'next' in step; step = bisectionStep(order, seen())) {
    tell(`About ${stepsLeft(order, seen())} comparisons left; now ${nameOf(commits, step.next)}`);
    await measure(step.next);
  }
  const { culprits, chance } = step;
  const [culprit, ...others] = culprits;
  const evidence = culprit === undefined || others.length > 0 ? null : await evidenceOf(command.request, culprit, engine, terminal);
  const slower: Slower = [...seen().values()].some(({ finding }) => finding === 'bad') ? 'decided' : 'assumed';
  const found = answerOf(
    culprits.map((commit) => nameOf(commits, commit)),
    chance,
  );
  const sentence = slower === 'decided' ? found : `${found} That the newer version is slower at all was not decided: ${newer}`;
  if (command.json) {
    const diff = evidence?.compared === undefined ? null : wordedDiff(evidence.compared.diff);
    json({ bisect: { culprits, chance, slower, newer, sentence, diff, run: evidence?.run?.id ?? null } });
  } else
    print(
      [
        onOneLine(sentence),
        ...(evidence?.compared === undefined ? [] : ['', diffText(evidence.compared.diff, evidence.run?.id ?? null)]),
      ].join('\n'),
    );
  return culprits.length === 1 ? 0 : 4;
};

/** Whether it is slower at all: by a comparison, or only by the measured change and the user's word. */
type Slower = 'decided' | 'assumed' | 'no' | 'unknown';

/** Why there is nothing to search: the newer version is not slower, or nothing speaks for it. Null where it is, or seems to be. */
function withoutSearch(end: Seen | undefined, commits: number, said: string): { sentence: string; slower: Slower; status: number } | null {
  if (end?.finding === 'bad') return null;
  if (end?.finding === 'good')
    return { sentence: 'The newer version is not slower than the older one: there is nothing to search.', slower: 'no', status: 0 };
  const { change } = end ?? { change: null };
  if (change !== null && change.change >= change.error) return null;
  const any = commits === 1 ? '' : ` If it is, it may be any of the ${commits} commits.`;
  return { sentence: `Whether the newer version is slower can’t be told. ${said}${any}`, slower: 'unknown', status: 4 };
}

/**
 * Half of what is searched for. A commit that is the same within that has no part of it, or the smaller one, and needs fewer rounds. Undefined where it is
 * not decided, or small.
 */
function decisiveDelta(end: Seen | undefined): number | undefined {
  if (end?.finding !== 'bad' || end.change === null) return undefined;
  const half = (1 - Math.exp(-end.change.change)) / 2;
  return half > defaultDelta ? Math.min(half, mostDelta) : undefined;
}

function answerOf(names: readonly string[], chance: number): string {
  const [only = '', ...others] = names;
  const likely = `(${percentPhrase(Math.floor(100 * chance))})`;
  if (others.length === 0)
    return chance === 1
      ? `${only} made it slower.`
      : `${only} most likely made it slower ${likely}: those beside it can’t be told for certain.`;
  return chance === 1
    ? `One of these made it slower: ${names.join(', ')}. Those between could not be told.`
    : `One of these most likely made it slower ${likely}: ${names.join(', ')}. They can’t be distinguished for certain.`;
}

type Request = AskedOf<'diff'>;

/** A commit against the good one. */
async function findingOf(request: Request, engine: EngineClient, terminal: Terminal): Promise<Omit<BisectEntry, 'search' | 'commit'>> {
  try {
    const { compared, run, outcome } = await measuredDiff({ ...request, why: false, p99: 'none' }, engine, terminal);
    if (compared === undefined || outcome === 'cancelled') throw failure('cancelled', 'Cancelled. The same command goes on where it was.');
    const { verdict, metrics } = compared.diff;
    const finding = verdict === 'worse' ? 'bad' : verdict === 'unknown' ? 'open' : 'good';
    return { finding, run: run?.id ?? null, sentence: diffHeadline(compared.diff), changes: changesOf(metrics) };
  } catch (error) {
    return { finding: 'skipped', run: null, sentence: whyLeftOut(error), changes: {} };
  }
}

/** The commit against the one before it, with the functions that answer for it; null where the one before it cannot be measured. */
async function evidenceOf(request: Request, commit: string, engine: EngineClient, terminal: Terminal): Promise<Measured | null> {
  try {
    const done = await measuredDiff({ ...request, base: `${commit}^`, head: commit }, engine, terminal);
    tellKept(done, terminal.tell);
    return done;
  } catch (error) {
    terminal.tell(`It could not be compared with the commit before it: ${whyLeftOut(error)}`);
    return null;
  }
}

/** Why a commit is left out; what ends the search is thrown. */
function whyLeftOut(error: unknown): string {
  if (isCancellation(error) || !(error instanceof FailureError) || !leftOut.has(error.failure.code)) throw error;
  return error.failure.message;
}

function nameOf(commits: Commits, commit: string): string {
  const found = commits.find((one) => one.commit === commit);
  return `${commit.slice(0, 7)}${found === undefined ? '' : ` “${onOneLine(found.subject, 80)}”`}`;
}

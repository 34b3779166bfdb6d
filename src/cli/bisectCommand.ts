import path from 'node:path';
import { failure, FailureError, isCancellation } from '../model/failure.ts';
import type { FailureCode } from '../model/failureCodes.ts';
import { onOneLine } from '../model/plainText.ts';
import type { ParamsInput, ResultOf } from '../model/protocol.ts';
import type { EngineClient } from '../engine/rpc/engineClient.ts';
import { bisectionStep, stepsLeft } from './bisection.ts';
import type { Finding } from './bisection.ts';
import { BisectLog } from './bisectLog.ts';
import { diffText, measuredDiff } from './diffCommand.ts';
import type { Of, Terminal } from './terminal.ts';

/** What cannot be told is measured once more, so many times as long. */
const longer = 3;
const defaultBudgetS = 120;
/** What a commit may break without ending the search: it is left out. */
const leftOut: ReadonlySet<FailureCode> = new Set<FailureCode>([
  'build-failed',
  'version-incomplete',
  'route-fails',
  'target-not-ready',
  'target-exited',
]);

type Commits = ResultOf<'diff/commits'>['commits'];

/** `benchside bisect GOOD BAD`: the commit that made it slower. Exit status 0 when one is found, 4 when it cannot be told which. */
export async function bisect(command: Of<'bisect'>, engine: EngineClient, terminal: Terminal): Promise<number> {
  const { print, json, tell } = terminal;
  const { good, bad, commits } = await engine.request('diff/commits', { good: command.good, bad: command.bad });
  const search = JSON.stringify([good, bad, command.request]);
  const log = new BisectLog(command.log ?? path.join(command.workspace, '.benchside', 'bisect.ndjson'), search);
  const known = log.entries();
  const findings = new Map<string, Finding>(known.map(({ commit, finding }) => [commit, finding]));
  if (known.length > 0) tell(`${known.length} comparisons are in the log already.`);

  const measure = async (commit: string): Promise<Finding> => {
    const { finding, run, sentence } = await findingOf(command.request, good, commit, engine, terminal);
    log.add({ commit, finding, run, sentence });
    findings.set(commit, finding);
    tell(`${nameOf(commits, commit)}: ${finding === 'skipped' ? `left out (${sentence})` : sentence}`);
    return finding;
  };
  const end = findings.get(bad) ?? (await measure(bad));
  if (end !== 'bad') {
    const sentence =
      end === 'good'
        ? 'The newer version is not slower than the older one: there is nothing to search.'
        : 'Whether the newer version is slower can’t be told.';
    if (command.json) json({ bisect: { culprits: [], sentence } });
    else print(sentence);
    return end === 'good' ? 0 : 4;
  }
  const order = commits.map(({ commit }) => commit);
  for (let step = bisectionStep(order, findings); 'next' in step; step = bisectionStep(order, findings)) {
    tell(`About ${stepsLeft(order, findings)} comparisons left; now ${nameOf(commits, step.next)}`);
    await measure(step.next);
  }
  const step = bisectionStep(order, findings);
  const culprits = 'culprits' in step ? step.culprits : [];
  const evidence = culprits.length === 1 ? await evidenceOf(command.request, culprits[0] ?? '', engine, terminal) : null;
  const sentence =
    culprits.length === 1
      ? `${nameOf(commits, culprits[0] ?? '')} made it slower.`
      : `One of these made it slower: ${culprits.map((commit) => nameOf(commits, commit)).join(', ')}. Those between could not be told.`;
  if (command.json) json({ bisect: { culprits, sentence, diff: evidence?.diff ?? null, run: evidence?.run?.id ?? null } });
  else print([onOneLine(sentence), ...(evidence?.diff == null ? [] : ['', diffText(evidence.diff, evidence.run?.id ?? null)])].join('\n'));
  return culprits.length === 1 ? 0 : 4;
}

type Request = ParamsInput<'diff/start'>;

/** A commit against the good one: what cannot be told takes more rounds, and is left out when that does not help. */
async function findingOf(
  request: Request,
  good: string,
  commit: string,
  engine: EngineClient,
  terminal: Terminal,
): Promise<{ finding: Finding; run: string | null; sentence: string }> {
  const budgetS = request.budgetS ?? defaultBudgetS;
  let last = { finding: 'skipped' as Finding, run: null as string | null, sentence: '' };
  for (const budget of [budgetS, longer * budgetS]) {
    try {
      const { diff, run, outcome } = await measuredDiff(
        { ...request, base: good, head: commit, why: false, p99: 'none', budgetS: budget },
        engine,
        terminal,
      );
      if (diff === null || outcome === 'cancelled') throw failure('cancelled', 'Cancelled. The same command goes on where it was.');
      const { verdict, headline } = diff;
      last = {
        finding: verdict === 'worse' ? 'bad' : verdict === 'unknown' ? 'skipped' : 'good',
        run: run?.id ?? null,
        sentence: headline,
      };
    } catch (error) {
      if (isCancellation(error) || !(error instanceof FailureError) || !leftOut.has(error.failure.code)) throw error;
      return { finding: 'skipped', run: null, sentence: error.failure.message };
    }
    if (last.finding !== 'skipped') return last;
  }
  return last;
}

/** The commit against the one before it, with the functions that answer for it. */
async function evidenceOf(request: Request, commit: string, engine: EngineClient, terminal: Terminal): Promise<ResultOf<'diff/start'>> {
  return measuredDiff({ ...request, base: `${commit}^`, head: commit }, engine, terminal);
}

function nameOf(commits: Commits, commit: string): string {
  const found = commits.find((one) => one.commit === commit);
  return `${commit.slice(0, 7)}${found === undefined ? '' : ` “${onOneLine(found.subject, 80)}”`}`;
}

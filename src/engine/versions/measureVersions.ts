import { realpathSync } from 'node:fs';
import { defined } from '../../model/domain/defined.ts';
import { failure, FailureError } from '../../model/domain/failure.ts';
import type { RecordingRecord } from '../../model/domain/recording.ts';
import { onlyWorkspaceTarget } from '../../model/domain/onlyWorkspaceTarget.ts';
import type { RunRecord, RunRequest, Trial } from '../../model/domain/run.ts';
import { runtimes } from '../../model/domain/runtimes.ts';
import type { Measured } from '../../model/protocol/protocol.ts';
import type { DiffRequest } from '../../model/protocol/versionDiffRequest.ts';
import type { VersionDiff, VersionMetricId, VersionWhy } from '../../model/domain/versionDiff.ts';
import { nameSides } from '../../model/presentation/comparedWords.ts';
import { diffMarkdown } from '../report/markdownReport.ts';
import { withBackingServices } from '../run/backingServices.ts';
import { runBenchmark } from '../run/runBenchmark.ts';
import type { RunContext } from '../run/runContext.ts';
import { type DeclaredTarget, findTarget } from '../targets/catalog.ts';
import { type Known, type Sides, composeDiff, sameCode } from './answer.ts';
import { type BuildOptions, Builds } from './builds.ts';
import { type BothVersions, type RecordedVersion, changedFiles, explain } from './explain.ts';
import { type Repository, type Version, inRepository } from './git.ts';
import { documentationOf } from './documentation.ts';
import { comparedPair } from './metrics.ts';
import { composeRoutes } from './routes.ts';

export interface VersionsOptions extends Pick<BuildOptions, 'storageDir' | 'onProgress'> {
  workspaceDir: string;
  /** A version that HEAD does not descend from is refused. */
  ancestorsOnly?: boolean;
}

/** The seconds that each version is recorded, after everything was measured. */
const recordedS = 6;

/**
 * Two versions of the workspace’s code, side by side in one run: each is copied out of the repository, built where nothing of the user’s is touched, given a
 * database of its own, and measured in mirrored pairs until it is known whether the second is slower, faster or the same. What the workspace declares now
 * counts for both.
 */
export async function measureVersions(request: DiffRequest, context: RunContext, options: VersionsOptions): Promise<Measured> {
  const declared = targetOf(request, context);
  return inRepository(context, options.workspaceDir, async (repository) => {
    const [base, head] = await versionsOf(repository, request);
    if (options.ancestorsOnly === true) await requireAncestors(repository, [base, head]);
    const sideOf = ({ label, commit }: Version) => ({ label, commit, trialKey: null });
    const sides = { base: sideOf(base), head: sideOf(head) };
    const documents = base.tree === head.tree ? [] : documentationOf(await repository.changedPaths(base, head));
    if (documents !== null) {
      const diff = sameCode(sides, request.delta, documents);
      return { runId: '', outcome: 'complete', stored: false, run: null, compared: { diff, markdown: diffMarkdown(diff, null) } };
    }
    const builds = new Builds(repository, { ...context, ...options });
    const copies = { base: await builds.copyOf(declared, base, 'base'), head: await builds.copyOf(declared, head, 'head') };
    const both = [asVersion(copies.base, 'base', base.label), asVersion(copies.head, 'head', head.label)] as const;
    const code: BothVersions = {
      root: repository.root,
      workspaceDir: realpathSync(options.workspaceDir),
      headDir: copies.head.copied.copy,
      files: await repository.changes(base, head),
    };
    builds.prune();
    const asked = runRequestOf(request, both);
    const again = { base: request.base, head: request.head, mergeBase: request.mergeBase, target: declared.target.id, p99: request.p99 };
    let known: Known = { asked: again, files: changedFiles(code) };
    const measured = await withBackingServices(
      asked,
      { ...context, declarations: { ...context.declarations, targets: [...both] } },
      (own) =>
        runBenchmark(asked, own, {
          versus: { of: 'versions', p99: request.p99 },
          further: async ({ recordings, folder: dir, routes: measured, noRate, trials }) => {
            const why = await whyOf(code, both, { recordings, trials, folder: dir });
            const routes = composeRoutes(measured.routes, {
              sides: { a: base.label, b: head.label },
              delta: request.delta,
              judgeBy: request.judgeBy,
            });
            const notes = [measured.absent, noRate, measured.noRate].filter((note) => note !== null);
            known = { ...known, why, routes, notes };
          },
          result: (record) => found(record, both, sides, known, request.judgeBy),
        }),
    );
    if (measured.run?.result.kind !== 'diff') return measured;
    const { result: diff, environment } = measured.run;
    return { ...measured, compared: { diff, markdown: diffMarkdown(diff, environment) } };
  });
}

type Both = readonly [DeclaredTarget, DeclaredTarget];

/** What the run says of both; undefined when it was cancelled before one of them was measured. */
function found(run: RunRecord, both: Both, sides: Sides, known: Known, judgeBy: readonly VersionMetricId[]): VersionDiff | undefined {
  const [a, b] = both.map(({ target: { id } }) => run.trials.find((trial) => trial.target === id));
  if (a === undefined || b === undefined) return undefined;
  const headName = nameSides({ ...run, trial: a }, { ...run, trial: b }).b.name;
  const answers = run.plan.commands[b.key]?.compared;
  const measured = { base: { ...sides.base, trialKey: a.key }, head: { ...sides.head, trialKey: b.key } };
  const pair = comparedPair(a, b, run.delta, run.trials);
  return composeDiff(measured, pair, { headName, judgeBy }, { ...defined({ answers }), ...known });
}

/** What the recordings of both say; null where one of them could not be made or read, of which the run has a note or its log. */
async function whyOf(
  code: BothVersions,
  both: Both,
  { recordings, trials, folder }: { recordings: readonly RecordingRecord[]; trials: readonly Trial[]; folder: string },
): Promise<VersionWhy | null> {
  const [base, head] = both.map(({ target: { id } }): RecordedVersion | null => {
    const record = recordings.find(({ target }) => target === id);
    const trial = trials.find(({ target }) => target === id);
    return record === undefined || trial === undefined ? null : { record, trial };
  });
  if (base == null || head == null) return null;
  try {
    return await explain(code, { base, head }, folder);
  } catch (error) {
    if (error instanceof FailureError) return null;
    throw error;
  }
}

function targetOf({ target }: DiffRequest, { declarations }: RunContext): DeclaredTarget {
  // Samples have no versions: they are none to choose from.
  const known = declarations.targets.filter(({ origin }) => origin === 'workspace').map(({ target: { id }, origin }) => ({ id, origin }));
  const found = findTarget(declarations, target ?? onlyWorkspaceTarget(known, declarations.problems, '--target'));
  if (found.origin !== 'workspace')
    throw failure(
      'target-unknown',
      `“${found.target.id}” comes along with Benchside: it has no versions here.`,
      'Name a target of this folder’s benchside.json.',
    );
  return found;
}

async function versionsOf(repository: Repository, { base, head, mergeBase }: DiffRequest): Promise<[Version, Version]> {
  const second = head === null ? await repository.workingTree() : await repository.version(head);
  const first = mergeBase ? await repository.mergeBase(base, head ?? 'HEAD') : await repository.version(base);
  return [first, second];
}

/** Code that HEAD does not descend from, such as a fetched branch of another person, was not reviewed here. */
export async function requireAncestors(repository: Repository, versions: readonly Version[]): Promise<void> {
  for (const version of versions)
    if (version.commit !== null && !(await repository.isAncestor(version.commit, 'HEAD')))
      throw failure(
        'not-allowed',
        `${version.label} is not part of the history of HEAD: its code would be built and started, and nobody was asked about it.`,
        'The user can compare it themselves: benchside diff, in a terminal in this folder.',
      );
}

/** A copy of a target as one of two, with an id and a name of its own. */
function asVersion({ target, ...copy }: DeclaredTarget, side: 'base' | 'head', label: string): DeclaredTarget {
  return { ...copy, target: { ...target, id: `${target.id.slice(0, 35)}-${side}`, label: `${target.label ?? target.id}, ${label}` } };
}

function runRequestOf(
  { load, route, connections, budgetS: asked, seed, delta, slo, why }: DiffRequest,
  both: readonly DeclaredTarget[],
): RunRequest {
  return {
    targets: both.map(({ target }) => target.id),
    settings: {},
    load,
    delta,
    ...defined({ route, connections: connections === undefined ? undefined : [connections] }),
    budgetS: asked ?? Math.max(...both.map(({ target }) => runtimes[target.runtime].versionsS)),
    ...defined({ seed, slo, record: why ? { events: [], seconds: recordedS } : undefined }),
  };
}

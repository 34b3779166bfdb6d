import { figure } from '../../model/domain/format.ts';
import { aboveBudget, counted, countText, countTolerance } from '../../model/domain/routeBudget.ts';
import type { RunRecord, Trial } from '../../model/domain/run.ts';
import { answeredRequests } from '../../model/domain/statement.ts';
import type { VersionDiff } from '../../model/domain/versionDiff.ts';
import type { RoutePlace } from '../../model/protocol/routePlaces.ts';
import { whenPhrase } from '../kit/row.ts';

/** What a run says of one route that it asked for alone. */
export interface RouteMetrics {
  runId: string;
  startedAt: string;
  targetId: string;
  /** `METHOD /path`. */
  route: string;
  connections: number;
  /** Of a request, under that many connections. */
  meanMs: number;
  p99Ms: number;
  /** For each request; null where PostgreSQL does not count them. */
  statements: number | null;
  rows: number | null;
  /** Of a request's time, 0 … 1; null where it is not seen. */
  databaseShare: number | null;
  /** Of a comparison of two versions: the older one's name, and what it sent for each request. */
  before: { label: string; statements: number | null } | null;
  /** Limits of the objective that were missed, such as "p99 70 ms, wanted ≤ 50 ms"; empty where it holds or there is none. */
  missed: readonly string[];
}

/**
 * The figures of each target of which the run asked for one route alone, by the trial that it recommends, else its first that counts. Of two versions those
 * of the working tree, with what the older one sent.
 */
export function metricsOfRun(run: RunRecord): RouteMetrics[] {
  const { result } = run;
  if (run.state !== 'complete' || result.kind === 'experiment') return [];
  if (result.kind === 'diff') return metricsOfVersions(run, result);
  return Object.keys(run.routes).flatMap((targetId) => {
    const trial = representativeTrial(run, targetId);
    return trial === undefined ? [] : figuresOf(run, trial, { targetId, before: null });
  });
}

function metricsOfVersions(run: RunRecord, { base, head, asked }: VersionDiff): RouteMetrics[] {
  const trialOf = ({ trialKey }: VersionDiff['head']): Trial | undefined => run.trials.find(({ key, valid }) => key === trialKey && valid);
  const [older, trial] = [trialOf(base), trialOf(head)];
  if (asked === undefined || head.commit !== null || trial === undefined) return [];
  const before = older === undefined ? null : { label: base.label, statements: each(older, 'calls') };
  return figuresOf(run, trial, { targetId: asked.target, before });
}

function figuresOf(run: RunRecord, trial: Trial, of: Pick<RouteMetrics, 'targetId' | 'before'>): RouteMetrics[] {
  const { timeBudget, latencyMs, connections, slo } = trial;
  const [route, ...others] = run.routes[trial.target] ?? [];
  if (route === undefined || others.length > 0 || latencyMs === null) return [];
  const figures = {
    ...of,
    route,
    runId: run.id,
    startedAt: run.startedAt,
    connections,
    meanMs: latencyMs.mean,
    p99Ms: latencyMs.p99,
    statements: each(trial, 'calls'),
    rows: each(trial, 'rows'),
    databaseShare: timeBudget === null || timeBudget.totalMs <= 0 ? null : timeBudget.databaseMs / timeBudget.totalMs,
    missed: (slo?.rows ?? []).filter(({ passed }) => passed === false).map(({ what, value, limit }) => `${what} ${value}, wanted ${limit}`),
  };
  return [figures];
}

/** For each request; null where PostgreSQL does not count. */
function each(trial: Trial, what: 'calls' | 'rows'): number | null {
  const requests = answeredRequests(trial);
  return trial.statements === undefined || requests === 0 ? null : trial.statements.reduce((sum, one) => sum + one[what], 0) / requests;
}

/** What of a route's objective and of its budget the figures miss, such as "11 statements, budget 3". */
export function missedBy(figures: RouteMetrics, budget: RoutePlace['budget']): string[] {
  return [...aboveBudget(figures, budget), ...figures.missed];
}

function representativeTrial({ trials, recommendations }: RunRecord, targetId: string): Trial | undefined {
  const counting = trials.filter(({ target, valid }) => target === targetId && valid);
  const keys = recommendations.filter(({ target }) => target === targetId).map(({ trialKey }) => trialKey);
  return counting.find(({ key }) => keys.includes(key)) ?? counting[0];
}

/** "1.2 ms · 3 statements · 8 rows · 88 % in the database", as far as it is known. */
export function metricsPhrase({ meanMs, statements, rows, databaseShare, before }: RouteMetrics): string {
  const earlier = before?.statements ?? null;
  const changed = statements !== null && earlier !== null && Math.abs(statements - earlier) >= countTolerance;
  const then = before === null || earlier === null || !changed ? '' : ` (${countText(earlier)} at ${before.label})`;
  return [
    `${figure(meanMs)} ms`,
    ...(statements === null ? [] : [`${counted(statements, 'statement')}${then}`]),
    ...(rows === null || statements === 0 ? [] : [counted(rows, 'row')]),
    ...(databaseShare === null ? [] : [`${Math.round(databaseShare * 100)} % in the database`]),
  ].join(' · ');
}

/** Where the figures are from, and what a click does. */
export function metricsOrigin({ connections, startedAt }: RouteMetrics, missed: readonly string[], now: Date): string {
  const load = connections === 1 ? 'one connection' : `${connections} connections`;
  const objective = missed.length === 0 ? '' : ` Too much: ${missed.join('; ')}.`;
  return `Mean of a request under ${load}, run ${whenPhrase(startedAt, now)}.${objective} A click opens that run.`;
}

import * as z from 'zod';
import type { AgainstBaseline, RunRecord } from '../../model/domain/run.ts';
import { settingValuesSchema } from '../../model/domain/setting.ts';
import type { Verdict } from '../../model/domain/tuning.ts';
import { acrossRuns, logSample, verdictOf } from './comparedMetric.ts';
import { ignoredSettings, joinKey } from './compareRuns.ts';

/** The part of a run that is kept in memory to compare it with a baseline: small, so that hundreds of runs may be listed. */
const runDigestSchema = z.object({
  targets: z.string().describe('equal for runs of the same targets'),
  machine: z.string().describe('equal for runs on the same machine'),
  delta: z.number().describe('δ of the run, a share'),
  trials: z.array(
    z.object({
      target: z.string(),
      settings: settingValuesSchema,
      connections: z.number(),
      requests: z.string(),
      throughput: z.object({ n: z.number(), mean: z.number(), variance: z.number() }),
    }),
  ),
});
export type RunDigest = z.infer<typeof runDigestSchema>;

/** One run of the list, as far as baselines go. */
export const baselineCandidateSchema = z.object({ id: z.string(), digest: runDigestSchema, pinnedAtMs: z.number().nullable() });
export type BaselineCandidate = z.infer<typeof baselineCandidateSchema>;

/** The digest of a record: its valid trials only. */
export function digestRun(run: RunRecord): RunDigest {
  const { cpuModel, cores, platform } = run.environment;
  return {
    targets: JSON.stringify([...new Set(run.trials.map((trial) => trial.target))].sort()),
    machine: JSON.stringify([cpuModel, cores, platform]),
    delta: run.delta,
    trials: run.trials.flatMap((trial) => {
      const throughput = logSample(trial.blocks.filter((block) => block.valid).map((block) => block.throughput));
      if (!trial.valid || throughput.n === 0) return [];
      const { target, settings, connections } = trial;
      return [{ target, settings, connections, requests: (run.routes[target] ?? []).join('\n'), throughput }];
    }),
  };
}

const severity: readonly Verdict[] = ['worse', 'unknown', 'same', 'better'];

/**
 * How a run compares with the baseline: by the worst of the settings that both measured under the same requests. Of several settings the worst is picked out
 * after looking, so that each is judged at 1 − 0.05/k (Bonferroni).
 */
export function againstBaseline(baselineId: string, baseline: RunDigest, run: RunDigest): AgainstBaseline {
  const nothing = (code: Exclude<AgainstBaseline['basis']['code'], 'setting'>): AgainstBaseline => ({
    baselineId,
    verdict: 'unknown',
    basis: { code },
  });
  if (baseline.machine !== run.machine) return nothing('other-machine');
  const delta = Math.min(baseline.delta, run.delta);
  const ignored = ignoredSettings(baseline, run);
  const known = new Map(baseline.trials.map((trial) => [joinKey(trial, ignored), trial]));
  const pairs = run.trials.flatMap((trial) => {
    const base = known.get(joinKey(trial, ignored));
    return base === undefined || base.requests !== trial.requests ? [] : [{ base, trial }];
  });
  if (pairs.length === 0) return nothing('no-common-setting');
  const judged = pairs.flatMap(({ base, trial }) => {
    const difference = acrossRuns(base.throughput, trial.throughput, 1 - 0.025 / pairs.length);
    if (difference === null) return [];
    const ratio = { mean: difference.ratio, ciLow: difference.ciLow, ciHigh: difference.ciHigh };
    return [{ trial, ratio, verdict: verdictOf(ratio, true, delta) }];
  });
  const [worst] = judged.sort((x, y) => severity.indexOf(x.verdict) - severity.indexOf(y.verdict) || x.ratio.mean - y.ratio.mean);
  if (worst === undefined) return nothing('few-blocks');
  const { ratio, verdict, trial } = worst;
  return { baselineId, verdict, basis: { code: 'setting', target: trial.target, values: trial.settings, ratio, delta } };
}

/** The baseline of each set of targets. Should several runs be pinned (two windows at once), the one that was pinned last counts. */
export function baselinesOf(runs: readonly BaselineCandidate[]): Map<string, BaselineCandidate> {
  const baselines = new Map<string, BaselineCandidate>();
  for (const run of runs) {
    if (run.pinnedAtMs === null) continue;
    const known = baselines.get(run.digest.targets);
    if (known === undefined || (known.pinnedAtMs ?? 0) < run.pinnedAtMs) baselines.set(run.digest.targets, run);
  }
  return baselines;
}

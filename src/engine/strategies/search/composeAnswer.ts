import { isLimit } from '../../../model/domain/diagnosisKind.ts';
import type { Finding } from '../../../model/domain/findingKinds.ts';
import { isSame, withoutRepetition } from '../../../model/domain/findings.ts';
import type { AnswerFacts } from '../../../model/domain/answerFacts.ts';
import type { AnswerReason } from '../../../model/domain/answerReason.ts';
import type { SettingValue, SettingValues } from '../../../model/domain/setting.ts';
import type { Gate } from '../../../model/domain/gate.ts';
import type { TunedSetting, TuningAnswer } from '../../../model/domain/tuning.ts';
import type { BlockStatistics } from '../../statistics/blockStatistics.ts';
import { type Knee, kneeStatus, ratioToBest } from '../../statistics/kneeRule.ts';
import { isBarred, nameless } from '../answer/answerFacts.ts';
import { type AnsweredInput, answered } from '../answer/answerReasons.ts';
import { type OpenLoopComparison, p99Margin } from './openLoopComparison.ts';
import { holdMsOf, holdReason, lawParameters, predictThroughput } from './operationalLaws.ts';
import { type GatedSetting, type TuningEvidence, judgeTuning } from './tuningGates.ts';
import { type MeasuredCandidate, isEnough, judgeCandidates } from '../../statistics/tuningSearch.ts';

/** The facts of one candidate apart from its blocks; its trial with the diagnosis by comparison with the others. */
export interface CandidateFacts extends Omit<GatedSetting, 'name' | 'blocks'> {
  instances: number;
}

export interface AnswerInput extends Pick<
  AnsweredInput,
  'delta' | 'candidates' | 'openLoop' | 'p99BudgetS' | 'resource' | 'today' | 'busySessions' | 'cores'
> {
  /** What is part of the answer as it is. */
  about: Pick<
    TuningAnswer,
    'target' | 'targetLabel' | 'mode' | 'modeReasons' | 'settingNames' | 'settingLabels' | 'confirmation' | 'where'
  >;
  /** By key of the candidate. */
  facts: ReadonlyMap<string, CandidateFacts>;
  /** The rest of what the gates want to know; see `judgeTuning`. */
  evidence: Pick<TuningEvidence, 'generator' | 'steady' | 'openLoop'>;
  /** Seconds that one additional block takes, switching included. */
  blockCostS: number;
  /** False while blocks are still being measured: then an unmeasured value is no reason to withhold anything yet. */
  finished: boolean;
}

/** Candidates of a round after the grid, for an estimate of time. */
const roundSize = 4;

/**
 * The answer for one target from everything that was measured of it. Recommends the smallest value that the knee rule proves to be within δ of the best, that
 * is not proven worse on p99 at a fixed rate. It is *confirmed* when, where p99 was compared, its p99 is proven no worse or is at least not more than 10 %
 * larger as far as was seen. A refusing gate withholds it; a value that could not be measured does not.
 */
export function composeAnswer(input: AnswerInput): TuningAnswer {
  const { statistics, knee, moreRounds } = judgeCandidates(input.candidates, input.delta, (key) => isBarred(key, input.openLoop));
  const byKnee = knee === null ? 'undecided' : kneeStatus(knee);
  const status = knee !== null && byKnee === 'confirmed' && p99Doubtful(input.openLoop, knee) ? 'plausible' : byKnee;
  const gates = judgeTuning({
    ...input.evidence,
    settings: input.candidates.filter(({ attempts }) => attempts > 0).flatMap((candidate) => gatedSetting(candidate, input)),
    rounds: knee?.rounds ?? Math.min(...input.candidates.map(({ blocks }) => blocks.length)),
  });
  // Too few measurements are no warning while measuring continues.
  const statedGates = input.finished ? gates : gates.filter(({ code }) => code !== 'rounds' && code !== 'not-measured');
  const common = { ...measuredPart(input, statistics, knee), gates: statedGates };
  if (knee === null)
    return {
      ...common,
      status: 'undecided',
      values: null,
      plausible: null,
      best: null,
      ...nothingToCompare(input),
      moreSeconds: null,
      evidence: [],
    };

  const seen = new Map([...input.facts].map(([key, { trial }]) => [key, trial]));
  const roundS = Math.min(roundSize, input.candidates.length) * input.blockCostS;
  const refusals = gates.filter(({ severity, code }) => severity === 'refuse' && code !== 'rounds');
  const isRefused = refusals.length > 0;
  const told = answered({ ...input, seen, roundS, settingNames: varyingNames(input), statistics, knee, status }, moreRounds, isRefused);
  const { chosen } = told;
  const undecided = told.status === 'undecided';
  // What was asked for and has no figure is no candidate, and the rest is answered.
  const missed = input.candidates.filter(({ inserted, blocks }) => input.finished && !inserted && blocks.length < 2);
  return {
    ...common,
    status: told.status,
    values: undecided ? null : (chosen?.values ?? null),
    plausible: rangeOf(undecided ? told.open : [knee.plausible, chosen ?? knee.confirmed], input.about.settingNames),
    best: { values: knee.best.values, throughput: statistics.meanOf(knee.best.key) },
    facts: isRefused ? { code: 'refused', by: refusedBy(refusals) } : told.facts,
    why: [
      ...refusals.map(gateReason),
      ...told.why,
      ...(missed.length === 0 ? [] : [{ code: 'missing-values', names: missed.map((one) => nameless(one, input)) } as const]),
      ...statedGates.filter(({ code }) => code === 'rounds').map(gateReason),
      ...(told.facts.code === 'unused' ? [] : mechanismReasons(input, knee)),
    ],
    moreSeconds: isRefused ? null : told.moreSeconds,
    evidence: told.evidence,
  };
}

/** Those settings of which the candidates have several values. */
function varyingNames({ candidates, about }: AnswerInput): string[] {
  return about.settingNames.filter((name) => new Set(candidates.map(({ values }) => values[name])).size > 1);
}

function gateReason(gate: Gate): AnswerReason {
  return { code: 'gate', gate };
}

/** Measured at the rate, and by more than the margin above that of the best, though not proven so. */
function p99Doubtful(openLoop: OpenLoopComparison | null, { confirmed, best }: Knee<MeasuredCandidate>): boolean {
  if (confirmed === best || openLoop?.verdicts.get(confirmed.key) !== 'unknown') return false;
  return (openLoop.figures.get(confirmed.key)?.ratioToBest?.mean ?? 1) > 1 + p99Margin;
}

function gatedSetting(candidate: MeasuredCandidate, input: AnswerInput): GatedSetting[] {
  const own = input.facts.get(candidate.key);
  if (own === undefined) return [];
  return [{ ...own, name: nameless(candidate, input), blocks: { valid: candidate.blocks.length, all: candidate.attempts } }];
}

/** What holds whatever the answer is: figures of all candidates, the laws, the explanation. */
function measuredPart(input: AnswerInput, statistics: BlockStatistics, knee: Knee<MeasuredCandidate> | null) {
  const { candidates, facts, openLoop } = input;
  const smallestFirst = [...candidates].sort((a, b) => a.cost - b.cost);
  const seen = smallestFirst.flatMap(({ key }) => facts.get(key)?.trial ?? []);
  const laws = lawParameters(seen);
  const answer = knee === null ? undefined : facts.get(knee.confirmed.key)?.trial;
  const settings = smallestFirst
    .filter((candidate) => candidate.attempts > 0 || !candidate.inserted)
    .map((candidate): TunedSetting => {
      const own = facts.get(candidate.key);
      const interval = statistics.intervals.get(candidate.key);
      const ignored = own?.ignored ?? null;
      const valid = ignored === null && candidate.blocks.length >= Math.min(2, Math.max(1, candidate.attempts));
      return {
        trialKey: own?.trial.key ?? candidate.key,
        values: candidate.values,
        throughput: { mean: interval?.mean ?? 0, ciLow: interval?.ciLow ?? null, ciHigh: interval?.ciHigh ?? null },
        ratioToBest:
          candidate === knee?.best ? { mean: 1, ciLow: null, ciHigh: null } : ratioToBest(candidate.key, knee?.best.key ?? '', statistics),
        openLoop: openLoop?.figures.get(candidate.key) ?? null,
        predicted:
          laws === null || (laws.holdMs === null && laws.threadMs === null)
            ? null
            : predictThroughput(laws, sizesOf(candidate.values, own)),
        blocks: candidate.blocks.length,
        valid,
        reasons: valid
          ? []
          : withoutRepetition<Finding>([
              ...(ignored === null ? [] : [ignored]),
              ...(own?.trial.reasons ?? []),
              ...(candidate.attempts === 0 ? [{ code: 'not-measured' } as const] : []),
            ]),
      };
    });
  return {
    ...input.about,
    noiseFloorPercent: statistics.noiseFloorPercent,
    holdMs: answer === undefined ? (laws?.holdMs ?? null) : holdMsOf(answer),
    openRate: openLoop?.rate ?? null,
    settings,
  };
}

/** Sizes of all instances together: those that the probe saw, else the requested ones. */
function sizesOf(values: SettingValues, own: CandidateFacts | undefined): Parameters<typeof predictThroughput>[1] {
  const instances = own?.instances ?? (typeof values['instances'] === 'number' ? values['instances'] : 1);
  const size = (value: SettingValue | undefined): number | null => (typeof value === 'number' ? value * instances : null);
  return {
    pool: own?.trial.pool?.max ?? size(values['pool']),
    threads: own?.trial.threadPool?.max ?? size(values['threads']),
    connections: own?.trial.connections ?? null,
  };
}

function refusedBy(refusals: readonly Gate[]): Extract<AnswerFacts, { code: 'refused' }>['by'] {
  return (['generator', 'ignored'] as const).find((code) => code === refusals[0]?.code) ?? 'other';
}

function nothingToCompare(input: AnswerInput): { facts: AnswerFacts; why: AnswerReason[] } {
  const { candidates, about, finished, facts } = input;
  if (candidates.length === 1) return { facts: { code: 'one-value' }, why: [{ code: 'one-value' }] };
  const measured = candidates.filter(({ blocks }) => blocks.length > 0);
  const failed = candidates.flatMap((one) =>
    (facts.get(one.key)?.trial.reasons ?? []).flatMap((finding): AnswerReason[] =>
      finding.code === 'requests-failed' ? [{ code: 'failed', name: nameless(one, input), finding }] : [],
    ),
  );
  if (measured.length === 0 && failed.length > 0) return { facts: { code: 'refused', by: 'errors' }, why: failed };
  if (!finished || candidates.every(({ attempts }) => attempts < 2))
    return { facts: { code: 'too-little' }, why: [{ code: 'too-little', target: about.targetLabel }] };
  const most = commonest(
    candidates.flatMap((one) => (one.blocks.length > 0 || one.attempts === 0 ? [] : (facts.get(one.key)?.trial.reasons.slice(0, 1) ?? []))),
  );
  return {
    facts: { code: 'only-measured', candidates: measured.map(({ values }) => values) },
    why: [{ code: 'discarded', most }],
  };
}

function commonest(findings: readonly Finding[]): Finding | null {
  const count = (finding: Finding): number => findings.filter((other) => isSame(other, finding)).length;
  return [...findings].sort((a, b) => count(b) - count(a))[0] ?? null;
}

/** The smallest and the largest of these, for a single setting. */
function rangeOf(smallestFirst: readonly MeasuredCandidate[], [name, ...others]: readonly string[]): TuningAnswer['plausible'] {
  if (name === undefined || others.length > 0) return null;
  const [low, high] = [smallestFirst[0]?.values[name], smallestFirst.at(-1)?.values[name]];
  return low === undefined || high === undefined ? null : [low, high];
}

/** How many connections the answer keeps busy, and what limits the best by its verdict, where they are known. */
function mechanismReasons(input: AnswerInput, { confirmed, best }: Knee<MeasuredCandidate>): AnswerReason[] {
  const [answer, fastest] = [confirmed, best].map(({ key }) => input.facts.get(key)?.trial);
  const hold = answer === undefined ? null : holdReason(answer);
  const verdict = fastest?.diagnosis ?? null;
  // Full as a pool may be, where hardly anybody waits for it it is not the limit.
  const ample = verdict?.kind === 'pool-limited' && [confirmed, best].some((one) => isEnough(one, input.delta));
  const limit: AnswerReason[] =
    verdict !== null && isLimit(verdict.kind) && !ample
      ? [{ code: 'limit', beyond: best === confirmed ? null : nameless(confirmed, input), verdict: verdict.said }]
      : [];
  return [...(hold === null ? [] : [hold]), ...limit];
}

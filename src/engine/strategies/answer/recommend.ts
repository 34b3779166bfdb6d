import { type SettingSpec, type WatchedPart, todayOf, watchedPartOf } from '../../../model/domain/setting.ts';
import type { AnswerReason } from '../../../model/domain/answerReason.ts';
import { processorLimits } from '../../../model/domain/diagnosisKind.ts';
import { defaultDelta } from '../../../model/domain/margin.ts';
import type { Recommendation, Trial } from '../../../model/domain/run.ts';
import { kneeStatus } from '../../statistics/kneeRule.ts';
import { type MeasuredCandidate, judgeCandidates, searchedBlock } from '../../statistics/tuningSearch.ts';
import { settingEvidence } from '../search/operationalLaws.ts';
import { type AnsweredInput, answered, reasonsOf } from './answerReasons.ts';
import { busySessions } from './sessionUse.ts';

/** How much worse p99 may be than that of the best before it is mentioned. */
const p99Tolerance = 1.1;

/** Which setting of which target a recommendation is about. */
export type RecommendedSetting = Pick<Recommendation, 'target' | 'targetLabel' | 'setting' | 'settingLabel'>;

/** What is known of its values in addition to their blocks. */
export interface KnownValues extends Pick<AnsweredInput, 'resource' | 'roundS' | 'busySessions' | 'today' | 'seen' | 'cores'> {
  /** By trial, in ms. */
  p99Ms: ReadonlyMap<string, number>;
}

/**
 * The recommendation for one setting of one target by the knee rule; with what speaks for it, and how much longer would decide what is open.
 * `null` when fewer than two values have two blocks that count.
 */
export function recommendSetting(
  candidates: readonly MeasuredCandidate[],
  subject: RecommendedSetting,
  { p99Ms, ...known }: KnownValues,
  delta = defaultDelta,
): Recommendation | null {
  const { statistics, knee, moreRounds } = judgeCandidates(candidates, delta);
  if (knee === null) return null;
  const { found, chosen, open, evidence } = answered(
    { ...known, settingNames: [subject.setting], candidates, delta, openLoop: null, statistics, knee, status: kneeStatus(knee) },
    moreRounds,
  );
  const { status } = found;
  const range = chosen === null ? open : [knee.plausible, chosen];
  const [least, most] = [range[0]?.cost, range.at(-1)?.cost];
  return {
    ...subject,
    status,
    value: chosen?.cost ?? null,
    plausible: least === undefined || most === undefined ? null : [least, most],
    best: { value: knee.best.cost, throughput: statistics.meanOf(knee.best.key) },
    facts: found.facts,
    why: [...reasonsOf(found), ...(status === 'undecided' ? [] : p99Caution(p99Ms.get(knee.confirmed.key), p99Ms.get(knee.best.key)))],
    trialKey: chosen?.key ?? null,
    evidence,
    moreSeconds: found.moreSeconds,
  };
}

function p99Caution(chosenMs: number | undefined, bestMs: number | undefined): AnswerReason[] {
  if (chosenMs === undefined || bestMs === undefined || chosenMs <= p99Tolerance * bestMs) return [];
  return [{ code: 'p99-higher', ms: chosenMs, bestMs }];
}

/** The setting that varies among trials, if exactly one does and its values are numbers. */
export function varyingSetting(trials: readonly Pick<Trial, 'settings'>[]): string | null {
  const names = new Set(trials.flatMap((trial) => Object.keys(trial.settings)));
  const varying = [...names].filter((name) => new Set(trials.map((trial) => trial.settings[name])).size > 1);
  const [name] = varying;
  if (name === undefined || varying.length !== 1) return null;
  return trials.every((trial) => typeof trial.settings[name] === 'number') ? name : null;
}

/** What a recommendation wants to know of a target's setting. */
export interface SettingWords {
  /** Its name for people. */
  labelOf: (target: string, setting: string) => string;
  /** As it is declared. */
  specOf: (target: string, setting: string) => SettingSpec | undefined;
  /** Seconds that one block takes, switching included; null where that is not known. */
  blockS: number | null;
  /** The cores of the machine. */
  cores: number;
}

/**
 * A recommendation for each target of a run of which exactly one numeric setting was varied. Discarded trials and blocks take no part, and its reasons say
 * which values they were; they withhold nothing. With several numbers of connections the largest counts: that is where a setting binds.
 */
export function recommend(trials: readonly Trial[], words: SettingWords, delta = defaultDelta): Recommendation[] {
  return [...new Set(trials.map((trial) => trial.target))].flatMap((target) => {
    const ofTarget = trials.filter((trial) => trial.target === target);
    const connections = Math.max(...ofTarget.map((trial) => trial.connections));
    const compared = ofTarget.filter((trial) => trial.connections === connections);
    const setting = varyingSetting(compared);
    const [first] = compared;
    if (setting === null || first === undefined) return [];
    const spec = words.specOf(target, setting);
    const resource = watchedPartOf(setting, spec);
    const candidates = compared.filter((trial) => trial.valid).map((trial) => candidateOf(trial, setting, resource));
    const subject = { target, targetLabel: first.targetLabel, setting, settingLabel: words.labelOf(target, setting) };
    const known: KnownValues = {
      resource,
      busySessions: busySessions(compared, setting),
      today: todayOf(spec),
      seen: new Map(compared.map((trial) => [trial.key, settingEvidence(trial, trial.instances?.length ?? 1, words.cores)])),
      cores: words.cores,
      p99Ms: new Map(compared.flatMap(({ key, latencyMs }) => (latencyMs === null ? [] : [[key, latencyMs.p99]]))),
      roundS: words.blockS === null ? null : words.blockS * candidates.length,
    };
    const found = recommendSetting(candidates, subject, known, delta);
    if (found === null) return [];
    const chosen = compared.find(({ key }) => key === found.trialKey);
    const notes: AnswerReason[] =
      chosen === undefined || found.evidence.some(({ kind, says }) => kind === 'mechanism' && says === 'for') ? [] : shortOfCpu(chosen);
    const leftOut = compared.filter((trial) => !trial.valid).map((trial) => Number(trial.settings[setting]));
    if (leftOut.length > 0) notes.push({ code: 'discarded-values', values: leftOut });
    if (new Set(ofTarget.map((trial) => trial.connections)).size > 1) notes.push({ code: 'connections', connections });
    return [{ ...found, why: [...found.why, ...notes] }];
  });
}

/** From here on what others took of the CPU makes another machine of it, on which another size may be the best. */
const highInterferencePercent = 40;

/** Where what others left of the CPU is the limit, more connections can show what they are good for only once it is there again. */
function shortOfCpu({ diagnosis, interference, pool }: Trial): AnswerReason[] {
  const takenPercent = interference?.takenPercent ?? 0;
  if (takenPercent < highInterferencePercent || diagnosis === null || !processorLimits.has(diagnosis.kind) || (pool?.pending ?? 0) < 1)
    return [];
  return [{ code: 'short-of-cpu', takenPercent }];
}

function candidateOf(trial: Trial, setting: string, resource: WatchedPart | null): MeasuredCandidate {
  const value = Number(trial.settings[setting]);
  const valid = trial.blocks.filter((block) => block.valid);
  // The trial's own count has the errors of the blocks that were left out too.
  const errors = valid.reduce((sum, block) => sum + block.errors.total, 0);
  const attempts = errors + valid.reduce((sum, block) => sum + block.requests, 0);
  return {
    key: trial.key,
    values: { [setting]: value },
    cost: value,
    blocks: valid.map((block) => searchedBlock(block, resource)),
    attempts: valid.length,
    inserted: false,
    errorShare: attempts === 0 ? 0 : errors / attempts,
  };
}

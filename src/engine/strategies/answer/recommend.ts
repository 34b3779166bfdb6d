import { type SettingSpec, type WatchedPart, todayOf, watchedPartOf } from '../../../model/domain/setting.ts';
import type { AnswerReason } from '../../../model/domain/answerReason.ts';
import { processorLimits } from '../../../model/domain/diagnosisKind.ts';
import { grouped } from '../../../model/domain/grouped.ts';
import { defaultDelta } from '../../../model/domain/margin.ts';
import type { Recommendation, Trial } from '../../../model/domain/run.ts';
import { kneeStatus } from '../../statistics/kneeRule.ts';
import { type MeasuredCandidate, judgeCandidates, searchedBlock } from '../../statistics/tuningSearch.ts';
import { answered } from './answerReasons.ts';
import { busySessions } from './sessionUse.ts';

/** How much worse p99 may be than that of the best before it is mentioned. */
const p99Tolerance = 1.1;

/** Which setting of which target a recommendation is about. */
export type RecommendedSetting = Pick<Recommendation, 'target' | 'targetLabel' | 'setting' | 'settingLabel'>;

function p99Caution(chosen: Trial | undefined, best: Trial | undefined): AnswerReason[] {
  const [chosenMs, bestMs] = [chosen?.latencyMs?.p99, best?.latencyMs?.p99];
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
 * A recommendation by the knee rule for each target of a run of which exactly one numeric setting was varied, with what speaks for it, and how much longer would
 * decide what is open; none where fewer than two values have two blocks that count. Discarded trials and blocks take no part, and its reasons say which values
 * they were; they withhold nothing. With several numbers of connections the largest counts: that is where a setting binds.
 */
export function recommend(trials: readonly Trial[], words: SettingWords, delta = defaultDelta): Recommendation[] {
  return [...grouped(trials, (trial) => trial.target)].flatMap(([target, ofTarget]) => {
    const connections = Math.max(...ofTarget.map((trial) => trial.connections));
    const compared = ofTarget.filter((trial) => trial.connections === connections);
    const setting = varyingSetting(compared);
    if (setting === null) return [];
    const spec = words.specOf(target, setting);
    const resource = watchedPartOf(setting, spec);
    const candidates = compared.filter((trial) => trial.valid).map((trial) => candidateOf(trial, setting, resource));
    const { statistics, knee, moreRounds } = judgeCandidates(candidates, delta);
    if (knee === null) return [];
    const known = {
      resource,
      busySessions: busySessions(compared, setting),
      today: todayOf(spec),
      seen: new Map(compared.map((trial) => [trial.key, trial])),
      cores: words.cores,
      roundS: words.blockS === null ? null : words.blockS * candidates.length,
      settingNames: [setting],
      openLoop: null,
      status: kneeStatus(knee),
    };
    const { facts, chosen, status, open, why, evidence, moreSeconds } = answered(
      { ...known, candidates, delta, statistics, knee },
      moreRounds,
    );
    const range = chosen === null ? open : [knee.plausible, chosen];
    const [least, most] = [range[0]?.cost, range.at(-1)?.cost];
    const trialOf = ({ key }: MeasuredCandidate): Trial | undefined => compared.find((trial) => trial.key === key);
    const notes: AnswerReason[] = status === 'undecided' ? [] : p99Caution(trialOf(knee.confirmed), trialOf(knee.best));
    const isByMechanism = evidence.some(({ kind, says }) => kind === 'mechanism' && says === 'for');
    if (chosen !== null && !isByMechanism) notes.push(...shortOfCpu(trialOf(chosen)));
    const leftOut = compared.filter((trial) => !trial.valid).map((trial) => Number(trial.settings[setting]));
    if (leftOut.length > 0) notes.push({ code: 'discarded-values', values: leftOut });
    if (new Set(ofTarget.map((trial) => trial.connections)).size > 1) notes.push({ code: 'connections', connections });
    return [
      {
        target,
        targetLabel: ofTarget[0].targetLabel,
        setting,
        settingLabel: words.labelOf(target, setting),
        status,
        value: chosen?.cost ?? null,
        plausible: least === undefined || most === undefined ? null : [least, most],
        best: { value: knee.best.cost, throughput: statistics.meanOf(knee.best.key) },
        facts,
        why: [...why, ...notes],
        trialKey: chosen?.key ?? null,
        evidence,
        moreSeconds,
      },
    ];
  });
}

/** From here on what others took of the CPU makes another machine of it, on which another size may be the best. */
const highInterferencePercent = 40;

/** Where what others left of the CPU is the limit, more connections can show what they are good for only once it is there again. */
function shortOfCpu(chosen: Trial | undefined): AnswerReason[] {
  const { diagnosis = null, interference, pool } = chosen ?? {};
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

import { reasonsText } from './answerReason.ts';
import { findingTexts } from './findings.ts';
import { freshText } from './freshFinding.ts';
import type { Recommendation, RunRecord, Throughput, Trial } from './run.ts';
import { tunedAnswers } from './runResult.ts';
import type { TunedSetting, TuningAnswer } from './tuning.ts';

/** The recommendations that mark the trials of a run: of a tuning those of its answers, also where they are of two settings. */
export function shownRecommendations(run: Pick<RunRecord, 'result' | 'recommendations'>): readonly Recommendation[] {
  const answers = tunedAnswers(run);
  return answers.length === 0 ? run.recommendations : recommendationsOf(answers);
}

/** What of an answer marks a trial in charts and tables: the recommended one of each target. */
export function recommendationsOf(answers: readonly TuningAnswer[]): Recommendation[] {
  return answers.map((answer) => {
    const setting = answer.settingNames[0] ?? '';
    const { target, targetLabel, status, plausible, facts, why } = answer;
    const best = answer.best?.values[setting];
    return {
      target,
      targetLabel,
      setting,
      settingLabel: answer.settingLabels[setting] ?? setting,
      status,
      value: answer.values?.[setting] ?? null,
      plausible,
      best: answer.best && best !== undefined ? { value: best, throughput: answer.best.throughput } : null,
      facts,
      why,
      trialKey: recommendedSetting(answer)?.trialKey ?? null,
      evidence: answer.evidence,
      moreSeconds: answer.moreSeconds,
    };
  });
}

/** What an answer rests on, with the result of fresh processes. */
export function whyText({ why, confirmation }: Pick<Recommendation, 'why' | 'confirmation'>): string {
  return [reasonsText(why), confirmation === undefined ? '' : freshText(confirmation)].filter((text) => text !== '').join(' ');
}

/** The measured combination that an answer recommends. */
export function recommendedSetting(answer: TuningAnswer): TunedSetting | null {
  const { values, settings, settingNames } = answer;
  if (values === null) return null;
  return settings.find((setting) => settingNames.every((name) => setting.values[name] === values[name])) ?? null;
}

interface WithTrials {
  trials: readonly Trial[];
}

type Figure = Pick<Throughput, 'mean' | 'ciLow' | 'ciHigh'>;

/**
 * The throughput to show. Of a discarded trial that has none what its blocks had, without an interval: something else was measured, and whoever looks
 * wants to see it.
 */
export function seenThroughput(throughput: Figure, valid: boolean, blocks: Trial['blocks']): Figure {
  if (valid || throughput.mean > 0 || blocks.length === 0) return throughput;
  return { mean: blocks.reduce((sum, block) => sum + block.throughput, 0) / blocks.length, ciLow: null, ciHigh: null };
}

/** What was measured of a value. */
export function measuredThroughput({ throughput, valid, trialKey }: TunedSetting, { trials }: WithTrials): Figure {
  return seenThroughput(throughput, valid, blocksOf(trialKey, trials));
}

/** Why a value is discarded, or was not measured; every such value has a reason, and no other has one. */
export function reasonsOf({ reasons, valid, blocks, trialKey }: TunedSetting, { trials }: WithTrials): string[] {
  if (reasons.length > 0) return findingTexts(reasons);
  if (valid && blocks > 0) return [];
  const trial = trials.find(({ key }) => key === trialKey);
  if (trial !== undefined && trial.reasons.length > 0) return findingTexts(trial.reasons);
  const ofBlocks = [...new Set(findingTexts(blocksOf(trialKey, trials).flatMap((block) => (block.valid ? [] : block.reasons))))];
  if (ofBlocks.length > 0) return ofBlocks;
  return [
    valid
      ? 'Not one block of it was measured: there was no time left, or smaller values had decided it.'
      : 'It was discarded, and no reason was recorded.',
  ];
}

function blocksOf(trialKey: string, trials: readonly Trial[]): Trial['blocks'] {
  return trials.find(({ key }) => key === trialKey)?.blocks ?? [];
}

import { type Interference, isNoticeable, meanInterference, noticeablePercent } from '../domain/interference.ts';
import { durationPhrase, wholeNumber } from '../domain/format.ts';
import { allCoreLimits } from '../domain/diagnosisKind.ts';
import { isErroneous } from '../domain/requestErrors.ts';
import { present } from './present.ts';
import type { Block, Trial } from '../domain/run.ts';

/** A share of the CPU: 17.4 → "17 %"; what is more than nothing is never "0 %". */
export function interferencePercentPhrase(percent: number): string {
  return percent > 0 && percent < 1 ? '< 1 %' : `${Math.round(percent)} %`;
}

/** The lost share of the CPU as a phrase: for the chip on an answer, and for lists. */
export function interferencePhrase(takenPercent: number): string {
  return `interference: ${interferencePercentPhrase(takenPercent)} of the CPU`;
}

/** The lost share of the CPU as a clause that follows a figure; empty where it is not noticeable. */
export function whilePhrase(interference: Interference | null): string {
  return interference !== null && isNoticeable(interference)
    ? `while interference took ${interferencePercentPhrase(interference.takenPercent)} of the CPU`
    : '';
}

/** "11 % by other machines on the same host and 6 % by other programs"; without the figure where it was one of them alone. */
export function byWhomPhrase({ stealPercent, otherPercent }: Interference): string {
  if (stealPercent < 0.5 && otherPercent >= 0.5) return 'by other programs';
  if (otherPercent < 0.5 && stealPercent >= 0.5) return 'by other machines on the same host';
  if (stealPercent < 0.5) return '';
  return `${interferencePercentPhrase(stealPercent)} by other machines on the same host and ${interferencePercentPhrase(otherPercent)} by other programs`;
}

/** What a trial’s interference is judged by: where requests failed, it explains nothing. */
type Measured = Pick<Trial, 'interference' | 'noiseAdjusted' | 'valid' | 'blocks' | 'requests' | 'errors' | 'diagnosis'>;

/**
 * Requests/s on the machine left alone; null where that is not estimated. What waits for something else than the cores, or is one event loop, would not use
 * those that others had.
 */
export function noiseAdjustedOf(trial: Measured): number | null {
  const { noiseAdjusted, diagnosis } = trial;
  const fillsCores = diagnosis === null || allCoreLimits.has(diagnosis.kind);
  return noiseAdjusted === null || !fillsCores || isErroneous(trial) ? null : noiseAdjusted.throughput;
}

/** "about 9,100 req/s without interference, estimated from CPU per request"; empty where there is no estimate. */
export function noiseAdjustedPhrase(trial: Measured): string {
  const estimate = noiseAdjustedOf(trial);
  return estimate === null ? '' : `about ${estimateFigure(estimate)} req/s without interference, estimated from CPU per request`;
}

/** The lost share of the CPU, and the throughput on an idle machine as estimated from CPU per request; empty where it is not noticeable. */
export function conditionSentence(trial: Measured): string {
  if (isErroneous(trial)) return '';
  const meanwhile = whilePhrase(trial.interference);
  const estimate = noiseAdjustedPhrase(trial);
  if (meanwhile === '') return estimate === '' ? '' : `${estimate.charAt(0).toUpperCase()}${estimate.slice(1)}.`;
  return `Measured ${meanwhile}${estimate === '' ? '' : `; ${estimate}`}.`;
}

/** An estimate with the two digits that it deserves: 9,137 → "9,100". */
export function estimateFigure(value: number): string {
  if (value <= 0) return '0';
  const step = 10 ** Math.max(0, Math.floor(Math.log10(value)) - 1);
  return wholeNumber(Math.round(value / step) * step);
}

/** A block on the run's time axis. */
export interface BlockInterference {
  trial: Trial;
  block: Block;
}

/** All blocks of a run in the order in which they were measured, the discarded ones among them. */
export function blocksInTime(trials: readonly Trial[]): BlockInterference[] {
  return trials.flatMap((trial) => trial.blocks.map((block) => ({ trial, block }))).sort((a, b) => a.block.startMs - b.block.startMs);
}

/**
 * What a whole run lost to interference: the mean of its blocks that count; of its trials where no block is kept. Trials that are discarded because their
 * requests failed are left out: the interference does not explain them.
 */
export function runInterference(all: readonly Trial[]): Interference | null {
  const trials = all.filter((trial) => !isErroneous(trial));
  const blocks = trials.flatMap((trial) => trial.blocks.filter((block) => block.valid));
  return meanInterference(blocks) ?? meanInterference(trials.map(({ interference }) => ({ interference, windowMs: 1 })));
}

/** Whether a run has anything to show on a strip of its interference. */
export function hasInterference(trials: readonly Trial[]): boolean {
  return trials.some((trial) => !isErroneous(trial) && trial.blocks.some((block) => isNoticeable(block.interference)));
}

/**
 * What the strip of the interference shows, in sentences: the mean share that was lost and the programs that used it, when it was highest, how many blocks
 * were noticeably disturbed, and how many are discarded.
 */
export function interferenceSentence(trials: readonly Trial[]): string {
  const mean = runInterference(trials);
  if (mean === null) return 'How much of the CPU interference took is not known.';
  const known = blocksInTime(trials).flatMap(({ block }) =>
    block.interference === null ? [] : [{ ...block, interference: block.interference }],
  );
  const [most] = known.toSorted((one, other) => other.interference.takenPercent - one.interference.takenPercent);
  const noticed = known.filter((block) => isNoticeable(block.interference)).length;
  const discarded = trials.reduce((sum, trial) => sum + trial.blocks.filter((block) => !block.valid).length, 0);
  const by = byWhomPhrase(mean);
  return present(
    `On average interference took ${interferencePercentPhrase(mean.takenPercent)} of the CPU${by === '' || !isNoticeable(mean) ? '' : `, ${by}`}.`,
    most &&
      noticed > 0 &&
      `${noticed} of ${known.length} blocks lost ${noticeablePercent} % or more, the most ${interferencePercentPhrase(most.interference.takenPercent)} at ${durationPhrase(most.startMs).replace('.0 s', ' s')}.`,
    discarded > 0 && `${discarded === 1 ? '1 block was' : `${discarded} blocks were`} discarded.`,
  ).join(' ');
}

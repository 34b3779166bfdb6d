import type { Ratio } from '../../src/model/tuning.ts';

/** Within these ratios both sides count as the same; the same band as the engine's verdicts: with a δ of 5 %, 0.95 … 1/0.95. */
export function sameBand(delta: number): [low: number, high: number] {
  return [1 - delta, 1 / (1 - delta)];
}

/** No interval is drawn further than this: what reaches beyond ends in an arrow. */
const furthestRatio = 8;
const leastReach = Math.log(1.2);
const tickRatios = [1 / 8, 1 / 4, 0.5, 0.8, 0.9, 0.95, 1, 1.05, 1.1, 1.25, 2, 4, 8];
/** As a share of the width, where there is room for all of them. */
const leastTickDistance = 0.09;

/** A scale of ratios, symmetric about 1 in logarithms. */
export interface ForestScale {
  /** Share of the width, 0 … 1; clamped. */
  place: (ratio: number) => number;
  /** Whether a ratio lies outside. */
  beyond: (ratio: number) => boolean;
  /** A minor tick may be left out where there is little room. */
  ticks: { ratio: number; share: number; text: string; minor: boolean }[];
}

/** A scale that holds all these ratios with their intervals. */
export function forestScale(ratios: readonly Ratio[]): ForestScale {
  const ends = ratios.flatMap(({ mean, ciLow, ciHigh }) => [mean, ciLow ?? mean, ciHigh ?? mean]).filter((ratio) => ratio > 0);
  const reach = Math.min(Math.log(furthestRatio), Math.max(leastReach, ...ends.map((ratio) => Math.abs(Math.log(ratio)) * 1.08)));
  const share = (ratio: number): number => 0.5 + Math.log(ratio) / (2 * reach);
  const place = (ratio: number): number => Math.min(1, Math.max(0, share(Math.max(ratio, 1e-9))));
  const candidates = tickRatios.filter((ratio) => Math.abs(Math.log(ratio)) <= reach);
  const kept: number[] = [1];
  for (const ratio of [...candidates].sort((a, b) => Math.abs(Math.log(b)) - Math.abs(Math.log(a))))
    if (kept.every((other) => Math.abs(share(other) - share(ratio)) >= leastTickDistance)) kept.push(ratio);
  return {
    place,
    beyond: (ratio) => share(Math.max(ratio, 1e-9)) < 0 || share(ratio) > 1,
    ticks: kept
      .map((ratio, index) => ({ ratio, share: share(ratio), text: tickText(ratio), minor: index > 2 }))
      .sort((a, b) => a.ratio - b.ratio),
  };
}

function tickText(ratio: number): string {
  if (ratio === 1) return 'same';
  if (ratio >= 2) return ratio === 2 ? 'twice' : `${ratio} times`;
  if (ratio <= 0.5) return ratio === 0.5 ? 'half' : ratio === 0.25 ? 'a quarter' : 'an eighth';
  const percent = Math.round((ratio - 1) * 100);
  return percent < 0 ? `${-percent} % less` : `${percent} % more`;
}

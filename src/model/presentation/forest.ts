import { changePhrase } from '../domain/format.ts';
import type { Ratio, Verdict } from '../domain/tuning.ts';

/** A line of a forest: what the second side is to the first, with its interval; `null`: nothing is known of it. */
export interface ForestLine {
  name: string;
  ratio: Ratio | null;
  verdict: Verdict | null;
}

/** Within these ratios both sides count as the same; the same band as the engine's verdicts: with a δ of 5 %, 0.95 … 1/0.95. */
export function sameBand(delta: number): [low: number, high: number] {
  return [1 - delta, 1 / (1 - delta)];
}

/** The largest ratio that is drawn: an interval that reaches beyond it ends in an arrow. */
const furthestRatio = 8;
const leastReach = Math.log(1.2);
const tickRatios = [1 / 8, 1 / 4, 0.5, 0.8, 0.9, 0.95, 1, 1.05, 1.1, 1.25, 2, 4, 8];
/** As a share of the width, where there is room for all of them. */
const leastTickDistance = 0.09;

/** A scale of ratios, symmetric about 1 in logarithms. */
export interface ForestScale {
  /** Share of the width, 0 … 1; clamped. */
  place: (ratio: number) => number;
  /** Whether a ratio is outside. */
  beyond: (ratio: number) => boolean;
  /** A minor tick may be left out where there is little room. */
  ticks: { ratio: number; share: number; text: string; minor: boolean }[];
}

/** A scale that holds all these ratios with their intervals, up to `furthest`. */
export function forestScale(ratios: readonly Ratio[], furthest = furthestRatio, least = leastReach): ForestScale {
  const ends = ratios.flatMap(({ mean, ciLow, ciHigh }) => [mean, ciLow ?? mean, ciHigh ?? mean]).filter((ratio) => ratio > 0);
  const reach = Math.min(Math.log(furthest), Math.max(least, ...ends.map((ratio) => Math.abs(Math.log(ratio)) * 1.08)));
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

/** From half to twice, whatever the figures: lines of one document can be compared with those of another. */
export const fixedScale = forestScale([], 2, Math.log(2));

/** The lines of which something is known. */
export function knownLines(lines: readonly ForestLine[]): (ForestLine & { ratio: Ratio })[] {
  return lines.flatMap((line) => (line.ratio === null ? [] : [{ ...line, ratio: line.ratio }]));
}

/** Characters of the axis. */
const cells = 41;
const middle = (cells - 1) / 2;
const [half, twice] = ['half', 'twice'];

/** A forest as text: a line for each figure with its change and its interval around “no change”. Counts have none; what reaches beyond ends in an arrow. */
export function forestText(lines: readonly ForestLine[], delta: number): string[] {
  const shown = knownLines(lines);
  if (shown.length === 0) return [];
  const longest = Math.max(...shown.map(({ name }) => name.length));
  const axis = `${' '.repeat(longest)}  ${half}${'same'.padStart(middle - half.length + 2).padEnd(cells - half.length - twice.length)}${twice}`;
  return [axis, ...shown.map(({ name, ratio }) => `${name.padEnd(longest)}  ${axisOf(ratio, delta)}  ${changePhrase(ratio.mean)}`)];
}

function axisOf({ mean, ciLow, ciHigh }: Ratio, delta: number): string {
  const at = (ratio: number): number => Math.round(fixedScale.place(ratio) * (cells - 1));
  const [low, high] = sameBand(delta).map(at);
  const line = Array.from({ length: cells }, (_, cell): string =>
    cell === middle ? '│' : cell >= (low ?? 0) && cell <= (high ?? 0) ? '┊' : '·',
  );
  if (ciLow !== null && ciHigh !== null) for (let cell = at(ciLow); cell <= at(ciHigh); cell += 1) line[cell] = '━';
  line[at(mean)] = !fixedScale.beyond(mean) ? '◆' : mean > 1 ? '▶' : '◀';
  return line.join('');
}

function tickText(ratio: number): string {
  if (ratio === 1) return 'same';
  if (ratio >= 2) return ratio === 2 ? 'twice' : `${ratio} times`;
  if (ratio <= 0.5) return ratio === 0.5 ? 'half' : ratio === 0.25 ? 'a quarter' : 'an eighth';
  const percent = Math.round((ratio - 1) * 100);
  return percent < 0 ? `${-percent} % less` : `${percent} % more`;
}

import type { LiveControl } from '../../src/model/protocol/live.ts';

/** Steps of the slider's track; fine enough that neither end nor middle feels coarse. */
export const sliderSteps = 4000;
/** From this ratio of the ends on, equal ways on the track are equal factors. */
const wideRange = 16;

type Range = Pick<LiveControl, 'min' | 'max'>;

/** The position of a value on the track, 0 … {@link sliderSteps}: by its logarithm where the range is wide. */
export function sliderPosition(range: Range, value: number): number {
  const { min, max } = range;
  if (max <= min) return 0;
  const at = clampValue(range, value);
  const share = isWide(range) ? Math.log(at / min) / Math.log(max / min) : (at - min) / (max - min);
  return Math.round(share * sliderSteps);
}

/** The whole number at a place on the track. */
export function sliderValue(range: Range, position: number): number {
  const { min, max } = range;
  const share = Math.min(1, Math.max(0, position / sliderSteps));
  return clampValue(range, isWide(range) ? min * (max / min) ** share : min + share * (max - min));
}

/** What a key does to a value: one up or down, twice or half of it, an end of the range; `null` for other keys. */
export function keyedValue(range: Range, value: number, key: string): number | null {
  const next: Record<string, number> = {
    ArrowRight: value + 1,
    ArrowUp: value + 1,
    ArrowLeft: value - 1,
    ArrowDown: value - 1,
    PageUp: value * 2,
    PageDown: value / 2,
    Home: range.min,
    End: range.max,
  };
  const found = next[key];
  return found === undefined ? null : clampValue(range, found);
}

/** The nearest whole number in the range. */
export function clampValue(range: Range, value: number): number {
  return Math.min(range.max, Math.max(range.min, Math.round(value)));
}

function isWide({ min, max }: Range): boolean {
  return min > 0 && max / min >= wideRange;
}

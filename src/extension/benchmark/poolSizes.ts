import { misread, type Parsed } from '../../model/domain/parsed.ts';
import { parseNumbers } from '../../model/presentation/valueList.ts';

/** Smallest and largest size that every chosen target takes. */
export interface SizeRange {
  min: number;
  max: number;
}

/** Reads the pool sizes of a benchmark as typed: at least one, and such that every chosen target takes it. */
export function parseSizes(text: string, range: SizeRange): Parsed<number[]> {
  if (range.min > range.max) return misread('The chosen targets have no pool size in common. Go back and choose fewer.');
  const parsed = parseNumbers(text, range);
  return parsed.ok && parsed.value.length === 0 ? misread('Type at least one size, such as 2, 4, 8.') : parsed;
}

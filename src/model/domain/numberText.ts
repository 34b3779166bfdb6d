import { type Parsed, misread, understood } from './parsed.ts';

export interface NumberRange {
  min: number;
  max: number;
  /** No decimal point. */
  whole: boolean;
}

/** Reads one number, with a decimal point where it need not be whole. */
export function parseNumber(text: string, { min, max, whole }: NumberRange): Parsed<number> {
  const trimmed = text.trim();
  const value = Number(trimmed);
  const shaped = whole ? /^\d+$/.test(trimmed) : /^(?:\d+(?:\.\d+)?|\.\d+)$/.test(trimmed);
  return shaped && value >= min && value <= max
    ? understood(value)
    : misread(`A ${whole ? 'whole number' : 'number'} between ${min} and ${max}.`);
}

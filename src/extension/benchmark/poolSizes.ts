/** Smallest and largest size that every chosen target takes. */
export interface SizeRange {
  min: number;
  max: number;
}

export type ParsedSizes = { ok: true; values: number[] } | { ok: false; problem: string };

/** More sizes than this make a run longer than anybody waits for. */
const mostSizes = 32;

/**
 * Reads sizes as a person types them: `2, 4, 8`, or `2..64` for the powers of two from 2 to 64, or a mix of both; as the panel's form does.
 * The result is sorted and has no value twice; a problem is one sentence.
 */
export function parseSizes(text: string, range: SizeRange): ParsedSizes {
  if (range.min > range.max) return problem('The chosen targets have no pool size in common. Go back and choose fewer.');
  const parts = text
    .replace(/\s*(\.\.|…)\s*/g, '..')
    .split(/[\s,;]+/)
    .filter((part) => part !== '');
  if (parts.length === 0) return problem('Type at least one size, such as 2, 4, 8.');
  const values = new Set<number>();
  for (const part of parts) {
    const span = /^(\d+)\.\.(\d+)$/.exec(part);
    if (span === null && !/^\d+$/.test(part))
      return problem(`“${part}” is not a size. Type numbers such as 2, 4, 8, or a span such as 2..64.`);
    const from = Number(span?.[1] ?? part);
    const to = Number(span?.[2] ?? part);
    for (const value of [from, to]) {
      if (value < range.min || value > range.max) return problem(`${value} is outside ${range.min} to ${range.max}.`);
    }
    if (from > to) return problem(`In “${part}” the first number is above the second.`);
    const sizes = span === null ? [from] : powersOfTwo(from, to);
    if (sizes.length === 0) return problem(`There is no power of two in “${part}”. Type the sizes themselves.`);
    for (const value of sizes) values.add(value);
  }
  if (values.size > mostSizes) return problem(`${values.size} sizes are too many for one run; at most ${mostSizes}.`);
  return { ok: true, values: [...values].sort((a, b) => a - b) };
}

function problem(text: string): ParsedSizes {
  return { ok: false, problem: text };
}

function powersOfTwo(from: number, to: number): number[] {
  const values = [];
  for (let value = 1; value <= to; value *= 2) if (value >= from) values.push(value);
  return values;
}

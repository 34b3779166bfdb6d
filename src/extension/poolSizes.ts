/** Smallest and largest size that every chosen target takes. */
export interface SizeRange {
  min: number;
  max: number;
}

export type ParsedSizes = { ok: true; values: number[] } | { ok: false; problem: string };

const mostSizes = 16;

/**
 * Reads sizes as a person types them: `2, 4, 8`, or `2..64` for doublings from 2 up to and including 64.
 * The result is sorted and has no value twice; a problem is one sentence.
 */
export function parseSizes(text: string, range: SizeRange): ParsedSizes {
  const parts = text.split(/[\s,;]+(?!\.)/).filter((part) => part !== '');
  if (parts.length === 0) return problem('Type at least one size, such as 2, 4, 8.');
  const values = new Set<number>();
  for (const part of parts) {
    const span = /^(\d+)\.\.(\d+)$/.exec(part);
    if (span === null && !/^\d+$/.test(part)) return problem(`“${part}” is not a size. Type numbers such as 2, 4, 8, or a span such as 2..64.`);
    const from = Number(span?.[1] ?? part);
    const to = Number(span?.[2] ?? part);
    for (const value of [from, to]) {
      if (value < range.min || value > range.max) return problem(`${value} is outside ${range.min} to ${range.max}.`);
    }
    if (from > to) return problem(`In “${part}” the first number is above the second.`);
    for (const value of doublings(from, to)) values.add(value);
  }
  if (values.size > mostSizes) return problem(`${values.size} sizes are too many for one run; at most ${mostSizes}.`);
  return { ok: true, values: [...values].sort((a, b) => a - b) };
}

function problem(text: string): ParsedSizes {
  return { ok: false, problem: text };
}

function doublings(from: number, to: number): number[] {
  if (from === 0) return to === 0 ? [0] : [0, ...doublings(1, to)];
  const values = [];
  for (let value = from; value < to; value *= 2) values.push(value);
  return [...values, to];
}

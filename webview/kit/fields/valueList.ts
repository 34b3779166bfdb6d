/** The outcome of reading a text field: values, or one sentence that says what the field wants. */
export type Parsed<T> = { ok: true; values: T[] } | { ok: false; problem: string };

/** More values than this make a run longer than anybody waits for. */
export const maxValuesPerSetting = 32;

const rangePattern = /^(\d+)(?:\.\.|…)(\d+)$/;
const numberPattern = /^\d+$/;

/** The powers of two from `low` to `high`, both included. */
export function powersOfTwoBetween(low: number, high: number): number[] {
  const powers: number[] = [];
  for (let power = 1; power <= high; power *= 2) if (power >= low) powers.push(power);
  return powers;
}

/**
 * Reads "2, 4, 8" or "2..64" (the powers of two between), or a mix of both. The values come back sorted and each once.
 * An empty text gives no values: the default of each target is used.
 */
export function parseNumberList(text: string, range: { min: number; max: number }): Parsed<number> {
  const problem = `Whole numbers between ${range.min} and ${range.max}, separated by commas, such as 2, 4, 8 or 2..64.`;
  const found = new Set<number>();
  for (const part of partsOf(text)) {
    const span = rangePattern.exec(part);
    const numbers = span ? powersOfTwoBetween(Number(span[1]), Number(span[2])) : numberPattern.test(part) ? [Number(part)] : [];
    if (numbers.length === 0 || numbers.some((value) => value < range.min || value > range.max)) return { ok: false, problem };
    for (const value of numbers) found.add(value);
  }
  if (found.size > maxValuesPerSetting) return { ok: false, problem: `At most ${maxValuesPerSetting} values; these are ${found.size}.` };
  return { ok: true, values: [...found].sort((a, b) => a - b) };
}

/** Reads one or more of the given words, separated by commas; case does not matter. */
export function parseChoiceList(text: string, choices: readonly string[]): Parsed<string> {
  const found = new Set<string>();
  for (const part of partsOf(text)) {
    const choice = choices.find((candidate) => candidate.toLowerCase() === part.toLowerCase());
    if (choice === undefined) return { ok: false, problem: `One or more of ${choices.join(', ')}, separated by commas.` };
    found.add(choice);
  }
  return { ok: true, values: [...found] };
}

/** Reads one number, whole or (with `whole: false`) with a decimal point. `null` when the field is empty. */
export function parseOneNumber(
  text: string,
  range: { min: number; max: number; whole: boolean; what: string },
): { ok: true; value: number | null } | { ok: false; problem: string } {
  const trimmed = text.trim();
  if (trimmed === '') return { ok: true, value: null };
  const value = Number(trimmed);
  const shaped = range.whole ? numberPattern.test(trimmed) : /^\d+(?:\.\d+)?$/.test(trimmed);
  if (!shaped || value < range.min || value > range.max) {
    return { ok: false, problem: `${range.what} between ${range.min} and ${range.max}.` };
  }
  return { ok: true, value };
}

const unitSeconds: Readonly<Record<string, number>> = {
  '': 1,
  s: 1,
  sec: 1,
  second: 1,
  seconds: 1,
  m: 60,
  min: 60,
  minute: 60,
  minutes: 60,
  h: 3600,
  hour: 3600,
  hours: 3600,
};

/** Reads a span of time in seconds: "90", "90 s", "2 min", "1 min 30 s". `null` when the field is empty. */
export function parseDurationS(
  text: string,
  range: { min: number; max: number },
): { ok: true; value: number | null } | { ok: false; problem: string } {
  const words = text.trim().toLowerCase();
  if (words === '') return { ok: true, value: null };
  const problem = `a time such as 90 s or 2 min, at least ${range.min} s.`;
  const part = /(\d+(?:\.\d+)?)\s*([a-z]*)/g;
  if (words.replace(part, '').trim() !== '') return { ok: false, problem };
  let seconds = 0;
  for (const [, number = '', unit = ''] of words.matchAll(part)) {
    const factor = unitSeconds[unit];
    if (factor === undefined) return { ok: false, problem };
    seconds += Number(number) * factor;
  }
  return seconds >= range.min && seconds <= range.max ? { ok: true, value: seconds } : { ok: false, problem };
}

function partsOf(text: string): string[] {
  return text
    .replace(/\s*(\.\.|…)\s*/g, '$1')
    .split(/[,;\s]+/)
    .filter((part) => part !== '');
}

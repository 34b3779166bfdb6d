import { type Parsed, misread, understood } from './parsed.ts';

/** Units of a time as typed, from the longest: what each is called, how many seconds it has. */
const units: readonly { names: RegExp; short: string; seconds: number }[] = [
  { names: /^(?:h|hrs?|hours?)$/, short: 'h', seconds: 3600 },
  { names: /^(?:m|mins?|minutes?)$/, short: 'min', seconds: 60 },
  { names: /^(?:s|secs?|seconds?)$/, short: 's', seconds: 1 },
];

/**
 * Reads a span of time, in seconds: `90`, `90s`, `2 min`, `1 min 30 s`, `1h30m`, `1.5 h`. A number without a unit means seconds, and must be alone: after
 * “1 h” the 30 could be minutes or seconds. Longer units come first, each once.
 *
 * @param range - In seconds.
 */
export function parseDuration(text: string, range: { min: number; max: number }): Parsed<number> {
  const wanted = misread(`A time such as 90 s or 2 min is needed, from ${durationText(range.min)} to ${durationText(range.max)}.`);
  const words = text.trim().toLowerCase();
  const part = /(\d+(?:\.\d+)?)\s*([a-z]*)\s*/y;
  let seconds = 0;
  let next = 0;
  while (part.lastIndex < words.length) {
    const start = part.lastIndex;
    const found = part.exec(words);
    if (found === null) return wanted;
    const [, number = '', name = ''] = found;
    const alone = name === '' && start === 0 && part.lastIndex === words.length;
    const unit = alone ? units.length - 1 : units.findIndex(({ names }) => names.test(name));
    if (unit < next) return wanted;
    seconds += Number(number) * (units[unit]?.seconds ?? 1);
    next = unit + 1;
  }
  return words !== '' && seconds >= range.min && seconds <= range.max ? understood(seconds) : wanted;
}

/** Seconds as a person types them, and as {@link parseDuration} reads them again, to the millisecond: "2 min", "1 min 30 s", "90.5 s". */
export function durationText(seconds: number): string {
  const whole = Math.floor(seconds);
  if (seconds < 60 || whole !== seconds) return `${Number(seconds.toFixed(3))} s`;
  const counts = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60), whole % 60];
  return units.flatMap(({ short }, index) => (counts[index] ? [`${counts[index]} ${short}`] : [])).join(' ');
}

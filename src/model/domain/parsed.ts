/** The outcome of reading what a person typed: a value, or one sentence that says what is wrong or wanted. */
export type Parsed<T> = { ok: true; value: T } | { ok: false; problem: string };

export function understood<T>(value: T): Parsed<T> {
  return { ok: true, value };
}

/** Why it cannot be read; the caller puts the name of the field or option before it. */
export function misread(problem: string): Parsed<never> {
  return { ok: false, problem };
}

/** What is wrong with what was read; undefined where nothing is. */
export function faultIn(parsed: Parsed<unknown>): string | undefined {
  return parsed.ok ? undefined : parsed.problem;
}

/** What an optional field holds: nothing, or what `read` makes of it. */
export function optional<T>(text: string, read: (text: string) => Parsed<T>): Parsed<T | null> {
  return text.trim() === '' ? understood(null) : read(text);
}

/** A problem with the name of its field or option: "Rounds: a whole number between 1 and 100." */
export function about(name: string, problem: string): string {
  return `${name}: ${problem.charAt(0).toLowerCase()}${problem.slice(1)}`;
}

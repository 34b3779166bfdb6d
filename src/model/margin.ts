/** δ where none was asked for: what may be given up for a smaller setting, and within which two figures count as the same; a share. */
export const defaultDelta = 0.05;

/** What a record carries of δ: a tuning that of its request, whichever version of Benchside wrote it. */
interface WithDelta {
  delta: number;
  tuning: { request: { delta: number } } | null;
}

/** δ of a run, as a share. */
export function deltaOf({ delta, tuning }: WithDelta): number {
  return tuning?.request.delta ?? delta;
}

/** δ as it stands in a sentence: 0.05 → "5 %", 0.025 → "2.5 %". */
export function deltaPhrase(delta: number): string {
  return `${Number((delta * 100).toPrecision(3))} %`;
}

/** Either way: "±5 %". */
export function withinPhrase(delta: number): string {
  return `±${deltaPhrase(delta)}`;
}

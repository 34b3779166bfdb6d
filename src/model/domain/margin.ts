/** δ where none was asked for: what may be given up for a smaller setting, and within which two figures count as the same; a share. */
export const defaultDelta = 0.05;

/** δ as written in a sentence: 0.05 → "5 %", 0.025 → "2.5 %". */
export function deltaPhrase(delta: number): string {
  return `${Number((delta * 100).toPrecision(3))} %`;
}

/** Either way: "±5 %". */
export function withinPhrase(delta: number): string {
  return `±${deltaPhrase(delta)}`;
}

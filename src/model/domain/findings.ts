import { type Finding, type FindingCode, type Kind, type Subject, findingKinds } from './findingKinds.ts';

function kindOf({ code }: { code: FindingCode }): Kind<Record<never, never>> {
  return findingKinds[code] as Kind<Record<never, never>>;
}

/** What was seen, without what can be done about it. */
export function findingSeen(finding: Finding): string {
  return kindOf(finding).says(finding);
}

/** A finding as sentences: what was seen, the limit where there is one, and what to do. */
export function findingText(finding: Finding): string {
  const { says, cure } = kindOf(finding);
  const { about, log } = finding;
  return [
    `${about === undefined ? '' : `${about}: `}${says(finding)}`,
    ...(cure === undefined ? [] : [typeof cure === 'string' ? cure : cure(finding)]),
    ...(finding.code === 'blocks-left-out' ? finding.why.map(findingText) : []),
    ...(log === undefined ? [] : [`Its log is ${log.file} in the run’s folder.`]),
    ...(log === undefined || log.lastLine === '' ? [] : [`The last line that it printed is “${log.lastLine}”.`]),
  ].join(' ');
}

export function findingTexts(findings: readonly Finding[]): string[] {
  return findings.map(findingText);
}

/** Whether it makes a block, or the whole trial, count for nothing. */
export function discards(finding: Finding): boolean {
  return kindOf(finding).discards !== 'nothing';
}

export function isOf(finding: Finding, ...subjects: readonly Subject[]): boolean {
  return subjects.includes(kindOf(finding).subject);
}

/** Whether its words hold this line of a log. */
export function quotesLine({ log, ...finding }: Finding, line: string): boolean {
  return log?.lastLine === line || (finding.code === 'ended-in-round' && finding.lastLine === line);
}

/** A finding by what it says, whatever it is about. */
function saidBy(finding: Finding, figures: boolean): string {
  return JSON.stringify({ ...finding, about: undefined, log: undefined }, (_, value: unknown) =>
    typeof value === 'number' && !figures ? 0 : value,
  );
}

/** Each finding once; of those that differ in their figures only, the first. */
export function withoutRepetition<F extends Finding>(findings: readonly F[]): F[] {
  const seen = new Map<string, F>();
  for (const finding of findings) {
    const said = saidBy(finding, false);
    if (!seen.has(said)) seen.set(said, finding);
  }
  return [...seen.values()];
}

/** Whether two findings say the same, with the same figures. */
export function isSame(one: Finding, other: Finding): boolean {
  return saidBy(one, true) === saidBy(other, true);
}

import { isObject } from '../../model/domain/isObject.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** The steps of records that held sentences, by the version that they start from. */
export const ofSentences = { 1: sentencesToFindings, 2: notesToCodes };

/** A record of version 1, whose reasons and notes were sentences: each is kept as one of a finding. Nothing follows from what it says. */
function sentencesToFindings(record: Fields): Record<string, unknown> {
  const trials = listed(record['trials']);
  const ofTrials = trials.flatMap((trial) => strings(trial['reasons']));
  return {
    ...record,
    reasons: strings(record['reasons']).map((sentence) => ofRun(sentence, ofTrials)),
    ...('recommendations' in record ? { recommendations: listed(record['recommendations']).map(withEvidence) } : {}),
    ...('trials' in record ? { trials: trials.map(ofTrial) } : {}),
    ...changed(record, 'tuning', (tuning) => ({
      ...tuning,
      answers: listed(tuning['answers']).map((answer) => ({
        ...withEvidence(answer),
        settings: listed(answer['settings']).map(withReasons),
      })),
    })),
    ...changed(record, 'study', (experiment) => ({ ...experiment, points: listed(experiment['points']).map(withReasons) })),
  };
}

/**
 * A record of version 2, in which notes of the run, rules of validity, evidence, and the sentences on how values were activated and confirmed were still
 * sentences.
 */
function notesToCodes(record: Fields): Record<string, unknown> {
  const answers = isObject(record['tuning']) ? listed(record['tuning']['answers']) : [];
  return {
    ...record,
    notes: strings(record['notes']).map(
      (sentence) => answers.flatMap((answer) => modeNote(answer, sentence) ?? [])[0] ?? recorded(sentence),
    ),
    ...changed(record, 'plan', withModeReasons),
    ...('recommendations' in record ? { recommendations: listed(record['recommendations']).map(withCodes) } : {}),
    ...changed(record, 'tuning', (tuning) => ({
      ...tuning,
      probeCost: recordedOrNull(tuning['probeCost']),
      answers: answers.map((answer) => ({
        ...withModeReasons(withCodes(answer)),
        confirmation: recordedOrNull(answer['confirmation']),
        gates: listed(answer['gates']).map(({ id, ...gate }) => ({ ...gate, code: 'recorded', was: id })),
      })),
    })),
  };
}

/** A note that says of a target how its values were set, as its answer does. */
function modeNote({ targetLabel, modeReason }: Fields, sentence: string): Fields | null {
  if (typeof targetLabel !== 'string' || typeof modeReason !== 'string' || sentence !== `${targetLabel}: ${modeReason}`) return null;
  return { code: 'mode', about: targetLabel, why: [recorded(modeReason)] };
}

function withModeReasons({ modeReason, ...fields }: Fields): Fields {
  return { ...fields, modeReasons: typeof modeReason !== 'string' || modeReason === '' ? [] : [recorded(modeReason)] };
}

/** Evidence of which nothing is known but its sentences. */
function withCodes(answer: Fields): Fields {
  if (!Array.isArray(answer['witnesses'])) return answer;
  return { ...answer, witnesses: listed(answer['witnesses']).map((item) => ({ ...item, code: 'recorded' })) };
}

function recordedOrNull(sentence: unknown): Fields | null {
  return typeof sentence === 'string' ? recorded(sentence) : null;
}

function ofTrial(trial: Fields): Fields {
  const reasons = strings(trial['reasons']);
  return {
    ...withReasons(trial),
    notes: strings(trial['notes']).map(recorded),
    blocks: listed(trial['blocks']).map(withReasons),
    // The findings of its headline were recognised by its words then.
    ...changed(trial, 'diagnosis', (diagnosis) => ({
      ...diagnosis,
      ...(diagnosis['kind'] === 'invalid'
        ? { tells: reasons.filter((sentence) => isToldIn(diagnosis['headline'], sentence)).map(recorded) }
        : {}),
    })),
  };
}

/** The name of a piece of evidence preceded its sentence. */
function withEvidence(answer: Fields): Fields {
  if (!Array.isArray(answer['witnesses'])) return answer;
  const bare = (one: Fields): Fields =>
    typeof one['sentence'] === 'string' ? { ...one, sentence: one['sentence'].replace(/^(?:Figures|Mechanism): /, '') } : one;
  return { ...answer, witnesses: listed(answer['witnesses']).map(bare) };
}

function withReasons(fields: Fields): Fields {
  return { ...fields, reasons: strings(fields['reasons']).map(recorded) };
}

/** A sentence as one of a code; anything else as an empty one. */
export function recorded(sentence: unknown): Fields {
  return { code: 'recorded', sentence: typeof sentence === 'string' ? sentence : '' };
}

/** Those of a trial were among the run’s, preceded by the trial’s name. */
function ofRun(sentence: string, ofTrials: readonly string[]): Fields {
  const own = ofTrials.find((one) => sentence.endsWith(`: ${one}`));
  return own === undefined ? recorded(sentence) : { ...recorded(own), about: sentence.slice(0, -own.length - 2) };
}

function isToldIn(headline: unknown, sentence: string): boolean {
  return typeof headline === 'string' && headline.toLowerCase().includes(sentence.toLowerCase().replace(/\.$/, ''));
}

export function changed(fields: Fields, name: string, change: (value: Fields) => Fields): Fields {
  const value = fields[name];
  return isObject(value) ? { [name]: change(value) } : {};
}

export function each(fields: Fields, name: string, change: (one: Fields) => Fields): Fields {
  const value = fields[name];
  return Array.isArray(value) ? { [name]: value.map((one: unknown) => (isObject(one) ? change(one) : one)) } : {};
}

export function listed(value: unknown): Fields[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

export function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}

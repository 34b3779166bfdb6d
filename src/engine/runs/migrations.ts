import { type Fields, changed, each, listed, ofSentences, recorded, strings } from './sentencesToFindings.ts';
import { isObject } from '../../model/domain/isObject.ts';
import { runSchemaVersion } from '../../model/domain/run.ts';

/** Takes the parsed `run.json` of one version to the next. Pure: it neither reads files nor looks at the clock. */
export type Migration = (record: Readonly<Record<string, unknown>>) => Record<string, unknown>;

/**
 * By the version they start from. A change of the record's shape raises `runSchemaVersion`, adds the step here, and leaves examples of
 * the old version in `test/fixtures/runs/v<n>/`, which the tests read with the current code.
 */
export const migrations: Readonly<Record<number, Migration>> = {
  ...ofSentences,
  3: oneResult,
  4: commonTerms,
  5: answersToCodes,
  6: (record) => diffsToFacts(verdictsToCodes(record)),
};

/**
 * Brings an older record to the current version, step by step.
 *
 * @throws Error when a step is missing.
 */
export function migrate(
  record: Readonly<Record<string, unknown>>,
  fromVersion: number,
  steps: Readonly<Record<number, Migration>> = migrations,
  toVersion: number = runSchemaVersion,
): Readonly<Record<string, unknown>> {
  let current = record;
  for (let version = fromVersion; version < toVersion; version += 1) {
    const step = steps[version];
    if (step === undefined) throw new Error(`records of version ${version} cannot be read any more`);
    current = { ...step(current), schemaVersion: version + 1 };
  }
  return current;
}

/** A record of version 3, which had a field for what each kind of measurement found, and δ and the objective of a tuning in its own request alone. */
function oneResult({ tuning, study, versions, ...record }: Fields): Record<string, unknown> {
  const asked = isObject(tuning) && isObject(tuning['request']) ? tuning['request'] : {};
  const slo = asked['slo'];
  return {
    ...record,
    ...('delta' in asked ? { delta: asked['delta'] } : {}),
    ...(slo !== undefined && isObject(record['request']) ? { request: { ...record['request'], slo } } : {}),
    result: isObject(versions)
      ? { ...versions, kind: 'diff' }
      : isObject(study)
        ? { ...study, kind: 'study' }
        : isObject(tuning)
          ? { ...tuning, kind: 'tune' }
          : { kind: isLive(record) ? 'live' : 'run' },
  };
}

/** A session in which settings were moved by hand: none of its trials counts. */
function isLive({ plan, trials }: Fields): boolean {
  return isObject(plan) && plan['mode'] === 'live' && listed(trials).every(({ valid }) => valid === false);
}

const measured = { disturbance: 'interference', undisturbed: 'noiseAdjusted' };
const answered = { witnesses: 'evidence' };
const compared = { arm: 'variant', arms: 'variants' };
const codes: Readonly<Record<string, string>> = {
  'arm-left-out': 'variant-left-out',
  'arms-at-once': 'variants-at-once',
  'arms-in-turn': 'variants-in-turn',
  'arms-unrecorded': 'variants-unrecorded',
  'arms-unsteady': 'variants-unsteady',
};

/** A record of version 4, which had other names for interference, evidence, and the variants of a published experiment. */
function commonTerms(record: Fields): Record<string, unknown> {
  return {
    ...record,
    ...each(record, 'notes', inCommonTerms),
    ...each(record, 'recommendations', (answer) => renamed(answer, answered)),
    ...each(record, 'trials', (trial) => ({ ...renamed(trial, measured), ...each(trial, 'blocks', (block) => renamed(block, measured)) })),
    ...changed(record, 'plan', (plan) => ({ ...plan, ...each(plan, 'modeReasons', inCommonTerms) })),
    ...changed(record, 'result', (result) =>
      result['kind'] === 'study' ? experimentOf(result) : { ...result, ...each(result, 'answers', (answer) => renamed(answer, answered)) },
    ),
  };
}

function experimentOf({ study, ...result }: Fields): Fields {
  const experiment = isObject(study) ? { ...renamed(study, compared), ...each(study, 'shape', (rule) => renamed(rule, compared)) } : study;
  const lists = ['points', 'series', 'ladders'].map((name) => each(result, name, (one) => renamed(one, compared)));
  return Object.assign({}, result, ...lists, { kind: 'experiment', experiment }) as Fields;
}

function inCommonTerms(finding: Fields): Fields {
  const { code } = finding;
  return typeof code === 'string' && code in codes ? { ...finding, code: codes[code] } : finding;
}

function renamed(fields: Fields, names: Readonly<Record<string, string>>): Fields {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [names[name] ?? name, value]));
}

/** A record of version 5, whose answers were sentences: each is kept as one of a code. The facts of a headline, where it had them, are kept as they are. */
function answersToCodes(record: Fields): Record<string, unknown> {
  return {
    ...record,
    recommendations: listed(record['recommendations']).map(answerInCodes),
    ...changed(record, 'result', (result) =>
      'answers' in result ? { ...result, answers: listed(result['answers']).map(answerInCodes) } : result,
    ),
  };
}

function answerInCodes({ headline, why, whyLine, facts, ...answer }: Fields): Fields {
  const { settingNames } = answer;
  // Those of several settings named all of them, also those of which one value was measured: their sentence did not.
  const isOfOne = !Array.isArray(settingNames) || settingNames.length === 1;
  return {
    ...answer,
    facts: facts !== undefined && isOfOne ? facts : recorded(headline),
    why: [why, whyLine].filter((text) => typeof text === 'string' && text !== '').map(recorded),
  };
}

/** A record of version 6, whose verdicts were sentences of other names; a sentence in place of a code is read as it is. */
function verdictsToCodes(record: Fields): Record<string, unknown> {
  return {
    ...record,
    ...each(record, 'trials', (trial) => ({ ...trial, ...changed(trial, 'diagnosis', diagnosisInCodes) })),
    ...changed(record, 'result', (result) => ({
      ...result,
      ...each(result, 'points', (point) => renamed(point, { limitSentence: 'limitSaid' })),
      ...each(result, 'ladders', (ladder) => ({ ...ladder, ...changed(ladder, 'sign', (sign) => renamed(sign, { sentence: 'said' })) })),
    })),
  };
}

function diagnosisInCodes({ headline, explanation, ...diagnosis }: Fields): Fields {
  return { ...diagnosis, said: headline, why: explanation === '' ? [] : [explanation] };
}

/** A record in which a comparison of two versions held its sentences: they are kept as they were written. */
export function diffsToFacts(record: Fields): Record<string, unknown> {
  return { ...record, ...changed(record, 'result', (result) => (result['kind'] === 'diff' ? withFacts(result) : result)) };
}

function withFacts({ headline, reasons, notes, routes, ...diff }: Fields): Fields {
  return {
    ...diff,
    facts: { code: 'recorded', headline: typeof headline === 'string' ? headline : '', reasons: strings(reasons) },
    notes: strings(notes).map(recorded),
    ...(routes === undefined ? {} : { routes: listed(routes).map(withUnknown) }),
  };
}

function withUnknown({ unknown, ...route }: Fields): Fields {
  return { ...route, unknown: typeof unknown === 'string' ? recorded(unknown) : null };
}

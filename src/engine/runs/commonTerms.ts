import { type Fields, changed, each, isFields } from './sentencesToFindings.ts';

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
export function commonTerms(record: Fields): Record<string, unknown> {
  return {
    ...record,
    ...each(record, 'notes', withCode),
    ...each(record, 'recommendations', (answer) => renamed(answer, answered)),
    ...each(record, 'trials', (trial) => ({ ...renamed(trial, measured), ...each(trial, 'blocks', (block) => renamed(block, measured)) })),
    ...changed(record, 'plan', (plan) => ({ ...plan, ...each(plan, 'modeReasons', withCode) })),
    ...changed(record, 'result', (result) =>
      result['kind'] === 'study' ? experimentOf(result) : { ...result, ...each(result, 'answers', (answer) => renamed(answer, answered)) },
    ),
  };
}

function experimentOf({ study, ...result }: Fields): Fields {
  const experiment = isFields(study) ? { ...renamed(study, compared), ...each(study, 'shape', (rule) => renamed(rule, compared)) } : study;
  const lists = ['points', 'series', 'ladders'].map((name) => each(result, name, (one) => renamed(one, compared)));
  return Object.assign({}, result, ...lists, { kind: 'experiment', experiment }) as Fields;
}

function withCode(finding: Fields): Fields {
  const { code } = finding;
  return typeof code === 'string' && code in codes ? { ...finding, code: codes[code] } : finding;
}

function renamed(fields: Fields, names: Readonly<Record<string, string>>): Fields {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [names[name] ?? name, value]));
}

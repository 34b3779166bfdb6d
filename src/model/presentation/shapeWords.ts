import type { ExperimentFile, ExperimentRecord, MetricName, ShapeResult, ShapeRule } from '../domain/experiment.ts';
import { findingText } from '../domain/findings.ts';
import { durationPhrase, figure } from '../domain/format.ts';
import { capital, withoutStop } from '../domain/sentence.ts';
import { verdictText } from '../domain/verdict/verdictKinds.ts';

/** Figures as sentences call them, with what follows a value. */
const metrics: Record<MetricName, { label: string; unit: string }> = {
  throughput: { label: 'throughput', unit: ' req/s' },
  meanMs: { label: 'mean response time', unit: ' ms' },
  p99Ms: { label: 'p99', unit: ' ms' },
  errorShare: { label: 'share of errors', unit: '' },
  cpuPercent: { label: 'CPU', unit: ' %' },
  requestsPerCpuSecond: { label: 'work per CPU second', unit: ' requests per CPU second' },
  rssMb: { label: 'memory', unit: ' MB' },
  databaseMs: { label: 'time with a database connection', unit: ' ms' },
  poolWaitMs: { label: 'wait for a connection', unit: ' ms' },
  switchesPerS: { label: 'context switches', unit: ' switches/s' },
  utilisationPercent: { label: 'use of the available CPU', unit: ' %' },
  users: { label: 'highest load that keeps the objective', unit: ' users' },
  lossPercent: { label: 'loss of throughput', unit: ' %' },
  recoveryS: { label: 'time until throughput was steady again', unit: ' s' },
};

/** Name of a figure for people, e.g. “mean response time”. */
export function metricLabel(name: MetricName): string {
  return metrics[name].label;
}

/** A value of a figure with its unit; shares of errors in percent. */
export function figureText(name: MetricName, value: number): string {
  return name === 'errorShare' ? `${figure(100 * value)} %` : `${figure(value)}${metrics[name].unit}`;
}

/** The names of the reference with which the measured figures are compared: over its tables, as a whole, and in a sentence. */
export const basisWords = {
  publication: { heading: 'Published', whole: 'the publication', told: 'what was published' },
  law: { heading: 'By the law', whole: 'the law', told: 'what the law says' },
} as const satisfies Record<ExperimentFile['basis'], object>;

type Labelled = Pick<ExperimentFile, 'variants'>;
type Interval = ShapeResult['interval'];

function labelIn({ variants }: Labelled): (variant: string) => string {
  return (variant) => variants.find(({ name }) => name === variant)?.label ?? variant;
}

/** Whether an order of losses is one of what is left: where no slack is asked for. */
export function isOrderOfLeft(rule: Extract<ShapeRule, { rule: 'order' }>): boolean {
  return rule.figure === 'lossPercent' && rule.slackPercent === 0;
}

/** What a rule is about, as a phrase: “throughput of Java over Node”. */
export function shapeAbout(rule: ShapeRule, experiment: Labelled): string {
  const label = labelIn(experiment);
  switch (rule.rule) {
    case 'flat':
      return `whether ${metricLabel(rule.figure)} of ${label(rule.variant)} is flat`;
    case 'rises':
      return `how ${metricLabel(rule.figure)} of ${label(rule.variant)} rises`;
    case 'plateau':
      return `whether ${metricLabel(rule.figure)} of ${label(rule.variant)} rises beyond ${rule.by}`;
    case 'order':
      return `the order of ${metricLabel(rule.figure)}`;
    case 'ratio':
      return `${metricLabel(rule.figure)} of ${label(rule.of)} over ${label(rule.to)}`;
    case 'limit':
      return `what limits ${label(rule.variant)}`;
    case 'value':
      return `${metricLabel(rule.figure)} of ${label(rule.variant)}`;
  }
}

/** How a rule was judged, in one sentence; and what was seen, with its interval and without a judgement, as a phrase. */
export interface ShapeWords {
  sentence: string;
  seen: string;
}

export function shapeWords(result: ShapeResult, experiment: Labelled): ShapeWords {
  const { rule, found, agrees, interval } = result;
  if (found.code === 'recorded' || rule === null) {
    const { sentence, seen = withoutStop(sentence) } = found.code === 'recorded' ? found : { sentence: '' };
    return { sentence, seen };
  }
  const label = labelIn(experiment);
  if (found.code === 'unmeasured') return unmeasuredWords(rule, label(found.variant), found.reason);
  const factor = factorPhrase(interval);
  const words = (seen: string, sentence: string): ShapeWords => ({ seen: capital(seen), sentence: `${sentence}${endOf(result)}.` });
  if (rule.rule === 'flat' && found.code === 'flat') {
    const of = `${label(rule.variant)}: ${metricLabel(rule.figure)}`;
    const values = [found.least, found.most].map((one) => figureText(rule.figure, one)).join(' to ');
    const stays = `${agrees === false ? 'does not stay' : 'stays'} within ±${figure(rule.withinPercent)} % from ${found.levels.join(' to ')}`;
    return words(`${of} of ${values}, over the middle one ${factor}`, `${of} ${stays} (${values}; over the middle one ${factor})`);
  }
  if (rule.rule === 'rises' && found.code === 'rises') {
    const ends = found.ends.map(({ level, value }) => `${figureText(rule.figure, value)} at ${level}`).join(' to ');
    const seen = `${label(rule.variant)}: ${metricLabel(rule.figure)} goes from ${ends}, a factor of ${factor}`;
    const part = found.isWhole ? '' : ' of the whole ladder, of which an end was discarded';
    return words(seen, `${seen} (${range({ min: rule.atLeast, max: rule.atMost })} is asked for${part})`);
  }
  if (rule.rule === 'plateau' && found.code === 'plateau') {
    const rise = `${label(rule.variant)}: from ${found.from} on ${metricLabel(rule.figure)} rises by ${figure(100 * found.growth)} % more`;
    const over = `over ${found.from} ${factor}`;
    return words(`${rise}, ${over}`, `${rise} (${over}; at most ${figure(rule.withinPercent)} % is asked for)`);
  }
  if (rule.rule === 'order' && found.code === 'order') return orderWords(rule, found.values, result, { label, words });
  if (rule.rule === 'ratio' && found.code === 'ratio') {
    const values = found.values.map((one) => figureText(rule.figure, one)).join(' ÷ ');
    const seen = `${shapeAbout(rule, experiment)}: ${values}, ${factor}`;
    return words(seen, `${seen} (${range(rule)} is asked for)`);
  }
  if (rule.rule === 'limit' && found.code === 'limit') {
    const likely = found.isLikely ? ', which is only likely' : '';
    const [at, kind] = [`${label(rule.variant)} at ${found.level}`, `“${kindWords(found.kind)}”${likely}`];
    const said = found.said === null ? '' : ` ${verdictText(found.said)}`;
    return { seen: `${at}: ${kind}`, sentence: `${at}: the verdict is ${kind} (asked for: ${wantedKinds(rule)}).${said}` };
  }
  if (rule.rule === 'value' && found.code === 'value') {
    const text = (number: number): string => figureText(rule.figure, number);
    const seen = `${label(rule.variant)}: ${metricLabel(rule.figure)} is ${text(found.value)}${intervalPhrase(interval, text)}`;
    return words(seen, `${seen} (${range(rule, rule.figure)} is asked for)`);
  }
  return { sentence: '', seen: '' };
}

function unmeasuredWords(
  rule: ShapeRule,
  label: string,
  reason: Extract<ShapeResult['found'], { code: 'unmeasured' }>['reason'],
): ShapeWords {
  const why = reason === null ? '' : ` ${findingText(reason)}`;
  if (rule.rule === 'limit') {
    const sentence = `${label}: no verdict could be reached (asked for: ${wantedKinds(rule)}).${why}`;
    return { seen: `${label}: nothing that says what limits it`, sentence };
  }
  const name = metricLabel(rule.figure);
  return {
    seen: `${label}: too little that is valid of ${name}`,
    sentence: `${label}: too little that is valid was measured of ${name}.${why}`,
  };
}

function orderWords(
  rule: Extract<ShapeRule, { rule: 'order' }>,
  values: readonly number[],
  { agrees, interval }: ShapeResult,
  { label, words }: { label: (variant: string) => string; words: (seen: string, sentence: string) => ShapeWords },
): ShapeWords {
  const inverted = values.map((value, index) => index > 0 && value <= (values[index - 1] ?? value));
  const listed = rule.variants
    .map((variant, index) => {
      const sign = index === 0 ? '' : inverted[index] === true ? ' ≥ ' : ' < ';
      const own = values[index];
      return `${sign}${label(variant)} ${own === undefined ? '' : figureText(rule.figure, own)}`;
    })
    .join('');
  const slack = agrees === true && inverted.includes(true) ? `; up to ${figure(rule.slackPercent)} % less counts as equal` : '';
  const step = `${isOrderOfLeft(rule) ? 'what is left to one over the next' : 'from one to the next'} ${factorPhrase(interval)}`;
  const name = metricLabel(rule.figure);
  return words(
    `${name}: ${listed}, ${step}`,
    `${name}, ${agrees === false ? 'not in the order asked for' : 'in the order asked for'}: ${listed}${slack} (${step})`,
  );
}

/** The end of the sentence of a rule that is open. */
function endOf({ agrees, moreSeconds, stuck }: ShapeResult): string {
  if (agrees !== null) return '';
  if (moreSeconds !== null) return `; open, about ${durationPhrase(1000 * moreSeconds)} more would decide it`;
  switch (stuck?.code) {
    case 'left-alone':
      return `; open, others took more of the CPU from one than from the other: with nobody beside them it would be about ${figure(stuck.value)}`;
    case 'edge':
      return '; open, it lies at the very edge of what is asked for';
    case 'rare':
      return '; open, it was measured too rarely';
    case undefined:
      return '';
  }
}

/** “1.10 [0.98 to 1.22]” */
function factorPhrase(interval: Interval): string {
  return interval === null ? '–' : `${figure(interval.value)}${intervalPhrase(interval, figure)}`;
}

function intervalPhrase(interval: Interval, text: (value: number) => string): string {
  if (interval === null || interval.low === interval.high) return '';
  const { low, high } = interval;
  if (low === null && high === null) return '';
  return ` [${low === null ? 'less' : text(low)} to ${high === null ? 'more' : text(high)}]`;
}

function kindWords(kind: string): string {
  return kind.replaceAll('-', ' ');
}

function wantedKinds({ kinds }: Extract<ShapeRule, { rule: 'limit' }>): string {
  return kinds.map(kindWords).join(' or ');
}

function range({ min, max }: { min?: number | undefined; max?: number | undefined }, name?: MetricName): string {
  const text = (value: number): string => (name === undefined ? figure(value) : figureText(name, value));
  if (min !== undefined && max !== undefined) return `${text(min)} to ${text(max)}`;
  if (min !== undefined) return `at least ${text(min)}`;
  return max === undefined ? 'anything' : `at most ${text(max)}`;
}

/** Whether the shape of an experiment agrees, by how many of its rules, and what to do where it is open. */
export function experimentSummary({ experiment, form, shape, agrees, summary }: Omit<ExperimentRecord, 'points' | 'series'>): string {
  if (summary !== undefined) return summary;
  const held = shape.filter((one) => one.agrees === true).length;
  const failed = shape.find((one) => one.agrees === false);
  const open = shape.filter((one) => one.agrees === null);
  const of = `${held} of ${shape.length} ${shape.length === 1 ? 'rule' : 'rules'}`;
  const { told } = basisWords[experiment.basis];
  if (agrees === true) return `The shape agrees with ${told}: ${of} held.`;
  if (failed !== undefined)
    return `The shape does not agree with ${told}: ${of} held. ${shapeWords(failed, experiment).sentence} Why it may not: ${experiment.notToday}`;
  if (open.length === 0) return 'None of the variants that its rules are about can be run here.';
  const seconds = open.map(({ moreSeconds }) => moreSeconds);
  const longer = seconds.every((one) => one !== null) ? Math.max(...seconds) : null;
  const cure =
    longer === null
      ? ''
      : ` About ${durationPhrase(1000 * longer)} more of measuring would decide it${form === 'short' ? ': the full form measures longer' : ''}.`;
  const abouts = open.flatMap(({ rule }) => (rule === null ? [] : shapeAbout(rule, experiment)));
  return `${of} held, and ${open.length === 1 ? 'one is' : `${open.length} are`} open: ${abouts.join('; ')}.${cure}`;
}

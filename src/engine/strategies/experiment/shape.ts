import { findingText } from '../../../model/domain/findings.ts';
import { durationPhrase, figure } from '../../../model/domain/format.ts';
import { capital } from '../../../model/domain/sentence.ts';
import { verdictText } from '../../../model/domain/verdict/verdictKinds.ts';
import type { MetricName, ShapeResult, ShapeRule, ExperimentFile } from '../../../model/domain/experiment.ts';
import { type Asked, type Estimate, compare, compareLeft, fewestMissingRounds, metricAt, holds, missingRounds } from './estimate.ts';
import type { MeasuredPoint } from './measuredPoint.ts';

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

/** The result of a rule, and what would have to be measured in addition to decide it. */
export interface JudgedRule extends ShapeResult {
  seen: string;
  /** What the rule is about, as a phrase: “throughput of Java over Node”. */
  about: string;
  /** Trials that an additional round has to measure; none where the rule is decided, or nothing more would decide it. */
  openKeys: readonly string[];
  /** About how much longer decides it with some luck, in s; null where not even that would, or nothing is open. */
  soonestSeconds: number | null;
}

type Judgement = Omit<JudgedRule, 'because'>;

interface Judging {
  points: readonly MeasuredPoint[];
  label: (variant: string) => string;
  /** What an additional block takes, with all that goes with it; ms. */
  blockMs: number;
}

/** One comparison that a rule consists of: all have to hold. */
interface Check {
  estimate: Estimate;
  asked: Asked;
  keys: readonly string[];
}

/**
 * Judges each rule of an experiment separately, by the interval of what it compares: it holds when the whole interval does, does not when none of it does, and is
 * open (`null`) else. What a discarded point would have to decide is open too.
 */
export function judgeShape(
  experiment: Pick<ExperimentFile, 'shape' | 'variants'>,
  points: readonly MeasuredPoint[],
  { blockMs }: Pick<Judging, 'blockMs'>,
): JudgedRule[] {
  const label = (variant: string): string => experiment.variants.find(({ name }) => name === variant)?.label ?? variant;
  return experiment.shape.map((rule) => ({ ...judge(rule, { points, label, blockMs }), because: rule.because }));
}

/** Whether all agree: false when one does not; null when none fails and one is open, or there is none. */
export function allAgree(results: readonly Pick<ShapeResult, 'agrees'>[]): boolean | null {
  if (results.some(({ agrees }) => agrees === false)) return false;
  return results.length === 0 || results.some(({ agrees }) => agrees === null) ? null : true;
}

function judge(rule: ShapeRule, judging: Judging): Judgement {
  switch (rule.rule) {
    case 'flat':
      return flat(rule, judging);
    case 'rises':
      return rises(rule, judging);
    case 'plateau':
      return plateau(rule, judging);
    case 'order':
      return order(rule, judging);
    case 'ratio':
      return ratio(rule, judging);
    case 'limit':
      return limit(rule, judging);
    case 'value':
      return value(rule, judging);
  }
}

/** Valid points of a variant of which a figure is known, by rising level. */
function validPoints({ points }: Judging, variant: string, name: MetricName): MeasuredPoint[] {
  return points
    .filter((one) => one.point.variant === variant && one.point.valid && one.point.figures[name] != null)
    .sort((a, b) => a.point.level - b.point.level);
}

function firstReason(own: readonly MeasuredPoint[]): string | undefined {
  const [first] = own.find(({ point }) => !point.valid)?.point.reasons ?? [];
  return first === undefined ? undefined : findingText(first);
}

/** The result of a rule without a comparison. */
const undecided = { agrees: null, interval: null, moreSeconds: null, soonestSeconds: null };

/** Why a rule cannot be judged, in one sentence: the first reason that its points are discarded for, where they are. */
function unknown({ points, label }: Judging, variant: string, name: MetricName, about: string): Judgement {
  const own = points.filter((one) => one.point.variant === variant);
  const reason = firstReason(own);
  const what = `${label(variant)}: too little that is valid was measured of ${metricLabel(name)}.`;
  return {
    ...undecided,
    about,
    openKeys: own.map(({ key }) => key),
    seen: `${label(variant)}: too little that is valid of ${metricLabel(name)}`,
    sentence: reason === undefined ? what : `${what} ${reason}`,
  };
}

/** All checks together: what decides, and the sentence’s end where nothing does. */
function decide(
  checks: readonly Check[],
  blockMs: number,
): Pick<Judgement, 'agrees' | 'interval' | 'moreSeconds' | 'soonestSeconds' | 'openKeys'> & { end: string } {
  const judged = checks.map((check) => {
    const agrees = holds(check.estimate, check.asked);
    return { ...check, agrees, missing: agrees === null ? missingRounds(check.estimate, check.asked) : 0 };
  });
  const failed = judged.find(({ agrees }) => agrees === false);
  const open = judged.filter(({ agrees }) => agrees === null);
  // The comparison that says most: one that failed, else the one that takes longest, else the one that passed most narrowly.
  const narrowest = [...judged].sort((a, b) => room(a) - room(b))[0];
  const longest = [...open].sort((a, b) => (b.missing ?? Infinity) - (a.missing ?? Infinity))[0];
  const shown = failed ?? longest ?? narrowest;
  const interval =
    shown === undefined
      ? null
      : { value: finite(shown.estimate.value) ?? 0, low: finite(shown.estimate.low), high: finite(shown.estimate.high) };
  if (failed !== undefined || longest === undefined)
    return { agrees: failed === undefined, interval, moreSeconds: null, soonestSeconds: null, openKeys: [], end: '' };
  const openKeys = [...new Set(open.flatMap(({ keys }) => keys))];
  const seconds = (rounds: number): number => Math.max(1, Math.round((rounds * openKeys.length * blockMs) / 1000));
  const moreSeconds = longest.missing === null ? null : seconds(longest.missing);
  const soonest = Math.max(...open.map(({ estimate, asked }) => fewestMissingRounds(estimate, asked) ?? Infinity));
  const edge = longest.estimate.rounds >= 3 && Number.isFinite(longest.estimate.rounds);
  const end =
    moreSeconds !== null
      ? `; open, about ${durationPhrase(1000 * moreSeconds)} more would decide it`
      : longest.estimate.leftAlone !== undefined
        ? `; open, others took more of the CPU from one than from the other: with nobody beside them it would be about ${figure(longest.estimate.leftAlone)}`
        : edge
          ? '; open, it lies at the very edge of what is asked for'
          : '; open, it was measured too rarely';
  return { agrees: null, interval, moreSeconds, soonestSeconds: Number.isFinite(soonest) ? seconds(soonest) : null, openKeys, end };
}

/** How far the interval of a check that holds is from what would not. */
function room({ estimate: { low, high }, asked: { min = -Infinity, max = Infinity } }: Check): number {
  return Math.min(low - min, max - high);
}

function finite(number: number): number | null {
  return Number.isFinite(number) ? number : null;
}

function flat(rule: Extract<ShapeRule, { rule: 'flat' }>, judging: Judging): Judgement {
  const about = `whether ${metricLabel(rule.figure)} of ${judging.label(rule.variant)} is flat`;
  const used = validPoints(judging, rule.variant, rule.figure).filter(({ point }) => point.level >= (rule.from ?? 0));
  const byValue = [...used].sort((a, b) => figureOf(a, rule.figure) - figureOf(b, rule.figure));
  const middle = byValue[Math.floor(byValue.length / 2)];
  const share = rule.withinPercent / 100;
  const checks = checksAgainst(middle, used, rule.figure, { min: 1 - share, max: 1 + share });
  if (checks === null) return unknown(judging, rule.variant, rule.figure, about);
  const decision = decide(checks, judging.blockMs);
  const values = [byValue[0], byValue.at(-1)].flatMap((one) =>
    one === undefined ? [] : [figureText(rule.figure, figureOf(one, rule.figure))],
  );
  const verb = decision.agrees === false ? 'does not stay' : 'stays';
  return withSentence(
    decision,
    about,
    `${judging.label(rule.variant)}: ${metricLabel(rule.figure)} of ${values.join(' to ')}, over the middle one ${factorPhrase(decision)}`,
    `${judging.label(rule.variant)}: ${metricLabel(rule.figure)} ${verb} within ±${figure(rule.withinPercent)} % from ${used[0]?.point.level ?? 0} to ${used.at(-1)?.point.level ?? 0} (${values.join(' to ')}; over the middle one ${factorPhrase(decision)})`,
  );
}

function rises(rule: Extract<ShapeRule, { rule: 'rises' }>, judging: Judging): Judgement {
  const about = `how ${metricLabel(rule.figure)} of ${judging.label(rule.variant)} rises`;
  const all = validPoints(judging, rule.variant, rule.figure);
  const [first, last] = [all[0], all.at(-1)];
  const estimate = first === undefined || last === undefined || first === last ? null : compare(rule.figure, last, first);
  if (first === undefined || last === undefined || estimate === null) return unknown(judging, rule.variant, rule.figure, about);
  const own = judging.points.filter(({ point }) => point.variant === rule.variant);
  const levels = own.map(({ point }) => point.level);
  const whole = first.point.level === Math.min(...levels) && last.point.level === Math.max(...levels);
  const asked = { min: rule.atLeast, max: rule.atMost };
  const decision = decide([{ estimate, asked, keys: [first.key, last.key] }], judging.blockMs);
  const ends = [first, last].map((one) => `${figureText(rule.figure, figureOf(one, rule.figure))} at ${one.point.level}`);
  const found = `${judging.label(rule.variant)}: ${metricLabel(rule.figure)} goes from ${ends.join(' to ')}, a factor of ${factorPhrase(decision)}`;
  const sentence = `${found} (${range(asked)} is asked for${whole ? '' : ' of the whole ladder, of which an end was discarded'})`;
  if (whole || decision.agrees !== false) return withSentence(decision, about, found, sentence);
  // Over a part of the ladder it rises by less: that shows nothing.
  const openKeys = own.filter(({ point }) => !point.valid).map(({ key }) => key);
  return withSentence({ ...decision, agrees: null, openKeys }, about, found, sentence);
}

function plateau(rule: Extract<ShapeRule, { rule: 'plateau' }>, judging: Judging): Judgement {
  const about = `whether ${metricLabel(rule.figure)} of ${judging.label(rule.variant)} rises beyond ${rule.by}`;
  const after = validPoints(judging, rule.variant, rule.figure).filter(({ point }) => point.level >= rule.by);
  const [start] = after;
  const checks = checksAgainst(start, after, rule.figure, { max: 1 + rule.withinPercent / 100 });
  if (start === undefined || checks === null) return unknown(judging, rule.variant, rule.figure, about);
  const decision = decide(checks, judging.blockMs);
  const growth = Math.max(0, Math.max(...after.map((one) => figureOf(one, rule.figure))) / figureOf(start, rule.figure) - 1);
  const rise = `${judging.label(rule.variant)}: from ${start.point.level} on ${metricLabel(rule.figure)} rises by ${figure(100 * growth)} % more`;
  return withSentence(
    decision,
    about,
    `${rise}, over ${start.point.level} ${factorPhrase(decision)}`,
    `${rise} (over ${start.point.level} ${factorPhrase(decision)}; at most ${figure(rule.withinPercent)} % is asked for)`,
  );
}

/** The point of a variant at a level, at the highest level that every one of `variants` has, or its best. */
function pointAt(
  judging: Judging,
  variant: string,
  name: MetricName,
  at: number | 'last' | 'best',
  variants: readonly string[],
): MeasuredPoint | null {
  const own = validPoints(judging, variant, name);
  if (at === 'best')
    return own.reduce<MeasuredPoint | null>(
      (best, one) => (best === null || figureOf(one, name) > figureOf(best, name) ? one : best),
      null,
    );
  const level = at === 'last' ? lastCommonLevel(judging, variants, name) : at;
  return own.find(({ point }) => point.level === level) ?? null;
}

function lastCommonLevel(judging: Judging, variants: readonly string[], name: MetricName): number | null {
  const levels = variants.map((variant) => new Set(validPoints(judging, variant, name).map(({ point }) => point.level)));
  const common = [...(levels[0] ?? [])].filter((level) => levels.every((own) => own.has(level)));
  return common.length === 0 ? null : Math.max(...common);
}

/** Points that were measured in the same rounds under the same load on the same kind of app. */
function beside({ points }: Judging, of: MeasuredPoint): MeasuredPoint[] {
  return points.filter((one) => one.point.valid && one.target === of.target && one.point.level === of.point.level);
}

function order(rule: Extract<ShapeRule, { rule: 'order' }>, judging: Judging): Judgement {
  const about = `the order of ${metricLabel(rule.figure)}`;
  const found = rule.variants.map((variant) => pointAt(judging, variant, rule.figure, rule.at, rule.variants));
  const missing = found.findIndex((one) => one === null);
  if (missing !== -1) return unknown(judging, rule.variants[missing] ?? '', rule.figure, about);
  const known = found.filter((one) => one !== null);
  const asked = { min: 1 - rule.slackPercent / 100 };
  const byWhatIsLeft = rule.figure === 'lossPercent' && rule.slackPercent === 0;
  const checks = known.slice(1).flatMap((one, index) => {
    const before = known[index];
    if (before === undefined) return [];
    return checkOf(byWhatIsLeft ? compareLeft(before, one) : compare(rule.figure, one, before, beside(judging, one)), asked, [before, one]);
  });
  if (checks.length < known.length - 1) return unknown(judging, rule.variants[0] ?? '', rule.figure, about);
  const decision = decide(checks, judging.blockMs);
  const inverted = known.map((one, index) => index > 0 && figureOf(one, rule.figure) <= figureOf(known[index - 1] ?? one, rule.figure));
  const listed = rule.variants
    .map((variant, index) => {
      const sign = index === 0 ? '' : inverted[index] === true ? ' ≥ ' : ' < ';
      const one = known[index];
      return `${sign}${judging.label(variant)} ${one === undefined ? '' : figureText(rule.figure, figureOf(one, rule.figure))}`;
    })
    .join('');
  const slack = decision.agrees === true && inverted.includes(true) ? `; up to ${figure(rule.slackPercent)} % less counts as equal` : '';
  const step = `${byWhatIsLeft ? 'what is left to one over the next' : 'from one to the next'} ${factorPhrase(decision)}`;
  return withSentence(
    decision,
    about,
    `${metricLabel(rule.figure)}: ${listed}, ${step}`,
    `${metricLabel(rule.figure)}, ${decision.agrees === false ? 'not in the order asked for' : 'in the order asked for'}: ${listed}${slack} (${step})`,
  );
}

function ratio(rule: Extract<ShapeRule, { rule: 'ratio' }>, judging: Judging): Judgement {
  const about = `${metricLabel(rule.figure)} of ${judging.label(rule.of)} over ${judging.label(rule.to)}`;
  const variants = [rule.of, rule.to];
  const [of, to] = variants.map((variant) => pointAt(judging, variant, rule.figure, rule.at, variants));
  const estimate = of == null || to == null ? null : compare(rule.figure, of, to, [...beside(judging, of), ...beside(judging, to)]);
  if (of == null || to == null || estimate === null) return unknown(judging, of == null ? rule.of : rule.to, rule.figure, about);
  const decision = decide([{ estimate, asked: rule, keys: [of.key, to.key] }], judging.blockMs);
  const values = [of, to].map((one) => figureText(rule.figure, figureOf(one, rule.figure)));
  const found = `${about}: ${values.join(' ÷ ')}, ${factorPhrase(decision)}`;
  return withSentence(decision, about, found, `${found} (${range(rule)} is asked for)`);
}

function limit(rule: Extract<ShapeRule, { rule: 'limit' }>, { points, label }: Judging): Judgement {
  const own = points.filter(({ point }) => point.variant === rule.variant).sort((a, b) => a.point.level - b.point.level);
  const one = rule.at === 'last' ? own.filter(({ point }) => point.valid).at(-1) : own.find(({ point }) => point.level === rule.at);
  const kind = one?.point.valid === true ? one.point.limit : null;
  const plain = { ...undecided, about: `what limits ${label(rule.variant)}` };
  const wanted = rule.kinds.map(kindWords).join(' or ');
  if (one === undefined || kind === null || kind === 'invalid') {
    const reason = firstReason(own);
    const sentence = `${label(rule.variant)}: no verdict could be reached (asked for: ${wanted}).${reason === undefined ? '' : ` ${reason}`}`;
    const openKeys = (one === undefined ? own : [one]).map(({ key }) => key);
    return { ...plain, openKeys, seen: `${label(rule.variant)}: nothing that says what limits it`, sentence };
  }
  const asAsked = rule.kinds.includes(kind);
  const agrees = asAsked ? true : one.limitConfident && kind !== 'unknown-wait' ? false : null;
  const likely = one.limitConfident ? '' : ', which is only likely';
  return {
    ...plain,
    agrees,
    openKeys: agrees === null ? [one.key] : [],
    seen: `${label(rule.variant)} at ${one.point.level}: “${kindWords(kind)}”${likely}`,
    sentence:
      `${label(rule.variant)} at ${one.point.level}: the verdict is “${kindWords(kind)}”${likely} (asked for: ${wanted}). ${one.point.limitSaid === null ? '' : verdictText(one.point.limitSaid)}`.trim(),
  };
}

function value(rule: Extract<ShapeRule, { rule: 'value' }>, judging: Judging): Judgement {
  const about = `${metricLabel(rule.figure)} of ${judging.label(rule.variant)}`;
  const one = pointAt(judging, rule.variant, rule.figure, rule.at, [rule.variant]);
  const estimate = one === null ? null : metricAt(one, rule.figure);
  if (one === null || estimate === null) return unknown(judging, rule.variant, rule.figure, about);
  const decision = decide([{ estimate, asked: rule, keys: [one.key] }], judging.blockMs);
  const text = (number: number): string => figureText(rule.figure, number);
  const found = `${judging.label(rule.variant)}: ${metricLabel(rule.figure)} is ${text(estimate.value)}${intervalPhrase(decision, text)}`;
  return withSentence(decision, about, found, `${found} (${range(rule, rule.figure)} is asked for)`);
}

function figureOf({ point }: MeasuredPoint, name: MetricName): number {
  return point.figures[name] ?? 0;
}

/** Each of these points over one of them; null where there are no two, and where one cannot be compared. */
function checksAgainst(
  reference: MeasuredPoint | undefined,
  points: readonly MeasuredPoint[],
  name: MetricName,
  asked: Asked,
): Check[] | null {
  if (reference === undefined || points.length < 2) return null;
  const others = points.filter((one) => one !== reference);
  const checks = others.flatMap((one) => checkOf(compare(name, one, reference, points), asked, [one, reference]));
  return checks.length < others.length ? null : checks;
}

function checkOf(estimate: Estimate | null, asked: Asked, of: readonly MeasuredPoint[]): Check[] {
  return estimate === null ? [] : [{ estimate, asked, keys: of.map(({ key }) => key) }];
}

function withSentence({ end, ...decision }: ReturnType<typeof decide>, about: string, seen: string, sentence: string): Judgement {
  return { ...decision, about, seen: capital(seen), sentence: `${sentence}${end}.` };
}

/** “1.10 [0.98 to 1.22]” */
function factorPhrase({ interval }: Pick<Judgement, 'interval'>): string {
  return interval === null ? '–' : `${figure(interval.value)}${intervalPhrase({ interval }, figure)}`;
}

function intervalPhrase({ interval }: Pick<Judgement, 'interval'>, text: (value: number) => string): string {
  if (interval === null || interval.low === interval.high) return '';
  const { low, high } = interval;
  if (low === null && high === null) return '';
  return ` [${low === null ? 'less' : text(low)} to ${high === null ? 'more' : text(high)}]`;
}

function kindWords(kind: string): string {
  return kind.replaceAll('-', ' ');
}

function range({ min, max }: Asked, name?: MetricName): string {
  const text = (limitValue: number): string => (name === undefined ? figure(limitValue) : figureText(name, limitValue));
  if (min !== undefined && max !== undefined) return `${text(min)} to ${text(max)}`;
  if (min !== undefined) return `at least ${text(min)}`;
  return max === undefined ? 'anything' : `at most ${text(max)}`;
}

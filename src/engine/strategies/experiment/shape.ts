import type { MetricName, ShapeResult, ShapeRule } from '../../../model/domain/experiment.ts';
import { isOrderOfLeft } from '../../../model/presentation/shapeWords.ts';
import { type Asked, type Estimate, compare, compareLeft, fewestMissingRounds, metricAt, holds, missingRounds } from './estimate.ts';
import type { MeasuredPoint } from './measuredPoint.ts';

/** The result of a rule, and what would have to be measured in addition to decide it. */
export interface JudgedRule extends ShapeResult {
  rule: ShapeRule;
  /** Trials that an additional round has to measure; none where the rule is decided, or nothing more would decide it. */
  openKeys: readonly string[];
  /** About how much longer decides it with some luck, in s; null where not even that would, or nothing is open. */
  soonestSeconds: number | null;
}

type Judgement = Omit<JudgedRule, 'because' | 'rule'>;

interface Judging {
  points: readonly MeasuredPoint[];
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
export function judgeShape(rules: readonly ShapeRule[], judging: Judging): JudgedRule[] {
  return rules.map((rule) => ({ ...(judges[rule.rule] as Judge)(rule, judging), rule, because: rule.because }));
}

/** Whether all agree: false when one does not; null when none fails and one is open, or there is none. */
export function allAgree(results: readonly Pick<ShapeResult, 'agrees'>[]): boolean | null {
  if (results.some(({ agrees }) => agrees === false)) return false;
  return results.length === 0 || results.some(({ agrees }) => agrees === null) ? null : true;
}

type RuleOf<Kind> = Extract<ShapeRule, { rule: Kind }>;
type Judge<Kind = ShapeRule['rule']> = (rule: RuleOf<Kind>, judging: Judging) => Judgement;
const judges: { readonly [Kind in ShapeRule['rule']]: Judge<Kind> } = { flat, rises, plateau, order, ratio, limit, value };

/** Valid points of a variant of which a figure is known, by rising level. */
function validPoints({ points }: Judging, variant: string, name: MetricName): MeasuredPoint[] {
  return points
    .filter((one) => one.point.variant === variant && one.point.valid && one.point.figures[name] != null)
    .sort((a, b) => a.point.level - b.point.level);
}

/** The result of a rule without a comparison. */
const undecided = { agrees: null, interval: null, moreSeconds: null, soonestSeconds: null, stuck: null };

/** A rule that cannot be judged, with the first reason that its points are discarded for, where they are. */
function unmeasured(own: readonly MeasuredPoint[], variant: string): Judgement {
  const [reason] = own.find(({ point }) => !point.valid)?.point.reasons ?? [];
  return { ...undecided, openKeys: own.map(({ key }) => key), found: { code: 'unmeasured', variant, reason: reason ?? null } };
}

function unknown({ points }: Judging, variant: string): Judgement {
  return unmeasured(
    points.filter((one) => one.point.variant === variant),
    variant,
  );
}

/** All checks together. */
function decide(checks: readonly Check[], blockMs: number): Omit<Judgement, 'found'> {
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
    return { agrees: failed === undefined, interval, moreSeconds: null, soonestSeconds: null, stuck: null, openKeys: [] };
  const openKeys = [...new Set(open.flatMap(({ keys }) => keys))];
  const seconds = (rounds: number): number => Math.max(1, Math.round((rounds * openKeys.length * blockMs) / 1000));
  const moreSeconds = longest.missing === null ? null : seconds(longest.missing);
  const soonest = Math.max(...open.map(({ estimate, asked }) => fewestMissingRounds(estimate, asked) ?? Infinity));
  const soonestSeconds = Number.isFinite(soonest) ? seconds(soonest) : null;
  return { agrees: null, interval, moreSeconds, soonestSeconds, openKeys, stuck: moreSeconds === null ? stuckBy(longest.estimate) : null };
}

function stuckBy({ leftAlone, rounds }: Estimate): Judgement['stuck'] {
  if (leftAlone !== undefined) return { code: 'left-alone', value: leftAlone };
  return { code: rounds >= 3 && Number.isFinite(rounds) ? 'edge' : 'rare' };
}

/** How far the interval of a check that holds is from what would not. */
function room({ estimate: { low, high }, asked: { min = -Infinity, max = Infinity } }: Check): number {
  return Math.min(low - min, max - high);
}

function finite(number: number): number | null {
  return Number.isFinite(number) ? number : null;
}

function flat(rule: RuleOf<'flat'>, judging: Judging): Judgement {
  const used = validPoints(judging, rule.variant, rule.figure).filter(({ point }) => point.level >= (rule.from ?? 0));
  const byValue = [...used].sort((a, b) => figureOf(a, rule.figure) - figureOf(b, rule.figure));
  const middle = byValue[Math.floor(byValue.length / 2)];
  const share = rule.withinPercent / 100;
  const checks = checksAgainst(middle, used, rule.figure, { min: 1 - share, max: 1 + share });
  if (checks === null) return unknown(judging, rule.variant);
  const [least = 0, most = 0] = [byValue[0], byValue.at(-1)].map((one) => one && figureOf(one, rule.figure));
  const levels: [number, number] = [used[0]?.point.level ?? 0, used.at(-1)?.point.level ?? 0];
  return { ...decide(checks, judging.blockMs), found: { code: 'flat', least, most, levels } };
}

function rises(rule: RuleOf<'rises'>, judging: Judging): Judgement {
  const all = validPoints(judging, rule.variant, rule.figure);
  const [first, last] = [all[0], all.at(-1)];
  const estimate = first === undefined || last === undefined || first === last ? null : compare(rule.figure, last, first);
  if (first === undefined || last === undefined || estimate === null) return unknown(judging, rule.variant);
  const own = judging.points.filter(({ point }) => point.variant === rule.variant);
  const levels = own.map(({ point }) => point.level);
  const isWhole = first.point.level === Math.min(...levels) && last.point.level === Math.max(...levels);
  const decision = decide([{ estimate, asked: { min: rule.atLeast, max: rule.atMost }, keys: [first.key, last.key] }], judging.blockMs);
  const end = (one: MeasuredPoint): { level: number; value: number } => ({ level: one.point.level, value: figureOf(one, rule.figure) });
  const found: Judgement['found'] = { code: 'rises', ends: [end(first), end(last)], isWhole };
  if (isWhole || decision.agrees !== false) return { ...decision, found };
  // Over a part of the ladder it rises by less: that shows nothing.
  return { ...decision, agrees: null, openKeys: own.filter(({ point }) => !point.valid).map(({ key }) => key), found };
}

function plateau(rule: RuleOf<'plateau'>, judging: Judging): Judgement {
  const after = validPoints(judging, rule.variant, rule.figure).filter(({ point }) => point.level >= rule.by);
  const [start] = after;
  const checks = checksAgainst(start, after, rule.figure, { max: 1 + rule.withinPercent / 100 });
  if (start === undefined || checks === null) return unknown(judging, rule.variant);
  const growth = Math.max(0, Math.max(...after.map((one) => figureOf(one, rule.figure))) / figureOf(start, rule.figure) - 1);
  return { ...decide(checks, judging.blockMs), found: { code: 'plateau', from: start.point.level, growth } };
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
  if (at === 'best') return own.sort((a, b) => figureOf(b, name) - figureOf(a, name))[0] ?? null;
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

function order(rule: RuleOf<'order'>, judging: Judging): Judgement {
  const found = rule.variants.map((variant) => pointAt(judging, variant, rule.figure, rule.at, rule.variants));
  const missing = found.findIndex((one) => one === null);
  if (missing !== -1) return unknown(judging, rule.variants[missing] ?? '');
  const known = found.filter((one) => one !== null);
  const asked = { min: 1 - rule.slackPercent / 100 };
  const checks = known.slice(1).flatMap((one, index) => {
    const before = known[index];
    if (before === undefined) return [];
    const estimate = isOrderOfLeft(rule) ? compareLeft(before, one) : compare(rule.figure, one, before, beside(judging, one));
    return checkOf(estimate, asked, [before, one]);
  });
  if (checks.length < known.length - 1) return unknown(judging, rule.variants[0] ?? '');
  const values = known.map((one) => figureOf(one, rule.figure));
  return { ...decide(checks, judging.blockMs), found: { code: 'order', values } };
}

function ratio(rule: RuleOf<'ratio'>, judging: Judging): Judgement {
  const variants = [rule.of, rule.to];
  const [of, to] = variants.map((variant) => pointAt(judging, variant, rule.figure, rule.at, variants));
  const estimate = of == null || to == null ? null : compare(rule.figure, of, to, [...beside(judging, of), ...beside(judging, to)]);
  if (of == null || to == null || estimate === null) return unknown(judging, of == null ? rule.of : rule.to);
  const decision = decide([{ estimate, asked: rule, keys: [of.key, to.key] }], judging.blockMs);
  return { ...decision, found: { code: 'ratio', values: [figureOf(of, rule.figure), figureOf(to, rule.figure)] } };
}

function limit(rule: RuleOf<'limit'>, { points }: Judging): Judgement {
  const own = points.filter(({ point }) => point.variant === rule.variant).sort((a, b) => a.point.level - b.point.level);
  const one = rule.at === 'last' ? own.filter(({ point }) => point.valid).at(-1) : own.find(({ point }) => point.level === rule.at);
  const kind = one?.point.valid === true ? one.point.limit : null;
  if (one === undefined || kind === null || kind === 'invalid') {
    const openKeys = (one === undefined ? own : [one]).map(({ key }) => key);
    return { ...unmeasured(own, rule.variant), openKeys };
  }
  const agrees = rule.kinds.includes(kind) ? true : one.limitConfident && kind !== 'unknown-wait' ? false : null;
  return {
    ...undecided,
    agrees,
    openKeys: agrees === null ? [one.key] : [],
    found: { code: 'limit', level: one.point.level, kind, isLikely: !one.limitConfident, said: one.point.limitSaid },
  };
}

function value(rule: RuleOf<'value'>, judging: Judging): Judgement {
  const one = pointAt(judging, rule.variant, rule.figure, rule.at, [rule.variant]);
  const estimate = one === null ? null : metricAt(one, rule.figure);
  if (one === null || estimate === null) return unknown(judging, rule.variant);
  const decision = decide([{ estimate, asked: rule, keys: [one.key] }], judging.blockMs);
  return { ...decision, found: { code: 'value', value: estimate.value } };
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

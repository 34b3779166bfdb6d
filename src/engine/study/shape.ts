import { figure } from '../../model/format.ts';
import type { FigureName, ShapeResult, ShapeRule, StudyFile, StudyPoint } from '../../model/study.ts';

const units: Record<FigureName, string> = {
  throughput: ' req/s',
  meanMs: ' ms',
  p99Ms: ' ms',
  errorShare: '',
  cpuPercent: ' %',
  requestsPerCpuSecond: ' requests per CPU second',
  rssMb: ' MB',
  databaseMs: ' ms',
  poolWaitMs: ' ms',
  switchesPerS: ' switches/s',
  utilisationPercent: ' %',
  users: ' users',
  lossPercent: ' %',
  recoveryS: ' s',
};

const names: Record<FigureName, string> = {
  throughput: 'throughput',
  meanMs: 'mean response time',
  p99Ms: 'p99',
  errorShare: 'share of errors',
  cpuPercent: 'CPU',
  requestsPerCpuSecond: 'work per CPU second',
  rssMb: 'memory',
  databaseMs: 'time with a database connection',
  poolWaitMs: 'wait for a connection',
  switchesPerS: 'context switches',
  utilisationPercent: 'use of the available CPU',
  users: 'highest load that keeps the objective',
  lossPercent: 'loss of throughput',
  recoveryS: 'time until throughput was steady again',
};

/** Name of a figure for people, e.g. “mean response time”. */
export function figureLabel(name: FigureName): string {
  return names[name];
}

/** A value of a figure with its unit; shares of errors in percent. */
export function figureText(name: FigureName, value: number): string {
  return name === 'errorShare' ? `${figure(100 * value)} %` : `${figure(value)}${units[name]}`;
}

interface Seen {
  level: number;
  value: number;
  point: StudyPoint;
}

/**
 * Judges each rule of a study by itself. What a void point would have to decide is not told (`null`); so is an order or ratio of throughputs
 * that is missed by less than the 95 % intervals allow for.
 */
export function judgeShape(study: Pick<StudyFile, 'shape' | 'arms'>, points: readonly StudyPoint[]): ShapeResult[] {
  const label = (arm: string): string => study.arms.find(({ name }) => name === arm)?.label ?? arm;
  return study.shape.map((rule) => ({ ...judge(rule, points, label), because: rule.because }));
}

/** Whether all agree: false when one does not; null when none fails and one could not be told. */
export function allAgree(results: readonly ShapeResult[]): boolean | null {
  if (results.some(({ agrees }) => agrees === false)) return false;
  return results.some(({ agrees }) => agrees === null) ? null : true;
}

type Judgement = Omit<ShapeResult, 'because'>;
type Label = (arm: string) => string;

function judge(rule: ShapeRule, points: readonly StudyPoint[], label: Label): Judgement {
  switch (rule.rule) {
    case 'flat':
      return flat(rule, seen(points, rule.arm, rule.figure), label);
    case 'rises':
      return rises(rule, points, label);
    case 'plateau':
      return plateau(rule, seen(points, rule.arm, rule.figure), label);
    case 'order':
      return order(rule, points, label);
    case 'ratio':
      return ratio(rule, points, label);
    case 'limit':
      return limit(rule, points, label);
    case 'value':
      return value(rule, points, label);
  }
}

/** Valid values of an arm by rising level. */
function seen(points: readonly StudyPoint[], arm: string, name: FigureName): Seen[] {
  return points
    .flatMap((point) => {
      const found = point.figures[name];
      return point.arm === arm && point.valid && found != null ? [{ level: point.level, value: found, point }] : [];
    })
    .sort((a, b) => a.level - b.level);
}

function unknown(arm: string, name: FigureName): Judgement {
  return { agrees: null, sentence: `${arm}: there are too few valid measurements of ${names[name]} to tell.` };
}

function flat(rule: Extract<ShapeRule, { rule: 'flat' }>, all: readonly Seen[], label: Label): Judgement {
  const used = all.filter(({ level }) => level >= (rule.from ?? 0));
  if (used.length < 2) return unknown(label(rule.arm), rule.figure);
  const values = used.map((one) => one.value).sort((a, b) => a - b);
  const middle = values[Math.floor(values.length / 2)] ?? 0;
  const spread = Math.max(...values.map((one) => Math.abs(one - middle))) / middle;
  const holds = spread <= rule.withinPercent / 100;
  const share = rule.withinPercent / 100;
  // One that may well lie within, by its interval, does not show that the rest is not flat.
  const strays = used.some((one) => beyond(one, rule.figure, middle * (1 - share), middle * (1 + share)));
  const agrees = holds ? true : strays ? false : null;
  return {
    agrees,
    sentence: `${label(rule.arm)}: ${names[rule.figure]} ${holds ? 'stays' : 'does not stay'} within ±${figure(rule.withinPercent)} % from ${used[0]?.level ?? 0} to ${used.at(-1)?.level ?? 0} (${figureText(rule.figure, values[0] ?? 0)} to ${figureText(rule.figure, values.at(-1) ?? 0)})${agrees === null ? '; the intervals are too wide to tell' : ''}.`,
  };
}

function rises(rule: Extract<ShapeRule, { rule: 'rises' }>, points: readonly StudyPoint[], label: Label): Judgement {
  const all = seen(points, rule.arm, rule.figure);
  const [first, last] = [all[0], all.at(-1)];
  if (first === undefined || last === undefined || first === last || first.value === 0) return unknown(label(rule.arm), rule.figure);
  const levels = points.filter(({ arm }) => arm === rule.arm).map(({ level }) => level);
  const whole = first.level === Math.min(...levels) && last.level === Math.max(...levels);
  const factor = last.value / first.value;
  const holds = factor >= rule.atLeast && factor <= (rule.atMost ?? Infinity);
  return {
    // Over a part of the ladder it rises by less: that shows nothing.
    agrees: holds ? true : whole ? false : null,
    sentence: `${label(rule.arm)}: ${names[rule.figure]} goes from ${figureText(rule.figure, first.value)} at ${first.level} to ${figureText(rule.figure, last.value)} at ${last.level}, a factor of ${figure(factor)} (${range(rule.atLeast, rule.atMost)} is asked for${whole ? '' : ' of the whole ladder, of which an end is void'}).`,
  };
}

function plateau(rule: Extract<ShapeRule, { rule: 'plateau' }>, all: readonly Seen[], label: Label): Judgement {
  const after = all.filter(({ level }) => level >= rule.by);
  const start = after[0];
  if (start === undefined || after.length < 2) return unknown(label(rule.arm), rule.figure);
  const growth = Math.max(...after.map((one) => one.value)) / start.value - 1;
  const holds = growth <= rule.withinPercent / 100;
  const highest = start.value * (1 + rule.withinPercent / 100);
  const agrees = holds ? true : after.some((one) => one !== start && beyond(one, rule.figure, 0, highest)) ? false : null;
  return {
    agrees,
    sentence: `${label(rule.arm)}: from ${start.level} on ${names[rule.figure]} rises by ${figure(100 * growth)} % more (at most ${figure(rule.withinPercent)} % is asked for${agrees === null ? '; the intervals are too wide to tell' : ''}).`,
  };
}

/** The value of an arm at a level, at the highest level that every one of `arms` has, or its best. */
function valueAt(
  points: readonly StudyPoint[],
  arm: string,
  name: FigureName,
  at: number | 'last' | 'best',
  arms: readonly string[],
): Seen | null {
  const own = seen(points, arm, name);
  if (at === 'best') return own.reduce<Seen | null>((best, one) => (best === null || one.value > best.value ? one : best), null);
  const level = at === 'last' ? lastCommonLevel(points, arms, name) : at;
  return own.find((one) => one.level === level) ?? null;
}

function lastCommonLevel(points: readonly StudyPoint[], arms: readonly string[], name: FigureName): number | null {
  const levels = arms.map((arm) => new Set(seen(points, arm, name).map(({ level }) => level)));
  const common = [...(levels[0] ?? [])].filter((level) => levels.every((own) => own.has(level)));
  return common.length === 0 ? null : Math.max(...common);
}

function order(rule: Extract<ShapeRule, { rule: 'order' }>, points: readonly StudyPoint[], label: Label): Judgement {
  const values = rule.arms.map((arm) => valueAt(points, arm, rule.figure, rule.at, rule.arms));
  const missing = values.findIndex((one) => one === null);
  if (missing !== -1) return unknown(label(rule.arms[missing] ?? ''), rule.figure);
  const known = values.filter((one) => one !== null);
  const wrong = known.findIndex((one, index) => index > 0 && one.value < (known[index - 1]?.value ?? 0) * (1 - rule.slackPercent / 100));
  const inverted = (index: number): boolean => index > 0 && (known[index]?.value ?? 0) <= (known[index - 1]?.value ?? 0);
  const listed = rule.arms
    .map((arm, index) => {
      const sign = index === 0 ? '' : inverted(index) ? ' ≥ ' : ' < ';
      return `${sign}${label(arm)} ${figureText(rule.figure, known[index]?.value ?? 0)}`;
    })
    .join('');
  const slack =
    wrong === -1 && known.some((_, index) => inverted(index)) ? `; up to ${figure(rule.slackPercent)} % less counts as equal` : '';
  const [low, high] = [known[wrong - 1], known[wrong]];
  const undecided =
    wrong !== -1 && rule.figure === 'throughput' && low !== undefined && high !== undefined && overlap(low.point, high.point);
  const agrees = wrong === -1 ? true : undecided ? null : false;
  return {
    agrees,
    sentence: `${names[rule.figure]}, ${agrees === false ? 'not in the order asked for' : 'in the order asked for'}: ${listed}${slack}${undecided ? '; their intervals overlap, so that it cannot be told' : ''}.`,
  };
}

function ratio(rule: Extract<ShapeRule, { rule: 'ratio' }>, points: readonly StudyPoint[], label: Label): Judgement {
  const arms = [rule.of, rule.to];
  const [of, to] = arms.map((arm) => valueAt(points, arm, rule.figure, rule.at, arms));
  if (of == null || to == null || to.value === 0) return unknown(label(of == null ? rule.of : rule.to), rule.figure);
  const found = of.value / to.value;
  const agrees = found >= (rule.min ?? -Infinity) && found <= (rule.max ?? Infinity);
  const interval = rule.figure === 'throughput' ? ratioInterval(of.point, to.point) : null;
  const undecided = !agrees && interval !== null && interval[1] >= (rule.min ?? -Infinity) && interval[0] <= (rule.max ?? Infinity);
  return {
    agrees: agrees ? true : undecided ? null : false,
    sentence: `${names[rule.figure]} of ${label(rule.of)} over ${label(rule.to)}: ${figureText(rule.figure, of.value)} ÷ ${figureText(rule.figure, to.value)} = ${figure(found)} (${range(rule.min, rule.max)} is asked for${undecided ? '; the intervals are too wide to tell' : ''}).`,
  };
}

function limit(rule: Extract<ShapeRule, { rule: 'limit' }>, points: readonly StudyPoint[], label: Label): Judgement {
  const own = points.filter(({ arm }) => arm === rule.arm).sort((a, b) => a.level - b.level);
  const point = rule.at === 'last' ? own.filter(({ limit: kind }) => kind !== null).at(-1) : own.find(({ level }) => level === rule.at);
  if (point?.limit == null || !point.valid) return { agrees: null, sentence: `${label(rule.arm)}: no verdict could be reached.` };
  return {
    agrees: rule.kinds.includes(point.limit),
    sentence:
      `${label(rule.arm)} at ${point.level}: the verdict is “${kindWords(point.limit)}” (asked for: ${rule.kinds.map(kindWords).join(' or ')}). ${point.limitSentence ?? ''}`.trim(),
  };
}

function value(rule: Extract<ShapeRule, { rule: 'value' }>, points: readonly StudyPoint[], label: Label): Judgement {
  const found = valueAt(points, rule.arm, rule.figure, rule.at, [rule.arm]);
  if (found === null) return unknown(label(rule.arm), rule.figure);
  return {
    agrees: found.value >= (rule.min ?? -Infinity) && found.value <= (rule.max ?? Infinity),
    sentence: `${label(rule.arm)}: ${names[rule.figure]} is ${figureText(rule.figure, found.value)} (${range(rule.min, rule.max, rule.figure)} is asked for).`,
  };
}

/** Whether a value lies outside of a range; a throughput only when its whole interval does. */
function beyond({ value: found, point }: Seen, name: FigureName, low: number, high: number): boolean {
  const { throughput } = point;
  if (name !== 'throughput' || throughput?.ciLow == null || throughput.ciHigh === null) return found < low || found > high;
  return throughput.ciHigh < low || throughput.ciLow > high;
}

function kindWords(kind: string): string {
  return kind.replaceAll('-', ' ');
}

function range(min: number | undefined, max: number | undefined, name?: FigureName): string {
  const text = (limitValue: number): string => (name === undefined ? figure(limitValue) : figureText(name, limitValue));
  if (min !== undefined && max !== undefined) return `${text(min)} to ${text(max)}`;
  if (min !== undefined) return `at least ${text(min)}`;
  return max === undefined ? 'anything' : `at most ${text(max)}`;
}

function overlap(a: StudyPoint, b: StudyPoint): boolean {
  const interval = ratioInterval(a, b);
  return interval !== null && interval[0] <= 1 && interval[1] >= 1;
}

/** Bounds of the ratio of two independent throughputs: their logarithms' half-widths add up as squares. */
function ratioInterval(a: StudyPoint, b: StudyPoint): [number, number] | null {
  const half = (point: StudyPoint): number | null => {
    const { throughput } = point;
    if (throughput?.ciLow == null || throughput.ciHigh === null || throughput.ciLow <= 0) return null;
    return Math.log(throughput.ciHigh / throughput.ciLow) / 2;
  };
  const [first, second] = [half(a), half(b)];
  if (first === null || second === null || a.throughput === null || b.throughput === null || b.throughput.mean === 0) return null;
  const centre = Math.log(a.throughput.mean / b.throughput.mean);
  const width = Math.hypot(first, second);
  return [Math.exp(centre - width), Math.exp(centre + width)];
}

import { type CallTree, type FrameKind, frameKinds, nodeRoles } from '../../model/domain/callTree.ts';
import { remembered } from '../../model/domain/remembered.ts';
import type { ChangedFunction, DiffBox } from '../../model/domain/versionDiff.ts';
import { type DiffSide, type TreeDiff, diffTrees } from '../../calltree/diffTrees.ts';
import { stackRoles, withoutIdle } from '../../calltree/stackRoles.ts';
import { eventTotal, functionTotals } from '../../calltree/totals.ts';
import { studentTQuantile } from '../statistics/studentT.ts';
import type { FunctionPlace } from './touchedFunctions.ts';

/** Recordings of both versions, whose stacks can be joined. */
export interface RecordedSides {
  base: DiffSide;
  head: DiffSide;
  /** By number of the function in head’s recording. */
  places: readonly FunctionPlace[];
  /** Standard error of the logarithm of head’s CPU per request over base’s, as both were measured without a recorder; null or absent where they were not. */
  cpuError?: number | null;
}

/** Below this share of what all takes a change is not worth a word. */
const leastShare = 0.02;
/** Waits are timed one by one, so that counting says nothing of their chance: how long they take varies with what else the machine does. */
const leastWaitShare = 0.1;
/** So many standard errors of two counts of samples exclude chance, for any of hundreds of functions. */
const leastErrors = 4;
/**
 * Of the few functions that the change touched, one is no chance sooner, where a verdict has said already that something changed: all of them together are
 * wrong in 5 % of cases (two-sided, shared by Bonferroni), so that a single one needs 1.96 standard errors.
 */
const chanceOfTouched = 0.05;
/** With so many degrees of freedom Student’s t is the normal distribution to five digits. */
const likeNormal = 1e6;
const mostFunctions = 12;
const idle = nodeRoles.indexOf('idle');

/** One event of both sides, per request. */
export interface EventDiff {
  diff: TreeDiff;
  base: number;
  head: number;
  /** The weight of one sample, per request, on each side: distinguishes chance from change. */
  sample: { base: number; head: number };
  /**
   * Standard error of the logarithm of `head` over `base` where these were measured and only their parts are sampled; null where chance has a part in them as
   * well.
   */
  totalError: number | null;
}

/** Both sides of an event, without threads that wait for work; null where one of them does not have it, or its requests are not known. */
export function eventDiff({ base, head, cpuError }: RecordedSides, event: string): EventDiff | null {
  const [before, now] = [active(base, event), active(head, event)];
  if (before === null || now === null) return null;
  const diff = diffTrees(now, before, event, 'request');
  const sample = { base: sampleWeight(base, event), head: sampleWeight(head, event) };
  return { diff, base: eventTotal(diff.b), head: eventTotal(diff.a), sample, totalError: event === 'cpu' ? (cpuError ?? null) : null };
}

/**
 * The weight of one sample of an event, per request; 0 where nothing was sampled but all of it counted. Samples of unequal weight count as those that are
 * heavy: a few that represent long stops leave more to chance than many equal ones.
 */
function sampleWeight({ tree, requests }: DiffSide, name: string): number {
  const index = tree.events.findIndex((one) => one.name === name);
  const { samples, role } = tree;
  if (samples === null) return 0;
  let [sum, squares] = [0, 0];
  for (const [at, weight] of samples.weight.entries()) {
    if (samples.event[at] !== index || role?.[samples.node[at] as number] === idle) continue;
    sum += weight;
    squares += weight ** 2;
  }
  return sum === 0 ? 0 : squares / sum / (requests ?? 1);
}

function active(side: DiffSide, name: string): DiffSide | null {
  const event = side.tree.events.find((one) => one.name === name);
  if (event === undefined || (side.requests ?? 0) <= 0) return null;
  const busy = { ...event, self: withoutIdle(side.tree, event.self) };
  return eventTotal(busy) > 0 ? { ...side, tree: { ...side.tree, events: [busy] } } : null;
}

/**
 * Whether what a function or a line weighs per request differs by more than chance would have it, and by enough to be worth a word. `errors` are standard
 * errors of two counts of samples (Poisson); where the total was measured as well, of two shares of it (binomial) and of that total: how many samples there are
 * says nothing then of a function that is nearly all of it.
 */
export function isChange(
  { base, head, sample, totalError }: EventDiff,
  { now, before }: { now: number; before: number },
  errors = leastErrors,
): boolean {
  const least = (Math.min(sample.base, sample.head) > 0 ? leastShare : leastWaitShare) * Math.max(base, head);
  const change = Math.abs(now - before);
  const counted = (weight: number, one: number, total: number): number =>
    weight * one * (totalError === null || total <= 0 ? 1 : Math.max(0, 1 - weight / total));
  const ofTotal = ((totalError ?? 0) * (now + before)) / 2;
  const variance = counted(now, sample.head, head) + counted(before, sample.base, base) + ofTotal ** 2;
  return change >= least && change >= errors * Math.sqrt(variance);
}

function leastErrorsOfTouched(count: number): number {
  return Math.min(leastErrors, studentTQuantile(1 - chanceOfTouched / 2 / Math.max(1, count), likeNormal));
}

/** A function, and what it answers for itself on both sides, per request. */
interface Answering {
  one: ChangedFunction;
  now: number;
  before: number;
}

/** Every function of both recordings, whether or not it changed. */
function answeredFor({ diff: { tree, a, b, event, unit } }: EventDiff, places: readonly FunctionPlace[]): Answering[] {
  const byAnswer = { ...tree, func: answering(tree, places) };
  const [own, was] = [functionTotals(byAnswer, a).self, functionTotals(byAnswer, b).self];
  const [ofHead, ofBase] = [functionTotals(tree, a).total, functionTotals(tree, b).total];
  return tree.functions.name.map((_, func) => {
    const [now, before] = [own[func] as number, was[func] as number];
    const totals = { base: ofBase[func] as number, head: ofHead[func] as number };
    return { one: { name: nameOf(tree, func), ...(places[func] ?? nowhere), event, unit, ...totals, change: now - before }, now, before };
  });
}

/** The functions that answer for what changed, the touched ones first. What may be chance is left out. */
export function changedFunctions(found: EventDiff, places: readonly FunctionPlace[]): ChangedFunction[] {
  const functions = answeredFor(found, places);
  const errorsOfTouched = leastErrorsOfTouched(functions.filter(({ one, now, before }) => one.touched && now + before > 0).length);
  return functions
    .filter((each) => isChange(found, each, each.one.touched ? errorsOfTouched : leastErrors))
    .map(({ one }) => one)
    .sort((x, y) => Number(y.touched) - Number(x.touched) || Math.abs(y.change) - Math.abs(x.change))
    .slice(0, mostFunctions);
}

/** The functions that went the way of the whole event, alone and with what they call, where that was measured and changed by more than chance. Each of them alone may be chance. */
export function alongWithTotal(found: EventDiff, places: readonly FunctionPlace[]): ChangedFunction[] {
  const { base, head, totalError } = found;
  if (totalError === null || Math.abs(Math.log(head / base)) <= leastErrorsOfTouched(1) * totalError) return [];
  const went = Math.sign(head - base);
  return answeredFor(found, places).flatMap(({ one }) =>
    Math.sign(one.change) === went && Math.sign(one.head - one.base) === went ? [one] : [],
  );
}

const nowhere: FunctionPlace = { file: null, line: null, touched: false };

/**
 * For each node the function that answers for its own weight: the innermost of its stack that the change touched; else what the app called to wait, where it
 * waits, since all waits end in the same few functions of the system; else its own.
 */
function answering(tree: CallTree, places: readonly FunctionPlace[]): Int32Array {
  const answers = new Int32Array(tree.nodeCount).fill(-1);
  const touched = new Int32Array(tree.nodeCount).fill(-1);
  const called = calledByApp(tree);
  const role = stackRoles(tree);
  for (let node = 1; node < tree.nodeCount; node += 1) {
    const func = tree.func[node] as number;
    const parent = tree.parent[node] as number;
    touched[node] = places[func]?.touched === true ? func : (touched[parent] as number);
    const waits = role !== undefined && role[node] !== 0 && role[node] !== idle && kindOf(tree, func) !== 'waiting';
    const byCaller = waits && called[node] !== -1 ? (called[node] as number) : func;
    answers[node] = touched[node] === -1 ? byCaller : (touched[node] as number);
  }
  return answers;
}

/** How far a stack is: not yet in the app, in it, or in what it called. */
const reached = { before: 0, app: 1, called: 2 } as const;

/**
 * For each node what the innermost function of the app in its stack called of others’ code, or that function itself where it called none; without the app, the
 * innermost of a dependency. −1: none.
 */
function calledByApp(tree: CallTree): Int32Array {
  const called = new Int32Array(tree.nodeCount).fill(-1);
  const far = new Uint8Array(tree.nodeCount);
  for (let node = 1; node < tree.nodeCount; node += 1) {
    const func = tree.func[node] as number;
    const parent = tree.parent[node] as number;
    const kind = kindOf(tree, func);
    const own = kind === 'app' || (kind === 'dependency' && far[parent] !== reached.called);
    called[node] = own ? func : (called[parent] as number);
    far[node] =
      kind === 'app' ? reached.app : kind === 'dependency' && far[parent] === reached.app ? reached.called : (far[parent] as number);
  }
  return called;
}

function kindOf({ functions }: CallTree, func: number): FrameKind {
  return frameKinds[functions.kind[func] ?? 0] ?? 'other';
}

/** At most this many levels, and boxes at least so wide. */
const deepest = 9;
const narrowest = 0.015;
const mostBoxes = 80;

interface Box {
  func: number;
  /** How many boxes are below it; of the picture itself 0. */
  depth: number;
  base: number;
  head: number;
  /** Of what ends in it, the larger of both sides, and of what it calls; in the event’s unit. */
  width: number;
  below: Map<number, Box>;
}

/** The picture of both: the stacks of the app’s functions, with the first of a dependency that they call. A box is as wide as the larger of its two sides. */
export function diffBoxes({ diff: { tree, a, b } }: EventDiff, places: readonly FunctionPlace[]): DiffBox[] {
  const boxOf = (func: number, depth: number): Box => ({ func, depth, base: 0, head: 0, width: 0, below: new Map() });
  const root = boxOf(-1, 0);
  const boxes: Box[] = [];
  for (let node = 0; node < tree.nodeCount; node += 1) {
    const above = boxes[tree.parent[node] as number] ?? root;
    const func = tree.func[node] as number;
    let box = above;
    if (node > 0 && above.depth < deepest && isShown(tree, func, above.func))
      box = remembered(above.below, func, () => boxOf(func, above.depth + 1));
    box.base += b.self[node] as number;
    box.head += a.self[node] as number;
    boxes.push(box);
  }
  const measure = (box: Box): number => {
    const own = Math.max(box.base, box.head);
    let called = 0;
    for (const one of box.below.values()) {
      called += measure(one);
      box.base += one.base;
      box.head += one.head;
    }
    box.width = own + called;
    return box.width;
  };
  const all = Math.max(measure(root), Number.MIN_VALUE);
  const drawn: DiffBox[] = [];
  const draw = (box: Box, at: number): void => {
    let start = at;
    for (const one of [...box.below.values()].sort((x, y) => y.width - x.width)) {
      const width = one.width / all;
      if (width < narrowest) break;
      const { func, depth, base, head } = one;
      drawn.push({ name: nameOf(tree, func), ...(places[func] ?? nowhere), depth: depth - 1, start, width, base, head });
      draw(one, start);
      start += width;
    }
  };
  draw(root, 0);
  return drawn.sort((x, y) => x.depth - y.depth || x.start - y.start).slice(0, mostBoxes);
}

function isShown(tree: CallTree, func: number, above: number): boolean {
  const kind = kindOf(tree, func);
  return kind === 'app' || ((kind === 'dependency' || kind === 'waiting') && above >= 0 && kindOf(tree, above) === 'app');
}

function nameOf({ functions }: CallTree, func: number): string {
  return (functions.name[func] ?? '').slice(0, 200);
}

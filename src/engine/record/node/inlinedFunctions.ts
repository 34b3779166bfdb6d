import { remembered } from '../../../model/domain/remembered.ts';
import type { InlineCandidates } from './inlineCandidates.ts';
import type { CpuProfile, V8CallFrame, V8PositionTick } from './v8Profiles.ts';

type ProfileNode = CpuProfile['nodes'][number];

/** Lines of a function's script, from 1; null where its end is unknown. */
export type LinesOf = (frame: V8CallFrame) => { first: number; last: number } | null;

interface Place {
  frame: V8CallFrame;
  first: number;
  last: number;
}

/** What is known of functions that may have been inlined; see {@link InlineCandidates}. */
export type Inlinable = Pick<InlineCandidates, 'chain' | 'isBracketsOnly'>;

/** Represents inlined code whose function is unknown. */
export const inlinedFrame: Readonly<V8CallFrame> = {
  functionName: '(inlined functions)',
  scriptId: '0',
  url: '',
  lineNumber: -1,
  columnNumber: -1,
};

/**
 * Gives functions that V8 inlined their time back, in place. Samples in inlined code are those of the function that it was inlined into; but
 * their lines are those of the inlined function. Where such a line belongs to one function that the node's own function calls, or else to another
 * function of the same script that the profile knows, the ticks become a callee of the node, and as many of its samples, evenly spread over time.
 * Lines outside the node's function that belong to no function for certain become the callee {@link inlinedFrame}: they are not the caller's.
 */
export function splitInlined(profile: CpuProfile, linesOf: LinesOf, inlinable: Inlinable | null): void {
  const places = functionsByScript(profile, linesOf);
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
  let nextId = profile.nodes.reduce((most, { id }) => Math.max(most, id), 0) + 1;
  const moves = new Map<number, { to: number; share: number }[]>();
  const addNode = (caller: ProfileNode, frame: V8CallFrame): ProfileNode => {
    const child = calleeOf(caller, frame, nodes, () => nextId++);
    if (!nodes.has(child.id)) {
      nodes.set(child.id, child);
      profile.nodes.push(child);
    }
    return child;
  };
  for (const node of [...profile.nodes]) {
    const ticks = node.positionTicks ?? [];
    const own = linesOf(node.callFrame);
    if (own === null || ticks.length === 0) continue;
    const all = ticks.reduce((sum, tick) => sum + tick.ticks, 0);
    const strangers = new Map<ProfileNode, V8PositionTick[]>();
    const kept: V8PositionTick[] = [];
    for (const tick of ticks) {
      const chain = inlinedChain(node.callFrame, tick.line, own, places, inlinable);
      const callee = chain.reduce(addNode, node);
      if (callee === node) kept.push(tick);
      else remembered(strangers, callee, () => []).push(tick);
    }
    if (strangers.size === 0) continue;
    node.positionTicks = kept;
    for (const [child, moved] of strangers) {
      if (child.callFrame.functionName !== inlinedFrame.functionName) child.positionTicks = merged(child.positionTicks ?? [], moved);
      const count = moved.reduce((sum, tick) => sum + tick.ticks, 0);
      node.hitCount = Math.max(0, (node.hitCount ?? 0) - count);
      child.hitCount = (child.hitCount ?? 0) + count;
      remembered(moves, node.id, () => []).push({ to: child.id, share: count / all });
    }
  }
  moveSamples(profile, moves);
}

/** The functions from a frame's callee to the one in which a line was executing; none where that is the frame itself. */
function inlinedChain(
  frame: V8CallFrame,
  line: number,
  own: { first: number; last: number },
  places: ReadonlyMap<string, readonly Place[]>,
  inlinable: Inlinable | null,
): V8CallFrame[] {
  if (line >= own.first && line <= own.last) {
    // Code of another file may be on the line of that number there.
    return inlinable?.isBracketsOnly(frame, line) === true ? (inlinable.chain(frame, line) ?? []) : [];
  }
  const chain = inlinable?.chain(frame, line) ?? null;
  if (chain !== null) return chain;
  const place = innermost(places.get(scriptOf(frame)) ?? [], line);
  return [place?.frame ?? inlinedFrame];
}

function scriptOf({ scriptId, url }: V8CallFrame): string {
  return `${scriptId} ${url}`;
}

function functionsByScript(profile: CpuProfile, linesOf: LinesOf): Map<string, Place[]> {
  const places = new Map<string, Map<string, Place>>();
  for (const { callFrame } of profile.nodes) {
    const known = remembered(places, scriptOf(callFrame), () => new Map());
    const key = `${callFrame.lineNumber}:${callFrame.columnNumber}`;
    // The script's own code begins in its first line: every line is within it, and none is inlined from it.
    if (known.has(key) || (callFrame.functionName === '' && callFrame.lineNumber === 0)) continue;
    const lines = linesOf(callFrame);
    // Lines do not distinguish functions on one line, as in minified code.
    if (lines !== null && lines.last > lines.first) known.set(key, { frame: callFrame, ...lines });
  }
  return new Map([...places].map(([script, known]) => [script, [...known.values()]]));
}

function innermost(places: readonly Place[], line: number): Place | undefined {
  return places.reduce<Place | undefined>(
    (best, place) => (place.first <= line && line <= place.last && (best === undefined || place.first >= best.first) ? place : best),
    undefined,
  );
}

/** The node's callee with that function; a new one where there is none. */
function calleeOf(node: ProfileNode, frame: V8CallFrame, nodes: ReadonlyMap<number, ProfileNode>, newId: () => number): ProfileNode {
  const children = node.children ?? [];
  const found = children.map((id) => nodes.get(id)).find((child) => child !== undefined && isSame(child.callFrame, frame));
  if (found !== undefined) return found;
  const child: ProfileNode = { id: newId(), callFrame: { ...frame }, hitCount: 0, children: [], positionTicks: [] };
  node.children = [...children, child.id];
  return child;
}

function isSame(a: V8CallFrame, b: V8CallFrame): boolean {
  return a.scriptId === b.scriptId && a.url === b.url && a.lineNumber === b.lineNumber && a.columnNumber === b.columnNumber;
}

function merged(a: readonly V8PositionTick[], b: readonly V8PositionTick[]): V8PositionTick[] {
  const byLine = new Map<number, number>();
  for (const { line, ticks } of [...a, ...b]) byLine.set(line, (byLine.get(line) ?? 0) + ticks);
  return [...byLine].map(([line, ticks]) => ({ line, ticks }));
}

/** Hands on the shares of each node's samples, by carrying the rest of each from one sample to the next. */
function moveSamples(profile: CpuProfile, moves: ReadonlyMap<number, { to: number; share: number }[]>): void {
  const { samples } = profile;
  if (samples === undefined || moves.size === 0) return;
  const owed = new Map<number, number>();
  for (const [index, id] of samples.entries()) {
    for (const { to, share } of moves.get(id) ?? []) owed.set(to, (owed.get(to) ?? 0) + share);
    const due = (moves.get(id) ?? []).find(({ to }) => (owed.get(to) ?? 0) >= 1 - 1e-9);
    if (due === undefined) continue;
    samples[index] = due.to;
    owed.set(due.to, (owed.get(due.to) ?? 0) - 1);
  }
}

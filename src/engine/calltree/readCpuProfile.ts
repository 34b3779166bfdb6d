import type { CallTree } from '../../model/domain/callTree.ts';
import { CallTreeBuilder } from '../../calltree/callTreeBuilder.ts';
import type { GrowingInts } from '../../calltree/growingColumn.ts';
import { damaged } from '../../calltree/treeLimits.ts';
import { numberIn } from '../../model/domain/remembered.ts';
import { FailureError } from '../../model/domain/failure.ts';
import { type JsonObject, listIn, listOf, numberOf, numberOr, objectOf } from './jsonDocument.ts';
import { ScannedProfile, scanCpuProfile } from './scanCpuProfile.ts';
import type { LineTicks, ScriptPlaces } from './scriptPlaces.ts';
import { eachTreeNode, scriptPlace, v8FunctionOf } from './v8Frame.ts';

const format = '.cpuprofile';
const idleName = '(idle)';
const twoOfOneId = 'two of its nodes have the same id';

/**
 * Reads a CPU profile of V8 from the bytes of its file. A node weighs the sum of `timeDeltas` (µs) of its `samples`, in the order of time. Without samples the
 * nodes' `hitCount` is used, as a count. Position ticks become the line ticks of the tree. Where `scripts` knows them, functions and lines are those of the
 * sources. For a file that differs from what V8 writes, returns why: `invalid` is no JSON, `unusual` may be a profile written by another program, a broken one,
 * or another format, which {@link readCpuProfileDocument} and its like distinguish.
 */
export function readCpuProfile(bytes: Uint8Array, scripts: ScriptPlaces | null = null): CallTree | 'invalid' | 'unusual' {
  let profile: ScannedProfile;
  try {
    profile = scanCpuProfile(bytes);
  } catch (error) {
    if (error instanceof SyntaxError) return 'invalid';
    if (error instanceof FailureError && error.failure.code === 'profile-damaged') return 'unusual';
    throw error;
  }
  return treeOf(profile, scripts);
}

/** As {@link readCpuProfile}, for a parsed document: for profiles that are valid in a way in which V8 does not write them. */
export function readCpuProfileDocument(document: JsonObject, scripts: ScriptPlaces | null = null): CallTree {
  const profile = new ScannedProfile();
  /** An id may be anything here: each becomes a number of its own. */
  const numbers = new Map<unknown, number>();
  const numberOfId = (id: unknown): number => numberIn(numbers, id);
  for (const [index, value] of listOf(document['nodes'], format, '“nodes”').entries()) {
    const node = objectOf(value, format, 'a node');
    profile.frames.push(scriptPlace(objectOf(node['callFrame'], format, 'a callFrame')));
    const hitCount = node['hitCount'] === undefined ? 0 : numberOf(node['hitCount'], format, 'a “hitCount”');
    for (const id of listIn(node, 'children', format)) profile.childIds.push(numberOfId(id));
    profile.addNode(numberOfId(node['id']), index, hitCount, node['parent'] === undefined ? -1 : numberOfId(node['parent']));
    for (const one of listIn(node, 'positionTicks', format)) {
      const tick = objectOf(one, format, 'a position tick');
      profile.addTick(index, numberOf(tick['line'], format, 'a line'), numberOf(tick['ticks'], format, 'a count of ticks'));
    }
  }
  const samples = listIn(document, 'samples', format);
  for (const id of samples) profile.samples.push(numberOfId(id));
  const deltas = samples.length === 0 ? [] : listOf(document['timeDeltas'], format, '“timeDeltas”');
  for (const delta of deltas) profile.timeDeltas.push(numberOf(delta, format, 'a time delta'));
  return treeOf(profile, scripts);
}

/**
 * Reads a CPU profile as V8 wrote it before it had `nodes`: a tree (`head`), lines from 1. Event `cpu` (ns) where samples have `timestamps` (µs) or the time
 * from start to end (s) can be shared out among them; else `samples`, by `hitCount`.
 */
export function readOldCpuProfile(document: JsonObject, scripts: ScriptPlaces | null = null): CallTree {
  const profile = new ScannedProfile();
  eachTreeNode(document, format, -1, (node, parentId) => {
    const id = numberOf(node['id'], format, 'an id');
    const frame = { ...scriptPlace(node), line: numberOr(node['lineNumber'], 0) - 1, column: -1 };
    profile.addNode(id, profile.frames.push(frame) - 1, numberOr(node['hitCount'], 0), parentId);
    return id;
  });
  const samples = listIn(document, 'samples', format);
  const stamps = listIn(document, 'timestamps', format);
  const seconds = numberOr(document['endTime'], 0) - numberOr(document['startTime'], 0);
  // Each stamp is the time of its sample; the last, where there is one more, is the end.
  const timeOf = (row: number): number => numberOf(stamps[row], format, 'a timestamp');
  if (stamps.length >= samples.length || seconds > 0) {
    for (const [row, id] of samples.entries()) {
      profile.samples.push(numberOf(id, format, 'a sample'));
      const even = (seconds * 1e6) / samples.length;
      profile.timeDeltas.push(stamps.length < samples.length ? even : row === 0 ? 0 : timeOf(row) - timeOf(row - 1));
    }
  }
  return treeOf(profile, scripts, stamps.length > samples.length ? timeOf(samples.length) - timeOf(samples.length - 1) : null);
}

/** The tree of one profile. `lastUs`: how long its last sample lasted; null where that is not known. */
function treeOf(profile: ScannedProfile, scripts: ScriptPlaces | null, lastUs: number | null = null): CallTree {
  const timed = profile.samples.length > 0;
  const builder = new CallTreeBuilder([timed ? { name: 'cpu', unit: 'ns' } : { name: 'samples', unit: 'count' }]);
  addProfile(builder, profile, { scripts, thread: -1, startUs: 0, lastUs });
  return builder.build();
}

/** The owner of a profile, and when its clock began, in µs. */
interface ProfileOwner {
  scripts: ScriptPlaces | null;
  /** Index of a thread, -1 where there is but one. */
  thread: number;
  startUs: number;
  /** How long the last sample lasted, where that is known. */
  lastUs?: number | null;
}

/**
 * Adds a profile to a tree with one event: the time of its samples (ns), or the hits of its nodes where it has no samples. A sample weighs the time until the
 * next one, as in Chrome’s DevTools, except for those in which the thread was idle; the last one as much as the file says, else as long as the mean. The time
 * before the first is that in which the profiler starts. Where V8 wrote them in another order than that of time, they are put into it first.
 */
export function addProfile(
  builder: CallTreeBuilder,
  profile: ScannedProfile,
  { scripts, thread, startUs, lastUs = null }: ProfileOwner,
): void {
  const { samples, timeDeltas } = profile;
  const indexOf = indexById(profile.ids, samples);
  const places = placeNodes(builder, profile, indexOf, scripts);
  // Idle time has no stack.
  const isIdle = (node: number): boolean => profile.frames[profile.frameOf.at(node)]?.functionName === idleName;
  let tick = 0;
  for (let node = 0; node < places.length; node += 1) {
    const place = places[node] as number;
    if (samples.length === 0 && !isIdle(node)) builder.add(place, 0, profile.hitCounts.at(node));
    const ticks: LineTicks[] = [];
    for (; tick < profile.tickNodes.length && profile.tickNodes.at(tick) === node; tick += 1)
      ticks.push({ line: profile.tickLines.at(tick), ticks: profile.tickCounts.at(tick) });
    const frame = profile.frames[profile.frameOf.at(node)];
    const own = scripts === null || frame === undefined || ticks.length === 0 ? ticks : scripts.ticksOf(frame, ticks);
    for (const { line, ticks: count } of own) builder.lineTicks(place, line, count);
  }
  if (timeDeltas.length !== samples.length && samples.length > 0)
    throw damaged(format, `it has ${samples.length} samples but ${timeDeltas.length} time deltas`);
  const times = new Float64Array(samples.length);
  let [timeUs, ordered] = [0, true];
  for (let row = 0; row < samples.length; row += 1) {
    const delta = timeDeltas.at(row);
    if (delta < 0) ordered = false;
    times[row] = timeUs += delta;
  }
  const rows = ordered ? times.keys() : Uint32Array.from(times.keys()).sort((a, b) => (times[a] as number) - (times[b] as number) || a - b);
  const sorted = ordered ? times : times.slice().sort();
  const [first = 0, last = 0] = [sorted[0], sorted.at(-1)];
  const meanNs = Math.round(1000 * (sorted.length > 1 ? (last - first) / (sorted.length - 1) : Math.max(0, first)));
  const lastNs = lastUs === null || lastUs < 0 ? meanNs : lastUs * 1000;
  let index = 0;
  for (const row of rows) {
    const node = indexOf(samples.at(row));
    if (node === -1) throw damaged(format, 'a sample names a node that is not there');
    const time = times[row] as number;
    index += 1;
    const ns = index < sorted.length ? ((sorted[index] as number) - time) * 1000 : lastNs;
    if (!isIdle(node)) builder.sample(startUs + time, places[node] as number, thread, 0, ns);
  }
}

/** Places every node in the tree: from the roots down by their children, or by `parent` where the profile says it that way. */
function placeNodes(
  builder: CallTreeBuilder,
  profile: ScannedProfile,
  indexOf: (id: number) => number,
  scripts: ScriptPlaces | null,
): Int32Array {
  const { ids, frameOf, parentIds, childIds, childEnds, frames } = profile;
  const count = ids.length;
  if (count === 0) throw damaged(format, 'it has no nodes');
  const parent = new Int32Array(count).fill(-1);
  // Callees in their order in the profile, as linked lists.
  const firstChild = new Int32Array(count).fill(-1);
  const lastChild = new Int32Array(count).fill(-1);
  const sibling = new Int32Array(count).fill(-1);
  const adopt = (above: number, below: number): void => {
    if (above === -1 || below === -1) throw damaged(format, 'a node names one that is not there');
    if (parent[below] !== -1) throw damaged(format, 'a node has two callers');
    parent[below] = above;
    const last = lastChild[above] as number;
    if (last === -1) firstChild[above] = below;
    else sibling[last] = below;
    lastChild[above] = below;
  };
  for (let node = 0, child = 0; node < count; node += 1) {
    for (const end = childEnds.at(node); child < end; child += 1) adopt(node, indexOf(childIds.at(child)));
    if (parentIds.at(node) === -1) continue;
    const above = indexOf(parentIds.at(node));
    if (parent[node] !== above || above === -1) adopt(above, node);
  }
  const functions = new Int32Array(frames.length).fill(-1);
  const functionOf = (node: number): number => {
    const frame = frameOf.at(node);
    const known = functions[frame] as number;
    if (known !== -1) return known;
    return (functions[frame] = v8FunctionOf(builder, frames[frame] ?? { functionName: '', url: '', line: -1, column: -1 }, scripts));
  };
  const places = new Int32Array(count).fill(-1);
  let placed = 0;
  for (let root = 0; root < count; root += 1) {
    if (parent[root] !== -1) continue;
    places[root] = frames[frameOf.at(root)]?.functionName === '(root)' ? 0 : builder.child(0, functionOf(root));
    placed += 1;
    let node = root;
    for (;;) {
      let next = firstChild[node] as number;
      while (next === -1 && node !== root) {
        next = sibling[node] as number;
        if (next === -1) node = parent[node] as number;
      }
      if (next === -1) break;
      node = next;
      places[node] = builder.child(places[parent[node] as number] as number, functionOf(node));
      placed += 1;
    }
  }
  if (placed < count) throw damaged(format, 'some of its nodes call each other in a circle');
  return places;
}

/** Finds a node by its id; -1 where there is none. */
function indexById(ids: GrowingInts, samples: GrowingInts): (id: number) => number {
  let largest = 0;
  for (let node = 0; node < ids.length; node += 1) largest = Math.max(largest, ids.at(node));
  // V8 counts its nodes from 1; where ids are far apart, a table by id would be larger than the profile.
  if (largest > 4 * ids.length + samples.length + 1024) {
    const byId = new Map<number, number>();
    for (let node = 0; node < ids.length; node += 1) byId.set(ids.at(node), node);
    if (byId.size < ids.length) throw damaged(format, twoOfOneId);
    return (id) => byId.get(id) ?? -1;
  }
  const byId = new Int32Array(largest + 1).fill(-1);
  for (let node = 0; node < ids.length; node += 1) {
    if (byId[ids.at(node)] !== -1) throw damaged(format, twoOfOneId);
    byId[ids.at(node)] = node;
  }
  return (id) => byId[id] ?? -1;
}

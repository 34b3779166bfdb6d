import type { CallTree } from '../../model/callTree.ts';
import { CallTreeBuilder } from '../../calltree/callTreeBuilder.ts';
import type { GrowingInts } from '../../calltree/growingColumn.ts';
import { ScanStop } from './jsonScanner.ts';
import { scanCpuProfile } from './scanCpuProfile.ts';
import type { ScannedProfile } from './scanCpuProfile.ts';
import { v8FunctionOf } from './v8Frame.ts';

/**
 * Reads a CPU profile of V8 from the bytes of its file: the same tree as `readCpuProfile` makes of the parsed document, several times faster and
 * from files that are too long for one string. Anything that is not as V8 writes it gives the reason why it was not read: `invalid` is no JSON,
 * `unusual` may be a profile, a broken one, or another format, which `readCpuProfile` and its like must tell.
 */
export function readCpuProfileBytes(bytes: Uint8Array): CallTree | 'invalid' | 'unusual' {
  try {
    return buildTree(scanCpuProfile(bytes));
  } catch (error) {
    if (error instanceof ScanStop) return error.reason;
    throw error;
  }
}

function buildTree(profile: ScannedProfile): CallTree {
  const timed = profile.samples.length > 0;
  const builder = new CallTreeBuilder([timed ? { name: 'cpu', unit: 'ns' } : { name: 'samples', unit: 'count' }]);
  const indexOf = indexById(profile.ids, profile.samples);
  const places = placeNodes(builder, profile, indexOf);
  let tick = 0;
  for (let node = 0; node < places.length; node += 1) {
    const place = places[node] as number;
    if (!timed) builder.add(place, 0, profile.hitCounts.at(node));
    for (; tick < profile.tickNodes.length && profile.tickNodes.at(tick) === node; tick += 1)
      builder.lineTicks(place, profile.tickLines.at(tick), profile.tickCounts.at(tick));
  }
  if (!timed) return builder.build();
  const { samples, timeDeltas } = profile;
  if (timeDeltas.length !== samples.length || !profile.hasTimeDeltas) throw new ScanStop('unusual');
  let timeUs = 0;
  for (let row = 0; row < samples.length; row += 1) {
    const node = indexOf(samples.at(row));
    if (node === -1) throw new ScanStop('unusual');
    const deltaUs = Math.max(0, timeDeltas.at(row));
    timeUs += deltaUs;
    builder.sample(timeUs, places[node] as number, -1, 0, deltaUs * 1000);
  }
  return builder.build();
}

/** Gives every node its place in the tree, in the order in which `readCpuProfile` does. */
function placeNodes(builder: CallTreeBuilder, profile: ScannedProfile, indexOf: (id: number) => number): Int32Array {
  const { ids, frameOf, parentIds, childIds, childEnds, frames } = profile;
  const count = ids.length;
  if (count === 0) throw new ScanStop('unusual');
  const parent = new Int32Array(count).fill(-1);
  // Callees in the order in which they are named, as linked lists.
  const firstChild = new Int32Array(count).fill(-1);
  const lastChild = new Int32Array(count).fill(-1);
  const sibling = new Int32Array(count).fill(-1);
  const adopt = (above: number, below: number): void => {
    if (above === -1 || below === -1 || parent[below] !== -1) throw new ScanStop('unusual');
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
    const { functionName, url, line } = frames[frame] ?? { functionName: '', url: '', line: -1 };
    return (functions[frame] = v8FunctionOf(builder, functionName, url, line));
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
  if (placed < count) throw new ScanStop('unusual');
  return places;
}

/** Finds a node by its id; -1 where there is none. Two nodes of one id are unusual. */
function indexById(ids: GrowingInts, samples: GrowingInts): (id: number) => number {
  let largest = 0;
  for (let node = 0; node < ids.length; node += 1) largest = Math.max(largest, ids.at(node));
  // V8 counts its nodes from 1; where ids are far apart, a table by id would be larger than the profile.
  if (largest > 4 * ids.length + samples.length + 1024) {
    const byId = new Map<number, number>();
    for (let node = 0; node < ids.length; node += 1) byId.set(ids.at(node), node);
    if (byId.size < ids.length) throw new ScanStop('unusual');
    return (id) => byId.get(id) ?? -1;
  }
  const byId = new Int32Array(largest + 1).fill(-1);
  for (let node = 0; node < ids.length; node += 1) {
    if (byId[ids.at(node)] !== -1) throw new ScanStop('unusual');
    byId[ids.at(node)] = node;
  }
  return (id) => byId[id] ?? -1;
}

import type { CallTree } from '../../model/callTree.ts';
import { CallTreeBuilder } from '../../calltree/callTreeBuilder.ts';
import { listOf, numberOf, numberOr, objectOf } from './jsonDocument.ts';
import type { JsonObject } from './jsonDocument.ts';
import { damaged } from '../../calltree/treeLimits.ts';
import { v8Function } from './v8Frame.ts';

const format = '.cpuprofile';

/**
 * Reads a CPU profile of V8. A node weighs the sum of `timeDeltas` (µs) of its `samples`; a delta below zero, which V8 writes when its clock
 * was read late, counts as zero. Without samples the nodes' `hitCount` is taken, as a count. Position ticks become the line ticks of the tree.
 */
export function readCpuProfile(profile: JsonObject): CallTree {
  const nodes = listOf(profile['nodes'], format, '“nodes”').map((node) => objectOf(node, format, 'a node'));
  if (nodes.length === 0) throw damaged(format, 'it has no nodes');
  const samples = profile['samples'] === undefined ? [] : listOf(profile['samples'], format, '“samples”');
  const timed = samples.length > 0;
  const builder = new CallTreeBuilder([timed ? { name: 'cpu', unit: 'ns' } : { name: 'samples', unit: 'count' }]);
  const places = placeNodes(builder, nodes);
  for (const [index, node] of nodes.entries()) {
    const place = places.byIndex[index] as number;
    if (!timed) builder.add(place, 0, numberOr(node['hitCount'], 0));
    if (node['positionTicks'] === undefined) continue;
    for (const value of listOf(node['positionTicks'], format, '“positionTicks”')) {
      const tick = objectOf(value, format, 'a position tick');
      builder.lineTicks(place, numberOf(tick['line'], format, 'a line'), numberOf(tick['ticks'], format, 'a count of ticks'));
    }
  }
  if (!timed) return builder.build();
  const deltas = listOf(profile['timeDeltas'], format, '“timeDeltas”');
  if (deltas.length !== samples.length) throw damaged(format, `it has ${samples.length} samples but ${deltas.length} time deltas`);
  let timeUs = 0;
  for (const [index, id] of samples.entries()) {
    const place = places.byId.get(id);
    if (place === undefined) throw damaged(format, 'a sample names a node that is not there');
    const deltaUs = Math.max(0, numberOf(deltas[index], format, 'a time delta'));
    timeUs += deltaUs;
    builder.sample(timeUs, place, -1, 0, deltaUs * 1000);
  }
  return builder.build();
}

interface Places {
  byIndex: Int32Array;
  byId: Map<unknown, number>;
}

/** Gives every node its place in the tree: from the roots down by `children`, or by `parent` where the profile says it that way. */
function placeNodes(builder: CallTreeBuilder, nodes: readonly JsonObject[]): Places {
  const indexById = new Map<unknown, number>();
  for (const [index, node] of nodes.entries()) {
    if (indexById.has(node['id'])) throw damaged(format, 'two of its nodes have the same id');
    indexById.set(node['id'], index);
  }
  const parent = new Int32Array(nodes.length).fill(-1);
  const children: number[][] = nodes.map(() => []);
  const adopt = (above: number, below: number | undefined): void => {
    if (below === undefined) throw damaged(format, 'a node names one that is not there');
    if (parent[below] !== -1) throw damaged(format, 'a node has two callers');
    parent[below] = above;
    children[above]?.push(below);
  };
  for (const [index, node] of nodes.entries()) {
    if (node['children'] !== undefined) for (const id of listOf(node['children'], format, '“children”')) adopt(index, indexById.get(id));
    if (node['parent'] === undefined) continue;
    const above = indexById.get(node['parent']);
    if (above === undefined) throw damaged(format, 'a node names one that is not there');
    if (parent[index] !== above) adopt(above, index);
  }
  const byIndex = new Int32Array(nodes.length).fill(-1);
  const waiting: number[] = [];
  for (let index = nodes.length - 1; index >= 0; index -= 1) if (parent[index] === -1) waiting.push(index);
  let placed = 0;
  for (let index = waiting.pop(); index !== undefined; index = waiting.pop()) {
    const above = parent[index] as number;
    byIndex[index] =
      above === -1 ? rootPlace(builder, nodes[index]) : builder.child(byIndex[above] as number, functionOf(builder, nodes[index]));
    placed += 1;
    const below = children[index] ?? [];
    for (let child = below.length - 1; child >= 0; child -= 1) waiting.push(below[child] as number);
  }
  if (placed < nodes.length) throw damaged(format, 'some of its nodes call each other in a circle');
  const byId = new Map<unknown, number>();
  for (const [id, index] of indexById) byId.set(id, byIndex[index] as number);
  return { byIndex, byId };
}

function functionOf(builder: CallTreeBuilder, node: JsonObject | undefined): number {
  return v8Function(builder, node?.['callFrame'], format);
}

/** V8's own `(root)` is the root of the tree; any other node without a caller is called by it. */
function rootPlace(builder: CallTreeBuilder, node: JsonObject | undefined): number {
  const frame = objectOf(node?.['callFrame'], format, 'a callFrame');
  return frame['functionName'] === '(root)' ? 0 : builder.child(0, functionOf(builder, node));
}

import type { CallTree } from '../../../src/model/domain/callTree.ts';
import { packSamples, packTree, unpackSamples, unpackTree } from '../../../src/model/domain/packedTree.ts';
import { functionTable, nodeTotals } from '../../../src/calltree/totals.ts';
import { lineTable } from '../../../src/calltree/lineTable.ts';
import { prepareProfile } from '../../../src/engine/profiles/profileParts.ts';

/** Throws where a tree that was read does not hold together: what follows takes it as it is. */
export function checkTree(tree: CallTree): void {
  const { nodeCount, parent, subtreeEnd, depth, func, functions } = tree;
  if (parent[0] !== -1 || subtreeEnd[0] !== nodeCount || depth[0] !== 0) throw new Error('the root is none');
  for (let node = 1; node < nodeCount; node += 1) {
    const above = parent[node] as number;
    if (!(above >= 0 && above < node && (subtreeEnd[node] as number) <= (subtreeEnd[above] as number)))
      throw new Error('a node lies outside its caller');
    if (depth[node] !== (depth[above] as number) + 1) throw new Error('a depth is wrong');
    if (functions.name[func[node] as number] === undefined) throw new Error('a function is not there');
  }
  for (const event of tree.events) {
    let sum = 0;
    for (const weight of event.self) {
      if (!(weight >= 0 && Number.isFinite(weight))) throw new Error('a weight is none');
      sum += weight;
    }
    const total = nodeTotals(tree, event)[0] as number;
    if (Math.abs(total - sum) > 1e-9 * sum) throw new Error('the parts do not make the whole');
  }
  for (const time of tree.samples?.timeUs ?? []) if (!Number.isFinite(time)) throw new Error('a time is none');
}

/** What a page, the marks in the source and a table make of it. */
export function useTree(tree: CallTree): void {
  const parts = prepareProfile(tree);
  parts.skeleton(parts.defaultEvent);
  checkTree({ ...unpackTree(packTree(parts.tree)), samples: null });
  const samples = packSamples(tree.samples);
  if (samples !== null) unpackSamples(samples);
  for (const event of tree.events) functionTable(tree, event);
  lineTable(parts.tree, null);
}

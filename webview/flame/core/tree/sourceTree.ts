import { type CallTree, type EventColumn, type FunctionTable, nodeRoles } from '../../../../src/model/domain/callTree.ts';
import { failure } from '../../../../src/model/domain/failure.ts';

export const idleRole = nodeRoles.indexOf('idle');

/**
 * A recording as it came, without what no view needs: columns that hold nothing are null, and every node below one that waits waits for the same,
 * unless it says something else itself.
 */
export interface SourceTree {
  nodeCount: number;
  parent: Int32Array;
  subtreeEnd: Int32Array;
  depth: Int32Array;
  func: Int32Array;
  line: Int32Array | null;
  role: Uint8Array | null;
  tier: Uint8Array | null;
  events: readonly EventColumn[];
  functions: FunctionTable;
  threads: readonly string[];
  states: readonly string[];
}

export function sourceTreeOf(tree: CallTree): SourceTree {
  const { nodeCount, parent, subtreeEnd, depth, func, events, functions, threads } = tree;
  return {
    nodeCount,
    parent,
    subtreeEnd,
    depth,
    func,
    events,
    functions,
    threads,
    line: holdsAnything(tree.line) ? tree.line : null,
    role: tree.role !== undefined && holdsAnything(tree.role) ? inheritedRoles(tree.role, parent) : null,
    tier: tree.tier !== undefined && holdsAnything(tree.tier) ? tree.tier : null,
    states: tree.states ?? [],
  };
}

/** The event of that name; fails with `no-such-event`. */
export function eventOf(tree: SourceTree, name: string, whose: string): { index: number; event: EventColumn } {
  const index = tree.events.findIndex((event) => event.name === name);
  const event = tree.events[index];
  if (event === undefined)
    throw failure('no-such-event', `${whose} holds nothing of the event “${name.slice(0, 80)}”.`, 'Choose another event.');
  return { index, event };
}

function holdsAnything(column: Int32Array | Uint8Array): boolean {
  for (let index = 0; index < column.length; index += 1) if (column[index] !== 0) return true;
  return false;
}

function inheritedRoles(own: Uint8Array, parent: Int32Array): Uint8Array {
  const role = own.slice();
  for (let node = 1; node < role.length; node += 1) if (role[node] === 0) role[node] = role[parent[node] as number] as number;
  return role;
}

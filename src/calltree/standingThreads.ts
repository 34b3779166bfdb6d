import { type CallTree, nodeRoles } from '../model/domain/callTree.ts';
import { kindCode } from './frameKind.ts';

/** Threads that were in one wait for the whole recording. */
export interface StandingThreads {
  /** The node with which the wait begins. */
  node: number;
  /** Names of threads. */
  threads: string[];
}

/** In a shorter recording a wait of a request may last from its begin to its end. */
const leastUs = 1e6;
/** A thread is first seen some time after the begin, and last some time before the end. */
const wholeTime = 0.9;
const otherWait = nodeRoles.indexOf('otherWait');
const idle = nodeRoles.indexOf('idle');

/** What was seen of a thread. */
interface Seen {
  /** The node with which the wait begins in which it always was, -1 where it was anywhere else. */
  wait: number;
  firstUs: number;
  lastUs: number;
  wallNs: number;
}

/**
 * Waits in which threads were from the begin of a recording to its end, and which no other thread passed through: no work in that time waited
 * in them. Such are threads that wait for the end of the program, or for work that did not come. Waits that have a name of their own (for a connection,
 * for the database, for a lock) never count: such a long wait is what the user looks for. None count where no other thread did anything.
 *
 * @param role by node, as an index of `nodeRoles`
 */
export function standingThreads(tree: CallTree, role: Uint8Array): StandingThreads[] {
  const { samples, events, threads } = tree;
  const wall = events.findIndex(({ name, unit }) => name === 'wall' && unit === 'ns');
  if (samples === null || wall === -1 || !role.includes(otherWait)) return [];
  const seen = new Map<number, Seen>();
  let [firstUs, lastUs] = [Infinity, -Infinity];
  for (let row = 0; row < samples.node.length; row += 1) {
    const [thread, timeUs] = [samples.thread[row] as number, samples.timeUs[row] as number];
    const wait = waitOf(tree, samples.node[row] as number, role);
    const isWall = samples.event[row] === wall;
    if (isWall) [firstUs, lastUs] = [Math.min(firstUs, timeUs), Math.max(lastUs, timeUs)];
    const known = seen.get(thread);
    if (known === undefined) {
      seen.set(thread, { wait, firstUs: timeUs, lastUs: timeUs, wallNs: isWall ? (samples.weight[row] as number) : 0 });
      continue;
    }
    if (known.wait !== wait) known.wait = -1;
    known.lastUs = timeUs;
    if (isWall) known.wallNs += samples.weight[row] as number;
  }
  const leastSeenUs = wholeTime * (lastUs - firstUs);
  if (lastUs - firstUs < leastUs) return [];
  const standing = new Map<number, string[]>();
  for (const [thread, { wait, firstUs: from, lastUs: to, wallNs }] of seen) {
    if (thread < 0 || wait < 0 || Math.max(to - from, wallNs / 1000) < leastSeenUs) continue;
    standing.set(wait, [...(standing.get(wait) ?? []), threads[thread] ?? '']);
  }
  const isManaged = belowManaged(tree);
  const ofStanding = new Set([...standing.values()].flat());
  let somebodyWorked = false;
  for (let row = 0; row < samples.node.length; row += 1) {
    if (ofStanding.has(threads[samples.thread[row] as number] ?? '')) continue;
    const node = samples.node[row] as number;
    standing.delete(waitOf(tree, node, role));
    somebodyWorked ||= isManaged[node] === 1 && role[node] !== otherWait && role[node] !== idle;
  }
  return somebodyWorked ? [...standing].map(([node, names]) => ({ node, threads: names })) : [];
}

/** The node with which the wait that a node is part of begins; -1 where it is part of none. */
function waitOf({ parent }: CallTree, node: number, role: Uint8Array): number {
  if (role[node] !== otherWait) return -1;
  let begin = node;
  while (begin > 0 && role[parent[begin] as number] === otherWait) begin = parent[begin] as number;
  return begin;
}

/** By node: 1 where it is in a stack of the app's code or of a library's. */
function belowManaged({ nodeCount, parent, func, functions }: CallTree): Uint8Array {
  const [app, dependency] = [kindCode('app'), kindCode('dependency')];
  const found = new Uint8Array(nodeCount);
  for (let node = 1; node < nodeCount; node += 1) {
    const kind = functions.kind[func[node] as number];
    found[node] = kind === app || kind === dependency ? 1 : (found[parent[node] as number] as number);
  }
  return found;
}

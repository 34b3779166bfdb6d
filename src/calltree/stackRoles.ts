import { type CallTree, type NodeRole, type TreeRemark, measuredWaits, nodeRoles } from '../model/domain/callTree.ts';
import { type StandingThreads, standingThreads } from './standingThreads.ts';
import { type WaitRule, waitRule } from './waitRules.ts';

const codeOf = (role: NodeRole): number => nodeRoles.indexOf(role);

/** What a stack went through on its way to a node, as bits. */
const [inManaged, inDriver, inBorrow, inOwnThread] = [1, 2, 4, 8];

/** Rules of functions by which no stack waits, whatever calls them, and what a stack went through that goes on from them. */
const passing: Readonly<Partial<Record<WaitRule, number>>> = {
  none: 0,
  managed: inManaged,
  databaseDriver: inManaged | inDriver,
  poolBorrow: inManaged | inBorrow,
  ownThread: inManaged | inOwnThread,
};

/**
 * What each node waits for, as the index of its role in `nodeRoles`; undefined where nobody waits. From the first frame, walking from the root,
 * at which a stack begins to wait, the whole subtree has the role: a worker that waits for its next task is idle, whatever it waits by. So is a thread
 * that was in one wait for the whole recording (`standingThreads`).
 */
export function stackRoles(tree: CallTree): Uint8Array | undefined {
  return rolesOf(tree)?.role;
}

function rolesOf(tree: CallTree): { role: Uint8Array; standing: readonly StandingThreads[] } | null {
  const { name, file } = tree.functions;
  const rules = name.map((text, func) => waitRule(text, file[func] !== ''));
  const role = new Uint8Array(tree.nodeCount);
  const waits = rules.some((rule) => !(rule in passing)) && markNamedWaits(tree, rules, role);
  if (!markMeasuredWaits(tree, role) && !waits) return null;
  const standing = standingThreads(tree, role);
  for (const { node } of standing) role.fill(codeOf('idle'), node, tree.subtreeEnd[node]);
  return { role, standing };
}

/** Gives nodes whose stack's names say that it waits their roles. True where there are any. */
function markNamedWaits(tree: CallTree, rules: readonly WaitRule[], role: Uint8Array): boolean {
  const { parent, func } = tree;
  const bits = Uint8Array.from(rules, (rule) => passing[rule] ?? 0);
  const never = Uint8Array.from(rules, (rule) => (rule in passing ? 1 : 0));
  const passed = new Uint8Array(tree.nodeCount);
  let waits = false;
  for (let node = 1; node < tree.nodeCount; node += 1) {
    const caller = parent[node] as number;
    const inherited = role[caller] as number;
    if (inherited !== 0) {
      role[node] = inherited;
      continue;
    }
    const callee = func[node] as number;
    const before = passed[caller] as number;
    passed[node] = before | (bits[callee] as number);
    if (never[callee] === 1) continue;
    const own = codeOf(roleOf(rules[callee] as WaitRule, before));
    role[node] = own;
    if (own !== 0) waits = true;
  }
  return waits;
}

/** What nodes weigh themselves, of threads that wait for work nothing. */
export function withoutIdle({ role }: CallTree, self: Float64Array): Float64Array {
  const idle = codeOf('idle');
  return role === undefined ? self : self.map((weight, node) => (role[node] === idle ? 0 : weight));
}

/** The tree with its roles, and a remark where threads were in one wait all the time; the tree itself where nobody waits. */
export function withRoles(tree: CallTree): CallTree {
  const roles = rolesOf(tree);
  if (roles === null) return tree;
  const remarks = [...(tree.remarks ?? []), ...roles.standing.map(({ node, threads }) => standRemark(tree, node, threads))];
  return { ...tree, role: roles.role, ...(remarks.length === 0 ? {} : { remarks }) };
}

/** The remark names the function that waits, which calls the first frame of the wait. */
function standRemark({ functions, func, parent }: CallTree, node: number, threads: readonly string[]): TreeRemark {
  const caller = (parent[node] as number) > 0 ? (parent[node] as number) : node;
  return { code: 'threads-stand', threads: threads.length, first: threads[0] ?? '', caller: functions.name[func[caller] as number] ?? '' };
}

function roleOf(rule: WaitRule, passed: number): NodeRole {
  if ((passed & inOwnThread) !== 0 && !(rule in passing)) return 'idle';
  switch (rule) {
    case 'idle':
    case 'poolWait':
    case 'databaseWait':
      return rule;
    case 'lockWait':
      return (passed & inBorrow) === 0 ? 'lockWait' : 'poolWait';
    case 'wait':
    case 'signalWait':
      if ((passed & inBorrow) !== 0 && (passed & inDriver) === 0) return 'poolWait';
      return 'otherWait';
    case 'socketWait':
      if ((passed & inDriver) !== 0) return 'databaseWait';
      return (passed & inManaged) === 0 ? 'none' : 'otherWait';
    case 'nativeWait':
      if ((passed & inDriver) !== 0) return 'databaseWait';
      // Threads of the virtual machine itself: its collector, its compilers, its timers.
      return (passed & inManaged) === 0 ? 'idle' : 'otherWait';
    default:
      return 'none';
  }
}

/** Gives nodes that hold nothing but measured waits of one kind, with all that they call, the role. True where there are any. */
function markMeasuredWaits(tree: CallTree, role: Uint8Array): boolean {
  const kinds = tree.events.map((event) => codeOf(measuredWaits.get(event.name) ?? 'none'));
  if (kinds.every((kind) => kind === 0)) return false;
  /** By node: the role of what its subtree measured, 255 where there is anything else. */
  const found = new Uint8Array(tree.nodeCount);
  const note = (node: number, kind: number): void => {
    const known = found[node] as number;
    found[node] = known === 0 || known === kind ? kind : 255;
  };
  const own = new Uint8Array(tree.nodeCount);
  for (const [index, { self }] of tree.events.entries()) {
    const kind = kinds[index] as number;
    for (let node = 0; node < tree.nodeCount; node += 1) {
      if (self[node] === 0) continue;
      note(node, kind === 0 ? 255 : kind);
      if (kind !== 0) own[node] = 1;
    }
  }
  for (let node = tree.nodeCount - 1; node > 0; node -= 1) if (found[node] !== 0) note(tree.parent[node] as number, found[node] as number);
  let any = false;
  for (let node = 1; node < tree.nodeCount; node += 1) {
    const kind = found[node] as number;
    if (own[node] !== 1 || kind === 0 || kind === 255 || role[node] !== 0) continue;
    for (let below = node; below < (tree.subtreeEnd[node] as number); below += 1) role[below] ||= kind;
    any = true;
  }
  return any;
}

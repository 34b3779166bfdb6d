import { frameKinds, nodeRoles } from '../../../src/model/domain/callTree.ts';

/**
 * The meaning of a box's colour: the kind of its frame, or, where the stack waits, for what. One theme-dependent CSS colour each
 * (`--bf-app`, `--bf-poolWait` …), chosen from palettes that hold for colour-blind eyes; the legend and the tooltip name it in words.
 */
export const categories = [...frameKinds, 'poolWait', 'databaseWait', 'lockWait', 'otherWait'] as const;
export type Category = (typeof categories)[number];

/** For people, in legends and tooltips. */
export const categoryLabels: Record<Category, string> = {
  app: 'app',
  dependency: 'dependency',
  runtime: 'runtime',
  native: 'native',
  kernel: 'kernel',
  gc: 'GC',
  jit: 'JIT compiler',
  waiting: 'waiting',
  idle: 'idle',
  other: 'other',
  poolWait: 'waiting for the pool',
  databaseWait: 'database I/O',
  lockWait: 'waiting for a lock',
  otherWait: 'waiting',
};

const categoryOfRole = nodeRoles.map((role) => (role === 'none' ? -1 : categories.indexOf(role)));

/** Index into {@link categories} for a function's kind and a node's role, both as the bytes of the tree. */
export function categoryOf(kind: number, role: number): number {
  const byRole = categoryOfRole[role] ?? -1;
  return byRole === -1 ? kind : byRole;
}

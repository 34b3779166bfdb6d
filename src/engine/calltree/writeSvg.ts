import { type CallTree, type EventColumn, type FrameKind, type NodeRole, frameKinds, nodeRoles } from '../../model/domain/callTree.ts';
import { type SvgFill, svgPage } from './svgPage.ts';
import { shortened } from '../../model/domain/plainText.ts';
import { amount } from './svgText.ts';
import { cutWeight } from '../../calltree/cutStacks.ts';
import { treeLimits } from '../../calltree/treeLimits.ts';
import { eventTotal, nodeTotals } from '../../calltree/totals.ts';

/**
 * Fills by kind and, where a stack waits, by what for: from Okabe and Ito's palette for colour-blind eyes, paled for dark text on light and
 * deepened for light text on dark.
 */
const kindFills: Record<FrameKind, SvgFill> = {
  app: { label: 'app', light: '#f5c26b', dark: '#8a5a00' },
  dependency: { label: 'dependency', light: '#9fd3f2', dark: '#1f5f86' },
  runtime: { label: 'runtime', light: '#8fd8c0', dark: '#0b614a' },
  native: { label: 'native', light: '#d9d9d9', dark: '#54575c' },
  kernel: { label: 'kernel', light: '#f2a98c', dark: '#8d3a10' },
  gc: { label: 'GC', light: '#e6b3d0', dark: '#7b3f62' },
  jit: { label: 'JIT compiler', light: '#f4ea8e', dark: '#6b6210' },
  waiting: { label: 'waiting', light: '#b5b8ee', dark: '#43478f' },
  idle: { label: 'idle', light: '#ececec', dark: '#3b3d41' },
  other: { label: 'other', light: '#e0d6c8', dark: '#5b5348' },
};
const roleFills: Partial<Record<NodeRole, SvgFill>> = {
  poolWait: { label: 'waiting for the pool', light: '#c79be8', dark: '#6a3596' },
  databaseWait: { label: 'waiting for the database', light: '#7fa8f0', dark: '#264f9e' },
  lockWait: { label: 'waiting for a lock', light: '#ef8fa6', dark: '#8f2743' },
};
const fills = new Map<string, SvgFill>([...Object.entries(kindFills), ...Object.entries(roleFills)]);
/** A role without a fill of its own is a wait without details. */
const fillOfRole: readonly (string | null)[] = nodeRoles.map((role) => (role === 'none' ? null : role === 'otherWait' ? 'waiting' : role));

/** A self-contained picture of one event: no script, light or dark by the reader's system, a tooltip per frame. Callees are below their caller. */
export function writeSvg(tree: CallTree, event: EventColumn, title: string): string {
  const totals = nodeTotals(tree, event);
  const all = Math.max(totals[0] as number, Number.MIN_VALUE);
  const leftOut = tree.leftOut?.find((one) => one.event === event.name);
  const without = leftOut === undefined ? '' : ` · ${leftOut.samples.toLocaleString('en')} samples of the recorder itself left out`;
  const deeper = cutWeight(tree, event);
  const cutShort =
    deeper === 0 ? '' : ` · ${amount(deeper, event.unit)} deeper than ${treeLimits.depth.toLocaleString('en')} frames, cut there`;
  return svgPage({
    tree,
    totals,
    title,
    fills,
    head: `${shortened(title, 100)} · ${shortened(event.name, 40)} · ${amount(eventTotal(event), event.unit)}${without}${cutShort}`,
    fillOf: (node) => fillOfRole[tree.role?.[node] ?? 0] ?? frameKinds[tree.functions.kind[tree.func[node] as number] ?? 0] ?? 'other',
    tooltipOf(node) {
      const total = totals[node] as number;
      return `total ${amount(total, event.unit)} (${((100 * total) / all).toFixed(2)} %), self ${amount(event.self[node] as number, event.unit)}`;
    },
  });
}

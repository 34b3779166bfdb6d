import { codeTiers, frameKinds } from '../../model/domain/callTree.ts';
import type { CallTree, EventColumn } from '../../model/domain/callTree.ts';
import { BoundedText } from './boundedText.ts';
import { withSuffix } from '../../calltree/frameKind.ts';

/** Collapsed stacks of one event: `root;callee;leaf 12`, in depth-first order. What would break a line apart becomes a space or a colon. */
export function writeCollapsed(tree: CallTree, event: EventColumn): string {
  const { name, kind } = tree.functions;
  const safeNames = name.map(
    (text) => text.replace(/[\u0000-\u0008\u000a-\u001f\u007f-\u009f]+/g, ' ').replaceAll(';', ':') || '(unnamed)',
  );
  /** Frames by tier, then by function. */
  const frames = codeTiers.map(() => new Array<string>());
  const frameOf = (node: number): string => {
    const tier = tree.tier?.[node] ?? 0;
    const func = tree.func[node] as number;
    const ofTier = frames[tier] ?? [];
    return (ofTier[func] ??= withSuffix(safeNames[func] ?? '', frameKinds[kind[func] ?? 0] ?? 'other', codeTiers[tier]));
  };
  const out = new BoundedText();
  const path: string[] = [];
  for (let node = 0; node < tree.nodeCount; node += 1) {
    path.length = tree.depth[node] as number;
    if (node > 0) path[path.length - 1] = frameOf(node);
    const weight = event.self[node] as number;
    if (weight > 0) out.push(`${path.join(';')} ${weight}\n`);
  }
  return out.toString();
}

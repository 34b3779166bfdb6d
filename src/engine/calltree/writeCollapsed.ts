import { frameKinds } from '../../model/callTree.ts';
import type { CallTree, EventColumn } from '../../model/callTree.ts';
import { BoundedText } from './boundedText.ts';
import { withSuffix } from './frameKind.ts';

/** Collapsed stacks of one event: `root;callee;leaf 12`, in depth-first order. What would break a line apart becomes a space or a colon. */
export function writeCollapsed(tree: CallTree, event: EventColumn): string {
  const { name, kind } = tree.functions;
  const frames = name.map((text, func) => {
    const safe = text.replace(/[\r\n\u0000-\u0008\u000b-\u001f]+/g, ' ').replaceAll(';', ':');
    return withSuffix(safe === '' ? '(unnamed)' : safe, frameKinds[kind[func] ?? 0] ?? 'other');
  });
  const out = new BoundedText();
  const path: string[] = [];
  for (let node = 0; node < tree.nodeCount; node += 1) {
    path.length = tree.depth[node] as number;
    if (node > 0) path[path.length - 1] = frames[tree.func[node] as number] ?? '';
    const weight = event.self[node] as number;
    if (weight > 0) out.push(`${path.join(';')} ${weight}\n`);
  }
  return out.toString();
}

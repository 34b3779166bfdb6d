import { type CallTree, type EventColumn, codeTiers, frameKinds } from '../../model/domain/callTree.ts';
import { BoundedText } from './boundedText.ts';
import { withSuffix } from '../../calltree/frameKind.ts';
import { collapsedNames, eachStack } from './stackFrames.ts';

/** Collapsed stacks of one event: `root;callee;leaf 12`, in depth-first order. */
export function writeCollapsed(tree: CallTree, event: EventColumn): string {
  const { kind } = tree.functions;
  const names = collapsedNames(tree);
  /** Frames by tier, then by function. */
  const frames = codeTiers.map(() => new Array<string>());
  const frameOf = (node: number): string => {
    const tier = tree.tier?.[node] ?? 0;
    const func = tree.func[node] as number;
    const ofTier = frames[tier] ?? [];
    return (ofTier[func] ??= withSuffix(names[func] ?? '', frameKinds[kind[func] ?? 0] ?? 'other', codeTiers[tier]));
  };
  const out = new BoundedText();
  eachStack(tree, frameOf, (node, path) => {
    const weight = event.self[node] as number;
    if (weight > 0) out.push(`${path.join(';')} ${weight}\n`);
  });
  return out.toString();
}

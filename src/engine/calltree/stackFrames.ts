import type { CallTree } from '../../model/domain/callTree.ts';

/** Calls back for each node, the root first, with the frames of its stack from the root to the leaf. The list is the same one each time. */
export function eachStack<Frame>(
  { nodeCount, depth }: CallTree,
  frameOf: (node: number) => Frame,
  use: (node: number, path: readonly Frame[]) => void,
): void {
  const path: Frame[] = [];
  for (let node = 0; node < nodeCount; node += 1) {
    path.length = depth[node] as number;
    if (node > 0) path[path.length - 1] = frameOf(node);
    use(node, path);
  }
}

/** The names of functions as a line of collapsed stacks can hold them: what would break it apart becomes a space or a colon. */
export function collapsedNames({ functions }: CallTree): string[] {
  return functions.name.map((text) => text.replace(/[\u0000-\u0008\u000a-\u001f\u007f-\u009f]+/g, ' ').replaceAll(';', ':') || '(unnamed)');
}

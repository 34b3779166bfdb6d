import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readCollapsed } from '../../../src/engine/calltree/readCollapsed.ts';
import type { CallTree } from '../../../src/model/domain/callTree.ts';

const encoder = new TextEncoder();

/** What each stack weighs itself, by its frames in the order of first appearance of their first caller. */
function selfByStack({ nodeCount, parent, func, functions, events }: CallTree): Map<string, number> {
  const stackOf: string[] = [''];
  const found = new Map<string, number>();
  for (let node = 1; node < nodeCount; node += 1) {
    const above = stackOf[parent[node] as number] as string;
    const name = functions.name[func[node] as number] as string;
    const stack = above === '' ? name : `${above};${name}`;
    stackOf.push(stack);
    const self = events[0]?.self[node] ?? 0;
    if (self > 0) found.set(stack, (found.get(stack) ?? 0) + self);
  }
  return found;
}

function summed(lines: readonly { stack: string[]; weight: number }[]): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { stack, weight } of lines) sums.set(stack.join(';'), (sums.get(stack.join(';')) ?? 0) + weight);
  return sums;
}

function textOf(lines: readonly { stack: string[]; weight: number }[]): Uint8Array {
  return encoder.encode(lines.map(({ stack, weight }) => `${stack.join(';')} ${weight}`).join('\n'));
}

describe('collapsed stacks', () => {
  it('are told apart whatever the lengths and bytes of their names are', () => {
    // Beginnings of one another, of every length around a word's, and names that differ in their last bytes alone.
    const name = fc.oneof(
      fc.integer({ min: 1, max: 13 }).map((length) => 'abcdefghijklm'.slice(0, length)),
      fc.constantFrom(
        'abcdefgX',
        'abcdefgY',
        'abcd\u0000',
        'abcd\u0000\u0000',
        'é',
        'éé',
        '日本語',
        '名:<;>'.replace(';', ''),
        '\u007f',
        '🙂🙂',
      ),
    );
    const line = fc.record({ stack: fc.array(name, { minLength: 1, maxLength: 9 }), weight: fc.integer({ min: 1, max: 9 }) });
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 30 }), (lines) => {
        expect(selfByStack(readCollapsed(textOf(lines)))).toEqual(summed(lines));
      }),
    );
  });

  it('keep their weights below functions that call a few, and many thousands', () => {
    const lines = Array.from({ length: 30_000 }, (_, index) => ({
      // The same callees again and again, in another order each time.
      stack: [`caller${index % 3}`, `callee${(index * 7919) % (index % 3 === 0 ? 7 : index % 3 === 1 ? 10 : 9_000)}`, `leaf${index % 11}`],
      weight: 1 + (index % 5),
    }));
    const tree = readCollapsed(textOf(lines));
    const expected = summed(lines);
    expect(selfByStack(tree)).toEqual(expected);
    const below = new Set([...expected.keys()].flatMap((stack) => stack.split(';').map((_, end, all) => all.slice(0, end + 1).join(';'))));
    expect(tree.nodeCount).toBe(1 + below.size);
    const misplaced = Array.from(tree.func.keys())
      .slice(1)
      .filter((node) => {
        const caller = tree.parent[node] as number;
        const inside = caller < node && (tree.subtreeEnd[node] as number) <= (tree.subtreeEnd[caller] as number);
        return !inside || tree.depth[node] !== (tree.depth[caller] as number) + 1;
      });
    expect(misplaced).toEqual([]);
  });

  it('have callees in the order of their first appearance', () => {
    const callees = Array.from({ length: 40 }, (_, index) => `callee${(index * 13) % 40}`);
    const tree = readCollapsed(textOf([...callees, ...callees.toReversed()].map((callee) => ({ stack: ['caller', callee], weight: 1 }))));
    expect(Array.from(tree.func.subarray(2), (func) => tree.functions.name[func])).toEqual(callees);
  });
});

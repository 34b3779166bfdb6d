import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Transform } from '../../../../src/calltree/transforms.ts';
import {
  boxesByPath,
  engineWith,
  expectWellFormed,
  functions,
  namesOf,
  observations,
  recordingOf,
  transformedNames,
  weighed,
  wholeView,
} from './recordings.ts';

const transform = (nodes: number): fc.Arbitrary<Transform> =>
  fc.oneof(
    fc.record({ kind: fc.constantFrom('focusNode' as const, 'dropNode' as const), node: fc.nat(nodes - 1) }),
    fc.record({
      kind: fc.constantFrom('focusFunction' as const, 'hideFunction' as const, 'dropFunction' as const),
      func: fc.nat(functions.length - 1),
    }),
    fc.record({ kind: fc.constantFrom('foldRecursion' as const, 'foldLibraries' as const) }),
  );

describe('what is done to the stacks', () => {
  it('follows the definition of each step, in the order in which they were asked for', () => {
    fc.assert(
      fc.property(
        observations.chain((list) => fc.tuple(fc.constant(list), fc.array(transform(recordingOf(list).nodeCount), { maxLength: 2 }))),
        ([list, transforms]) => {
          const tree = recordingOf(list);
          const { name } = tree.functions;
          const pathOfNode = (node: number): string[] =>
            node <= 0 ? [] : [...pathOfNode(tree.parent[node] as number), name[tree.func[node] as number] as string];
          // A node is that of the recording: after a first step its stack is another, so that the step by node comes first here.
          const steps = [...transforms]
            .sort((a, b) => Number('node' in b) - Number('node' in a))
            .filter((one, index) => index === 0 || !('node' in one))
            // Folding is of what is drawn in the end.
            .sort((a, b) => Number(a.kind === 'foldLibraries') - Number(b.kind === 'foldLibraries'));
          let stacks = list.map((one) => ({ names: namesOf(one), weight: one.weightNs }));
          for (const step of steps) {
            stacks = stacks.flatMap(({ names, weight }) => {
              const left = transformedNames(names, step, pathOfNode, (func) => name[func] ?? '(none)');
              return left === null ? [] : [{ names: left, weight }];
            });
          }
          const layout = engineWith(tree).layout({ ...wholeView, transforms: steps });
          expectWellFormed(layout);
          expect(boxesByPath(layout, name)).toEqual(weighed(stacks));
        },
      ),
      { numRuns: 200 },
    );
  });

  it('finds a node again after earlier steps', () => {
    const observed = [
      { frames: [{ func: 0, line: 0 }, { func: 2, line: 0 }, { func: 1, line: 0 }], role: 'none' as const, thread: 0, state: 0, weightNs: 5 }, // prettier-ignore
      { frames: [{ func: 0, line: 0 }, { func: 1, line: 0 }], role: 'none' as const, thread: 0, state: 0, weightNs: 7 }, // prettier-ignore
    ];
    const tree = recordingOf(observed);
    const { name } = tree.functions;
    const engine = engineWith(tree);
    const hidden = { kind: 'hideFunction' as const, func: name.indexOf('constructor') };
    const layout = engine.layout({ ...wholeView, transforms: [hidden] });
    const box = Array.from(layout.func).indexOf(name.indexOf('__proto__'));
    expect(layout.w[box]).toBe(12);
    const focused = engine.layout({ ...wholeView, transforms: [hidden, { kind: 'focusNode', node: layout.node[box] as number }] });
    expect(boxesByPath(focused, name)).toEqual(weighed([{ names: ['__proto__'], weight: 12 }]));
    expect(engine.layout({ ...wholeView, transforms: [hidden, { kind: 'dropNode', node: layout.node[box] as number }] }).total).toBe(0);
  });
});

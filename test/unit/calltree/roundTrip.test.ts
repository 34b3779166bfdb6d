import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readProfile } from '../../../src/engine/calltree/openProfile.ts';
import { readCollapsed } from '../../../src/engine/calltree/readCollapsed.ts';
import { writeCollapsed } from '../../../src/engine/calltree/writeCollapsed.ts';
import { writePprof } from '../../../src/engine/calltree/writePprof.ts';
import { writeSpeedscope } from '../../../src/engine/calltree/writeSpeedscope.ts';
import type { CallTree } from '../../../src/model/domain/callTree.ts';
import { described, eventHeads, hostileNames, stacks, treeOf } from './trees.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const anyName = fc.oneof(fc.constantFrom(...hostileNames), fc.string({ unit: 'binary', maxLength: 8 }));
/** What a collapsed line can hold; and none that UTF-8 cannot. */
const lineName = anyName.map((name) => name.replace(/[\p{Surrogate}\p{Cc};]/gu, '') || 'f');
/** Without what is read as an ending of async-profiler. */
const plainName = lineName.map((name) => name.replace(/_\[[01ijk]\]$/, '') || 'f');
const wellFormed = anyName.map((name) => name.replace(/\p{Surrogate}/gu, '?') || 'f');

function only<T>(list: readonly T[]): T {
  const [first] = list;
  if (first === undefined) throw new Error('nothing there');
  return first;
}

const collapsed = (tree: CallTree): string => writeCollapsed(tree, only(tree.events));

describe('what is written is read as the same', () => {
  it('in collapsed stacks, kinds included', () => {
    fc.assert(
      fc.property(stacks(plainName, 1, true), (list) => {
        const tree = treeOf(list, [{ name: 'samples', unit: 'count' }]);
        const again = readCollapsed(bytes(collapsed(tree)));
        expect(described(again)).toEqual(
          described(
            treeOf(
              list.filter(({ weights }) => weights[0] !== 0),
              tree.events,
            ),
          ),
        );
      }),
      { numRuns: 150 },
    );
  });

  it('in collapsed stacks whose names end like those of async-profiler', () => {
    fc.assert(
      fc.property(stacks(lineName, 1, true), (list) => {
        const tree = readCollapsed(
          bytes(list.map(({ frames, weights }) => `${frames.map(({ name }) => name).join(';')} ${weights[0]}`).join('\n')),
        );
        expect(described(readCollapsed(bytes(collapsed(tree))))).toEqual(described(tree));
      }),
      { numRuns: 150 },
    );
  });

  it('in speedscope files, with lines and several events', () => {
    fc.assert(
      fc.property(stacks(anyName, 2), (list) => {
        const tree = treeOf(list, eventHeads);
        const again = readProfile(bytes(writeSpeedscope(tree, tree.events, 'x')));
        // A profile holds the stacks of its own event only, so that the order of callees may differ; the stacks do not.
        expect(stackSet(again)).toEqual(stackSet(tree));
      }),
      { numRuns: 150 },
    );
  });

  it('in speedscope files of one event, node by node', () => {
    fc.assert(
      fc.property(stacks(anyName, 1), (list) => {
        const tree = treeOf(list, eventHeads.slice(0, 1));
        expect(described(readProfile(bytes(writeSpeedscope(tree, tree.events, 'x'))))).toEqual(described(tree));
      }),
      { numRuns: 150 },
    );
  });

  it('in pprof, with lines and several events, node by node', () => {
    fc.assert(
      fc.property(stacks(wellFormed, 2), (list) => {
        const tree = treeOf(list, eventHeads);
        expect(described(readProfile(writePprof(tree, tree.events)))).toEqual(described(tree));
      }),
      { numRuns: 150 },
    );
  });
});

/** All stacks that weigh anything, sorted. */
function stackSet(tree: CallTree): string[] {
  const { name, file, line } = tree.functions;
  const found: string[] = [];
  const path: string[] = [];
  for (const [node, func] of tree.func.entries()) {
    path.length = tree.depth[node] ?? 0;
    if (node > 0) path[path.length - 1] = JSON.stringify([name[func], file[func], line[func], tree.line[node]]);
    const weights = tree.events.map((event) => event.self[node] ?? 0);
    if (weights.some((weight) => weight > 0)) found.push(`${path.join('>')} ${weights.join(' ')}`);
  }
  return found.sort();
}

describe('collapsed stacks', () => {
  it('lose the endings of async-profiler, which become kinds', () => {
    const tree = readCollapsed(
      bytes('Main.main_[j];java/util/HashMap.get_[i];org/postgresql/Driver.connect_[0];read_[k] 7\nMain.main_[1];G1Collect::run 2\r\n\n'),
    );
    expect(tree.functions.name).toEqual(['Main.main', 'java/util/HashMap.get', 'org/postgresql/Driver.connect', 'read', 'G1Collect::run']);
    expect(Array.from(tree.functions.kind)).toEqual([0, 2, 1, 4, 5]);
    expect(Array.from(only(tree.events).self)).toEqual([0, 0, 0, 0, 7, 2]);
  });

  it('of the same stack are added up, and a stack of no frames is the root', () => {
    const tree = readCollapsed(bytes('a;b 1\na;b 2.5\na 1e2\n 4\n'));
    expect(Array.from(only(tree.events).self)).toEqual([4, 100, 3.5]);
  });
});

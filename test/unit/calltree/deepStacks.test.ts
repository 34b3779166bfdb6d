import { describe, expect, it } from 'vitest';
import { cutNotes, deeperFrames } from '../../../src/calltree/cutStacks.ts';
import { joinTrees } from '../../../src/calltree/joinTrees.ts';
import { functionTable } from '../../../src/calltree/totals.ts';
import { treeLimits } from '../../../src/calltree/treeLimits.ts';
import { readProfile } from '../../../src/engine/calltree/openProfile.ts';
import { writeCollapsed } from '../../../src/engine/calltree/writeCollapsed.ts';
import { writeFunctionJson } from '../../../src/engine/calltree/writeFunctionJson.ts';
import { writePprof } from '../../../src/engine/calltree/writePprof.ts';
import { writeSpeedscope } from '../../../src/engine/calltree/writeSpeedscope.ts';
import { writeSvg } from '../../../src/engine/calltree/writeSvg.ts';
import type { CallTree, EventColumn } from '../../../src/model/domain/callTree.ts';
import { packTree, unpackTree } from '../../../src/model/domain/packedTree.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const json = (value: unknown): Uint8Array => bytes(JSON.stringify(value));
const frameOf = (functionName: string): object => ({
  functionName,
  scriptId: '1',
  url: 'file:///app/parse.js',
  lineNumber: 3,
  columnNumber: 1,
});

/** A recursion of so many frames of `down`, at the bottom of which `leaf` weighs 3, and next to it `flat`, which weighs 1. */
const recorded: Record<string, (frames: number) => Uint8Array> = {
  'collapsed stacks': (frames) => bytes(`${'down;'.repeat(frames)}leaf 3\nflat 1\n`),
  'a CPU profile': (frames) => {
    const nodes = [
      { id: 1, callFrame: frameOf('(root)'), hitCount: 0, children: [2, frames + 3] },
      ...Array.from({ length: frames }, (_, index) => ({ id: index + 2, callFrame: frameOf('down'), hitCount: 0, children: [index + 3] })),
      { id: frames + 2, callFrame: frameOf('leaf'), hitCount: 3, positionTicks: [{ line: 5, ticks: 3 }] },
      { id: frames + 3, callFrame: frameOf('flat'), hitCount: 1 },
    ];
    return json({ nodes, startTime: 0, endTime: 1 });
  },
  'a heap profile': (frames) => {
    // Written as text: JSON.stringify goes no deeper than the stack does.
    const open = `{"callFrame":${JSON.stringify(frameOf('down'))},"selfSize":0,"children":[`;
    const leaf = (name: string, selfSize: number): string => JSON.stringify({ callFrame: frameOf(name), selfSize, children: [] });
    return bytes(
      `{"head":{"callFrame":${JSON.stringify(frameOf('(root)'))},"selfSize":0,"children":[${open.repeat(frames)}${leaf('leaf', 3)}${']}'.repeat(frames)},${leaf('flat', 1)}]}}`,
    );
  },
  'a speedscope file': (frames) =>
    json({
      shared: { frames: [{ name: 'down' }, { name: 'leaf' }, { name: 'flat' }] },
      profiles: [
        {
          type: 'sampled',
          name: 'x',
          unit: 'none',
          startValue: 0,
          endValue: 4,
          weights: [3, 1],
          samples: [[...Array.from({ length: frames }, () => 0), 1], [2]],
        },
      ],
    }),
  'a speedscope file of events': (frames) => {
    const turn = (type: string, frame: number, at: number): object => ({ type, frame, at });
    const down = Array.from({ length: frames });
    const events = [
      ...[...down.map(() => turn('O', 0, 0)), turn('O', 1, 0), turn('C', 1, 3)],
      ...[...down.map(() => turn('C', 0, 3)), turn('O', 2, 3), turn('C', 2, 4)],
    ];
    return json({
      shared: { frames: [{ name: 'down' }, { name: 'leaf' }, { name: 'flat' }] },
      profiles: [{ type: 'evented', name: 'x', unit: 'none', startValue: 0, endValue: 4, events }],
    });
  },
};
recorded['a pprof profile'] = (frames) => {
  // Read as it was written: the writer holds what the reader before it has cut.
  const tree = readProfile((recorded['collapsed stacks'] as (frames: number) => Uint8Array)(frames));
  return writePprof(tree, tree.events);
};

function only(tree: CallTree): EventColumn {
  const [event] = tree.events;
  if (event === undefined || tree.events.length > 1) throw new Error('one event is expected');
  return event;
}

const rowsOf = (tree: CallTree): Record<string, { self: number; total: number }> =>
  Object.fromEntries(functionTable(tree, only(tree)).map(({ name, self, total }) => [name, { self, total }]));

const cut = { down: { self: 0, total: 3 }, [deeperFrames]: { self: 3, total: 3 }, flat: { self: 1, total: 1 } };

describe.each(Object.entries(recorded))('stacks in %s', (_name, file) => {
  it('are whole as deep as is read', () => {
    const tree = readProfile(file(treeLimits.depth - 1));
    expect(rowsOf(tree)).toEqual({ down: { self: 0, total: 3 }, leaf: { self: 3, total: 3 }, flat: { self: 1, total: 1 } });
    expect(cutNotes(tree)).toEqual([]);
  });

  it('that are deeper keep their weight, in a frame that says where it lies', () => {
    const tree = readProfile(file(20_000));
    expect(rowsOf(tree)).toEqual(cut);
    expect(tree.depth.reduce((deepest, depth) => Math.max(deepest, depth))).toBe(treeLimits.depth + 1);
    expect(cutNotes(tree)).toEqual([{ code: 'frames-cut', event: only(tree).name, share: 0.75, depth: 16_384, frame: deeperFrames }]);
  });
});

describe('stacks that were cut', () => {
  const tree = readProfile(bytes(`${'down;'.repeat(20_000)}leaf 1\n${'down;'.repeat(19_000)}other_[j];leaf 2\nflat 1\n`));
  const event = only(tree);

  it('are told as cut by every form they are written in', () => {
    expect(writeCollapsed(tree, event)).toContain(`;${deeperFrames} 3\n`);
    expect(JSON.parse(writeFunctionJson(tree, event, () => '', { sentence: '' }))).toMatchObject({
      cut: { frames: 16_384, weight: 3 },
      functions: [{ name: deeperFrames, self: 3, total: 3 }, { name: 'flat' }, { name: 'down', total: 3 }],
    });
    expect(writeSvg(tree, event, 'x')).toContain('3 samples deeper than 16,384 frames, cut there');
    for (const again of [bytes(writeCollapsed(tree, event)), writePprof(tree, tree.events), bytes(writeSpeedscope(tree, tree.events, 'x'))])
      expect(rowsOf(readProfile(again))).toEqual(cut);
    expect(rowsOf(unpackTree(packTree(tree)))).toEqual(cut);
  });

  it('are cut in the same place when they are joined with others', () => {
    expect(rowsOf(joinTrees(tree, tree))[deeperFrames]).toEqual({ self: 6, total: 6 });
  });

  it('do not change the stacks of the lines that follow', () => {
    const deep = 'down;'.repeat(treeLimits.depth);
    const mixed = readProfile(bytes(`${deep}a;b 1\n${deep}a;c 1\n${deep}d 1\n${deep.slice(0, -5)}e 1\n${deep.slice(0, -1)} 1\ndown 1\n`));
    expect(rowsOf(mixed)).toEqual({
      down: { self: 2, total: 6 },
      e: { self: 1, total: 1 },
      [deeperFrames]: { self: 3, total: 3 },
    });
  });
});

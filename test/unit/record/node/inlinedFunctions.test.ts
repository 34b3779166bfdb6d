import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type LinesOf, inlinedFrame, splitInlined } from '../../../../src/engine/record/node/inlinedFunctions.ts';
import type { CpuProfile } from '../../../../src/engine/record/node/v8Profiles.ts';

const frame = (functionName: string, line: number, scriptId = '7'): CpuProfile['nodes'][number]['callFrame'] => ({
  functionName,
  scriptId,
  url: 'file:///app/server.mjs',
  lineNumber: line - 1,
  columnNumber: 4,
});
const ends = new Map([
  ['burn', 10],
  ['handler', 20],
]);
const linesOf: LinesOf = ({ functionName, lineNumber }) => {
  const last = ends.get(functionName);
  return last === undefined ? null : { first: lineNumber + 1, last };
};

/** `handler` (lines 13 to 20) seen in its own line 15 and in lines of `burn` (4 to 10), which the profile knows from elsewhere. */
function profile(own: number, inlined: number): CpuProfile {
  const ticks = [
    { line: 15, ticks: own },
    { line: 7, ticks: inlined },
  ].filter((tick) => tick.ticks > 0);
  return {
    nodes: [
      { id: 1, callFrame: { ...frame('(root)', 0, '0'), url: '' }, hitCount: 0, children: [2, 3] },
      { id: 2, callFrame: frame('handler', 13), hitCount: own + inlined, children: [], positionTicks: ticks },
      { id: 3, callFrame: frame('burn', 4), hitCount: 1, children: [], positionTicks: [{ line: 6, ticks: 1 }] },
    ],
    samples: [3, ...Array.from({ length: own + inlined }, () => 2)],
    startTime: 0,
    endTime: 1000,
  };
}

describe('time of functions that V8 inlined', () => {
  it('goes to the function whose lines were seen, as a callee of the one it was inlined into', () => {
    const result = profile(10, 90);
    splitInlined(result, linesOf, null);
    const handler = result.nodes.find(({ id }) => id === 2);
    const burn = result.nodes.find(({ id }) => id === handler?.children?.[0]);
    expect(handler).toMatchObject({ hitCount: 10, positionTicks: [{ line: 15, ticks: 10 }] });
    expect(burn).toMatchObject({ hitCount: 90, positionTicks: [{ line: 7, ticks: 90 }], callFrame: { functionName: 'burn' } });
    expect(result.samples?.filter((id) => id === burn?.id)).toHaveLength(90);
  });

  it('is that of inlined functions that cannot be told where the line belongs to no function that is known, and not the caller’s', () => {
    const result = profile(10, 0);
    (result.nodes[1] as { positionTicks: unknown }).positionTicks = [
      { line: 15, ticks: 10 },
      { line: 99, ticks: 5 },
    ];
    splitInlined(result, linesOf, null);
    expect(result.nodes[1]?.positionTicks).toEqual([{ line: 15, ticks: 10 }]);
    expect(result.nodes[3]).toMatchObject({ callFrame: inlinedFrame, hitCount: 5, positionTicks: [] });
    expect(result.nodes[1]?.children).toEqual([4]);
  });

  it('is not looked for in another script', () => {
    const result = profile(10, 90);
    (result.nodes[2] as { callFrame: unknown }).callFrame = frame('burn', 4, '8');
    splitInlined(result, linesOf, null);
    expect(result.nodes[3]).toMatchObject({ callFrame: inlinedFrame, hitCount: 90 });
  });

  it('goes to the functions that are named as inlined, one calling the other', () => {
    const result = profile(10, 90);
    const [outer, inner] = [frame('outer', 30, '8'), frame('inner', 3, '9')];
    splitInlined(result, linesOf, { chain: () => [outer, inner], isBracketsOnly: () => false });
    const byId = new Map(result.nodes.map((node) => [node.id, node]));
    const caller = byId.get(result.nodes[1]?.children?.[0] ?? 0);
    const callee = byId.get(caller?.children?.[0] ?? 0);
    expect(caller).toMatchObject({ callFrame: outer, hitCount: 0, positionTicks: [] });
    expect(callee).toMatchObject({ callFrame: inner, hitCount: 90, positionTicks: [{ line: 7, ticks: 90 }] });
    expect(result.samples?.filter((id) => id === callee?.id)).toHaveLength(90);
  });

  it('is told of a line of the caller’s own where nothing but a bracket stands on it', () => {
    const result = profile(10, 0);
    const inner = frame('inner', 3, '9');
    splitInlined(result, linesOf, { chain: () => [inner], isBracketsOnly: (_frame, line) => line === 15 });
    expect(result.nodes[1]).toMatchObject({ hitCount: 0, positionTicks: [] });
    expect(result.nodes.at(-1)).toMatchObject({ callFrame: inner, hitCount: 10 });
  });

  it('never adds to a profile or takes from it', () => {
    fc.assert(
      fc.property(fc.nat(200), fc.nat(200), (own, inlined) => {
        const result = profile(own, inlined);
        const before = result.samples?.length;
        splitInlined(result, linesOf, null);
        expect(result.samples).toHaveLength(before ?? 0);
        expect(result.nodes.reduce((sum, node) => sum + (node.hitCount ?? 0), 0)).toBe(own + inlined + 1);
        const ids = new Set(result.nodes.map(({ id }) => id));
        expect(result.samples?.every((id) => ids.has(id))).toBe(true);
        const callee = result.nodes[1]?.children?.[0];
        const moved = result.samples?.filter((id) => id === callee).length ?? 0;
        expect(Math.abs(moved - (own + inlined === 0 ? 0 : inlined))).toBeLessThanOrEqual(1);
      }),
    );
  });
});

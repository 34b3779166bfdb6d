import { describe, expect, it } from 'vitest';
import { CallTreeBuilder } from '../../../src/calltree/callTreeBuilder.ts';
import { coverageNotes, cpuCoverage } from '../../../src/calltree/cpuCoverage.ts';
import { weighedByKernel } from '../../../src/calltree/kernelWeights.ts';
import { eventTotal, functionTable } from '../../../src/calltree/totals.ts';
import type { CallTree } from '../../../src/model/domain/callTree.ts';

const ms = 1e6;

/** Samples of functions in threads, 5 ms each, with one of wall time. */
function recorded(samples: readonly (readonly [thread: string, name: string])[]): CallTree {
  const builder = new CallTreeBuilder([
    { name: 'wall', unit: 'ns' },
    { name: 'cpu', unit: 'ns' },
  ]);
  const nodeOf = (name: string): number => builder.child(0, builder.func(name, '', 0, 'app'));
  for (const [index, [thread, name]] of samples.entries())
    builder.sample(index, nodeOf(name), thread === '' ? -1 : builder.thread(thread), 1, 5 * ms);
  builder.sample(0, nodeOf('a'), samples[0]?.[0] === '' ? -1 : builder.thread('x'), 0, 7 * ms);
  return builder.build();
}

/** CPU time of functions, in ms. */
function cpuMs(tree: CallTree): Record<string, number> {
  const event = tree.events.find(({ name }) => name === 'cpu');
  if (event === undefined) throw new Error('no CPU time');
  return Object.fromEntries(functionTable(tree, event).map(({ name, self }) => [name, Math.round(self / ms)]));
}

describe('CPU time by the kernel', () => {
  it('is shared out among the samples of each thread, whichever way it was sampled', () => {
    const tree = recorded([
      ['x', 'a'],
      ['x', 'b'],
      ['y', 'b'],
      ['ended', 'c'],
    ]);
    const known = { ...tree, systemThreads: { ids: [[11], [12], [13]], recorder: new Map() } };
    const weighed = weighedByKernel(
      known,
      new Map([
        [11, 40 * ms],
        [12, 2 * ms],
        [99, 500 * ms],
      ]),
    );
    expect(cpuMs(weighed)).toEqual({ a: 20, b: 22, c: 5 });
    expect(Array.from(weighed.samples?.weight ?? [], (weight) => Math.round(weight / ms))).toEqual([20, 20, 2, 5, 7]);
    expect(weighed.events.map(({ name }) => name)).toEqual(['wall', 'cpu']);
    expect(eventTotal(weighed.events[0]!)).toBe(7 * ms);
  });

  it('is counted together for threads that change their names, and for names that several threads have', () => {
    const tree = recorded([
      ['x', 'a'],
      ['y', 'b'],
    ]);
    const shared = { ...tree, systemThreads: { ids: [[11, 12], [12]], recorder: new Map() } };
    expect(
      cpuMs(
        weighedByKernel(
          shared,
          new Map([
            [11, 10 * ms],
            [12, 30 * ms],
          ]),
        ),
      ),
    ).toEqual({ a: 20, b: 20 });
  });

  it('gives the recorder itself its part, which is told and not missing', () => {
    const tree = recorded([
      ['x', 'a'],
      ['x', 'a'],
      ['x', 'a'],
    ]);
    const leftOut = [{ event: 'cpu', samples: 1, ofSamples: 4 }];
    const weighed = weighedByKernel(
      { ...tree, leftOut, systemThreads: { ids: [[11]], recorder: new Map([[11, 5 * ms]]) } },
      new Map([[11, 400 * ms]]),
    );
    expect(cpuMs(weighed)).toEqual({ a: 300 });
    const cpu = { kernelNs: 420 * ms, endedNs: 0, processes: [] };
    expect(cpuCoverage(cpu, weighed)).toEqual({ kernelNs: 420 * ms, recordedNs: 300 * ms, recorderNs: 100 * ms });
    const elsewhere = [{ in: 'recorder', ns: 100 * ms }];
    expect(coverageNotes(cpu, weighed)).toEqual([{ code: 'cpu-covered', kernelNs: 420 * ms, recordedNs: 300 * ms, elsewhere }]);
  });

  it('has the thread with which V8 takes samples as the recorder’s', () => {
    const threads = [
      { number: 7, name: 'node', kernelNs: 10 * ms },
      { number: 9, name: 'v8:ProfEvntProc', kernelNs: 90 * ms },
    ];
    const cpu = { kernelNs: 100 * ms, endedNs: 0, processes: [{ pid: 7, title: 'a.mjs', kernelNs: 100 * ms, recorded: true, threads }] };
    const weighed = weighedByKernel(recorded([['', 'a']]), new Map([[7, 10 * ms]]), 7);
    expect(cpuCoverage(cpu, weighed)).toEqual({ kernelNs: 100 * ms, recordedNs: 10 * ms, recorderNs: 90 * ms });
  });

  it('is that of the one thread that a profile is of', () => {
    const tree = recorded([
      ['', 'a'],
      ['', 'b'],
    ]);
    expect(
      cpuMs(
        weighedByKernel(
          tree,
          new Map([
            [7, 3 * ms],
            [8, 500 * ms],
          ]),
          7,
        ),
      ),
    ).toEqual({ a: 2, b: 2 });
  });

  it('leaves a recording as it is where nothing is known of its threads', () => {
    const tree = recorded([['x', 'a']]);
    expect(weighedByKernel(tree, new Map([[11, 40 * ms]]))).toBe(tree);
    const known = { ...tree, systemThreads: { ids: [[11]], recorder: new Map() } };
    expect(cpuMs(weighedByKernel(known, new Map()))).toEqual({ a: 5 });
  });
});

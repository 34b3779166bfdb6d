import { describe, expect, it } from 'vitest';
import { measureRawCost } from '../../../src/engine/raw/rawCost.ts';
import { RawRecorder } from '../../../src/engine/raw/rawRecorder.ts';
import { rawCostSentence } from '../../../src/model/domain/rawSample.ts';
import { exampleRunId } from '../../support/runRecords.ts';

const request = { share: 1, maxRows: 100, timing: true };
const kept = (rows: number, more = {}) => ({ raw: { rows, droppedRows: 0, unfinished: 0, full: false, problem: null, ...more } });

describe('the raw samples of a run', () => {
  it('share its rows among its blocks, each with ids of its own, and end when there are none left', () => {
    const recorder = new RawRecorder(request, exampleRunId, '/run/raw-samples.bin');
    const first = recorder.command('node', 1);
    recorder.took(kept(60));
    const second = recorder.command('java', 1);
    recorder.took(kept(40, { full: true, unfinished: 3 }));
    expect([first?.maxRows, second?.maxRows]).toEqual([100, 40]);
    expect(first?.idPrefix).not.toBe(second?.idPrefix);
    expect(recorder.command('node', 2)).toBeUndefined();
    expect(recorder.record()).toMatchObject({ rows: 100, full: true, unfinished: 3, problem: null });
    expect(recorder.notes()).toEqual([{ code: 'raw-full', rows: 100, most: 100 }]);
  });

  it('end with a failed write, which is said, and the run goes on', () => {
    const recorder = new RawRecorder(request, exampleRunId, '/run/raw-samples.bin');
    recorder.command('node', 1);
    recorder.took(kept(5, { droppedRows: 7, problem: 'The disk is full.' }));
    expect(recorder.command('node', 2)).toBeUndefined();
    expect(recorder.notes()).toEqual([{ code: 'raw-failed', message: 'The disk is full.', rows: 5 }]);
  });

  it('say how many the disk was too slow for', () => {
    const recorder = new RawRecorder(request, exampleRunId, '/run/raw-samples.bin');
    recorder.took(kept(5, { droppedRows: 1700 }));
    expect(recorder.notes()).toEqual([{ code: 'raw-dropped', rows: 1700 }]);
  });
});

describe('what raw samples cost', () => {
  it('is the ratio of interleaved windows with and without, by process', async () => {
    const order: boolean[] = [];
    const costs = await measureRawCost({ share: 1, timing: true }, '/nonexistent/cost.bin', (raw) => {
      order.push(raw !== undefined);
      const drift = 1 + order.length / 100;
      return Promise.resolve({ requests: 1000, appCpuUs: 100_000 * drift * (raw === undefined ? 1 : 1.1), generatorCpuUs: null });
    });
    expect(order).toEqual([false, true, true, false, false, true]);
    expect(costs.map(({ process }) => process)).toEqual(['app']);
    expect(costs[0]?.ratio).toBeCloseTo(1.1, 1);
    const [cost] = costs;
    if (cost === undefined) throw new Error('no cost');
    expect(rawCostSentence(cost)).toMatch(
      /^Keeping raw samples changed the CPU time of the app from 10\d\.\d to 11\d\.\d µs per request \(\+\d+\.\d %; the 95 % interval is .* 3 pairs of windows\)\.$/,
    );
  });

  it('is called noise when the interval holds none', () => {
    const sentence = rawCostSentence({ process: 'generator', withUs: 10.1, withoutUs: 10, ratio: 1.01, low: 0.97, high: 1.05, pairs: 3 });
    expect(sentence).toBe(
      'Keeping raw samples changed the CPU time of the load generator from 10.0 to 10.1 µs per request (+1.0 %; the 95 % interval is −3.0 % to +5.0 %; 3 pairs of windows). That is within the noise.',
    );
  });
});

import { expect, it } from 'vitest';
import { SlowestRequests } from '../../../src/engine/load/slowest.ts';

it('gives the slowest hundredth, the slowest first, whatever the order in which they came', () => {
  const slowest = new SlowestRequests();
  const all = Array.from({ length: 20_000 }, (_, index) => (index * 7_919) % 20_011);
  for (const took of all) slowest.add(took);
  const { tookMs, endMs } = slowest.slowestOf(all.length);
  expect(tookMs).toEqual([...all].sort((a, b) => b - a).slice(0, 200));
  expect(endMs).toHaveLength(200);
});

it('gives no more than three hundred of very many, and none of a window that was begun anew', () => {
  const slowest = new SlowestRequests();
  for (let took = 0; took < 5_000; took += 1) slowest.add(took);
  expect(slowest.slowestOf(5_000_000).tookMs).toEqual(Array.from({ length: 300 }, (_, index) => 4_999 - index));
  slowest.reset();
  expect(slowest.slowestOf(0).tookMs).toEqual([]);
  slowest.add(1);
  expect(slowest.slowestOf(1).tookMs).toEqual([1]);
});

import type { Comparison, LatencyCurve } from '../../model/domain/comparison.ts';
import type { Trial } from '../../model/domain/run.ts';
import { decodeLatencyHistogram } from '../load/latencyHistogram.ts';
import { type ChosenTrials, compareRuns } from './compareRuns.ts';
import { latencyCurve } from './latencyCurve.ts';
import type { RunStore } from './runStore.ts';

/** Curves of more rows than this are left out: nobody looks at them, and each is a file to be read. */
const mostCurves = 40;

/**
 * {@link compareRuns} for two runs of a store, with the latency curves of their histograms and with the names that they were given.
 * A histogram that cannot be read costs its curves only. Throws what {@link RunStore.read} and {@link compareRuns} throw.
 */
export async function compareStoredRuns(store: RunStore, of: { a: string; b: string } & ChosenTrials): Promise<Comparison> {
  const a = await store.read(of.a);
  const b = of.b === of.a ? a : await store.read(of.b);
  const [marksA, marksB] = [await store.marks(a.id), await store.marks(b.id)];
  const comparison = compareRuns(a, b, of, { a: marksA.name, b: marksB.name });
  for (const row of comparison.rows.slice(0, mostCurves)) {
    if (row.a === null || row.b === null) continue;
    const curves = { a: await curveOf(store, a.id, row.a), b: await curveOf(store, b.id, row.b) };
    if (curves.a.length > 0 || curves.b.length > 0) row.curves = curves;
  }
  return {
    ...comparison,
    a: { ...comparison.a, title: marksA.name ?? comparison.a.title },
    b: { ...comparison.b, title: marksB.name ?? comparison.b.title },
  };
}

async function curveOf(store: RunStore, id: string, { histogram }: Trial): Promise<LatencyCurve> {
  if (histogram === null) return [];
  try {
    return latencyCurve(decodeLatencyHistogram((await store.readFile(id, histogram)).toString().trim()));
  } catch {
    return [];
  }
}

import { judgeSlo } from '../../../model/domain/judgeSlo.ts';
import { noMeasurement, recordTrial } from '../trialRecord.ts';
import { findBreakingPoint } from '../../load/breakingPoint.ts';
import { type MeasureTools, addBlock, seriesOf } from './experimentMeasures.ts';
import type { RunningVariant } from './runningVariant.ts';

const maxSteps = 24;
/** A discarded measurement says nothing: it is made again, so often in all. */
const attempts = 3;

interface Measured {
  keeps: boolean | null;
  throughput: number;
  p95Ms: number | null;
}

/** The highest number of connections that keeps the objective, by bisection. */
export async function measureBreakingPoint(tools: MeasureTools<'breaking-point'>, variants: readonly RunningVariant[]): Promise<void> {
  for (const variant of variants) await measureVariant(tools, variant);
}

async function measureVariant(tools: MeasureTools<'breaking-point'>, variant: RunningVariant): Promise<void> {
  const { harness, progress, plan, context } = tools;
  const [planned] = variant.planned.trials;
  if (planned === undefined) return;
  let round = 0;
  const measureOnce = async (connections: number): Promise<Measured> => {
    round += 1;
    progress.begin('measure', { code: 'connections', name: planned.name, connections }, 1000 * (plan.blockS + plan.settleS));
    const block = await harness.measure({ ...planned, connections }, variant.running, round);
    const { trial } = recordTrial({ ...noMeasurement({ ...planned, connections }), blocks: [block] }, harness.observations);
    const keeps = judgeSlo(plan.slo, trial).passed;
    if (keeps === true) addBlock(tools, planned, block);
    return { keeps, throughput: trial.throughput.mean, p95Ms: trial.latencyMs?.p95 ?? null };
  };
  const found = await findBreakingPoint({
    lowest: plan.lowest,
    highest: plan.highest,
    maxSteps,
    signal: context.signal,
    measure: async (connections) => {
      let measured = await measureOnce(connections);
      for (let again = 1; again < attempts && measured.keeps === null; again += 1) measured = await measureOnce(connections);
      return measured;
    },
  });
  // A load that was kept on the way says nothing of the highest one.
  const answer = found.status === 'found' || found.status === 'above-highest' ? found.answer : null;
  // The answer is known to within the next load that breaks it; of one that the highest load keeps, only that it is no less.
  if (answer !== null) {
    const above = found.status === 'found' ? (found.breaksAt ?? Infinity) : Infinity;
    tools.extra.set(planned.key, { figures: { users: answer }, ranges: { users: [answer, above] } });
  }
  const points = found.path
    .flatMap(({ load, measurement }): [number, number][] => (measurement.p95Ms === null ? [] : [[load, measurement.p95Ms]]))
    .sort((a, b) => a[0] - b[0]);
  tools.series.push(seriesOf(variant, 'p95', 'ms', points, answer === null ? [] : [{ atS: answer, label: 'holds' }]));
  const { path: _path, ...figures } = found;
  tools.note({ code: 'breaking-point', about: planned.name, ...figures });
  tools.told(planned);
}

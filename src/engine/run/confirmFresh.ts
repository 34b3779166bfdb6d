import type { FreshFinding, ProbeCost } from '../../model/domain/freshFinding.ts';
import type { Block } from '../../model/domain/run.ts';
import type { RunningTarget } from '../targets/launchTarget.ts';
import { type CountedBlock, blockStatistics, countedBlocks } from '../statistics/blockStatistics.ts';
import { SeededRandom } from '../statistics/seededRandom.ts';
import { cpuSlices } from '../statistics/sliceSeries.ts';
import { launchMs } from './blockTime.ts';
import type { PlannedTrial } from './plan.ts';
import type { ProcessPool } from './processPool.ts';
import type { RunUnderWay } from './runLife.ts';
import { needsProbe } from './setByProbe.ts';
import { planSlices, speedOf } from './sliceLength.ts';
import { measureSliced } from './slicedRound.ts';
import { type BlockMeasurement, noMeasurement, recordTrial } from './trialRecord.ts';

const rounds = 3;

export interface FreshBlocks {
  blockMs: number;
  settleMs: number;
  delta: number;
}

/** The smallest value that is enough, and the best; the same where the best is the smallest. */
export interface FoundValues {
  answer: PlannedTrial;
  best: PlannedTrial;
}

/** What fresh processes said of the answer, and what the probe costs by the way. */
export interface Confirmation {
  found: FreshFinding;
  probeCost: ProbeCost | null;
}

/** A process that takes part: the answer, the best, and the answer without a probe. */
interface Contender {
  role: 'answer' | 'best' | 'bare';
  planned: PlannedTrial;
  running: RunningTarget;
}

/**
 * Measures the recommended value and the best once more, each in a process of its own that was never resized: a JIT compiles differently in
 * each, and an app may treat a pool that grew otherwise than one that was born so. A third process has the recommended value without a probe,
 * so that what the probe costs is measured in the same rounds; a value that only a probe can set has none.
 */
export async function confirmFresh({ answer, best }: FoundValues, run: RunUnderWay, blocks: FreshBlocks): Promise<Confirmation> {
  const { context, harness, progress } = run;
  const probed = run.furtherPool({});
  const bare = run.furtherPool({ probes: null });
  try {
    const contenders: Contender[] = [];
    const start = async (role: Contender['role'], planned: PlannedTrial, pool: ProcessPool): Promise<void> => {
      progress.begin('measure', { code: 'starting-fresh', name: planned.name }, launchMs);
      const running = await pool.launch(planned.process);
      await harness.warmUp(planned, [running]);
      contenders.push({ role, planned, running });
    };
    await start('answer', answer, probed);
    if (best.key !== answer.key) await start('best', best, probed);
    if (context.probes !== null && !needsProbe(answer.process)) await start('bare', answer, bare);
    const seen = await measureRounds(contenders, run, blocks);
    return { found: comparedOf(seen, answer.name, best.key === answer.key ? null : best.name, blocks.delta), probeCost: costOf(seen) };
  } finally {
    await Promise.all([probed.stopAll(), bare.stopAll()]);
  }
}

type Blocks = ReadonlyMap<Contender['role'], readonly Block[]>;

/** In slices where the load can alternate between the processes; else in mirrored blocks. */
async function measureRounds(
  contenders: readonly Contender[],
  { harness, progress }: Pick<RunUnderWay, 'harness' | 'progress'>,
  { blockMs, settleMs }: FreshBlocks,
): Promise<Blocks> {
  const random = new SeededRandom(1);
  const seen = new Map(contenders.map((one): [Contender, BlockMeasurement[]] => [one, []]));
  const sliced = harness.notSliced === null && contenders.length > 1 && contenders.every(({ running }) => running.bouncer === undefined);
  for (let round = 1; round <= rounds; round += 1) {
    const step = { code: 'fresh-round', round, of: rounds } as const;
    if (sliced) {
      const last = (one: Contender): number | undefined => seen.get(one)?.at(-1)?.result.throughput;
      const sides = contenders.map((one) => ({ ...one, speed: speedOf(last(one), one.planned.connections) }));
      const planned = planSlices(sides, { alike: false, eachMs: blockMs, random });
      progress.begin('measure', { ...step, name: null, bare: false }, planned.expectedMs);
      const blocks = await measureSliced(harness, { sides: planned.sides, order: planned.order, round });
      for (const [index, block] of blocks.entries()) seen.get(contenders[index] as Contender)?.push(block);
      continue;
    }
    for (const one of round % 2 === 1 ? contenders : [...contenders].reverse()) {
      progress.begin('measure', { ...step, name: one.planned.name, bare: one.role === 'bare' }, blockMs + settleMs);
      seen.get(one)?.push(await harness.measure(one.planned, one.running, round, { windowMs: blockMs, settleMs, apart: true }));
    }
  }
  return new Map(
    contenders.map((one) => {
      const { trial } = recordTrial({ ...noMeasurement(one.planned), blocks: seen.get(one) ?? [] }, harness.observations);
      return [one.role, trial.blocks.filter(({ valid }) => valid)];
    }),
  );
}

/** `best` is null where it is the answer. */
function comparedOf(blocks: Blocks, name: string, best: string | null, delta: number): FreshFinding {
  const of = (role: Contender['role']): CountedBlock[] => countedBlocks(blocks.get(role) ?? []);
  if (of('answer').length === 0) return { code: 'fresh-unmeasured', name };
  const statistics = blockStatistics((['answer', 'best'] as const).map((role) => ({ key: role, blocks: of(role) })));
  if (best === null) return { code: 'fresh-alone', name, throughput: statistics.meanOf('answer') };
  const gap = statistics.difference('answer', 'best');
  if (gap === null) return { code: 'fresh-too-few', name, best };
  const { ratio, ciLow, ciHigh } = gap;
  const says = ciLow > 1 - delta ? 'confirms' : ciHigh < 1 - delta ? 'contradicts' : 'open';
  return { code: 'fresh-compared', name, best, ratio, ciLow, ciHigh, says };
}

/** CPU per request with the probe over that without, from the same slices or rounds. */
function costOf(blocks: Blocks): ProbeCost | null {
  const of = (role: Contender['role']): CountedBlock[] =>
    (blocks.get(role) ?? []).flatMap(({ round, appCpuUsPerRequest: us, slices }) =>
      us === null || us <= 0 ? [] : [{ round, throughput: 1 / us, ...(slices === undefined ? {} : { slices: cpuSlices(slices) }) }],
    );
  const gap = blockStatistics((['answer', 'bare'] as const).map((role) => ({ key: role, blocks: of(role) }))).difference('bare', 'answer');
  return gap === null ? null : { code: 'probe-cost', ratio: gap.ratio, ciLow: gap.ciLow, ciHigh: gap.ciHigh };
}

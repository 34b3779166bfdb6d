import { figure, wholeNumber } from '../../model/format.ts';
import type { RunningTarget } from '../targets/launchTarget.ts';
import { blockStatistics } from '../statistics/blockStatistics.ts';
import { launchMs } from './blockTime.ts';
import type { GroupPool } from './groupPool.ts';
import type { PlannedTrial } from './plan.ts';
import type { RunUnderWay } from './runLife.ts';
import { studentTQuantile } from '../statistics/studentT.ts';

const rounds = 3;

/** How the fresh processes are measured. */
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
  sentence: string;
  probeCost: string | null;
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
 * so that what the probe costs is measured in the same rounds.
 */
export async function confirmFresh({ answer, best }: FoundValues, run: RunUnderWay, blocks: FreshBlocks): Promise<Confirmation> {
  const { context, bench, progress } = run;
  const probed = run.furtherPool({});
  const bare = run.furtherPool({ probes: null });
  try {
    const contenders: Contender[] = [];
    const start = async (role: Contender['role'], planned: PlannedTrial, pool: GroupPool): Promise<void> => {
      progress.begin('measure', `Starting a fresh process: ${planned.name}`, launchMs);
      const running = await pool.launch(planned.process);
      await bench.warmUp(planned, [running]);
      contenders.push({ role, planned, running });
    };
    await start('answer', answer, probed);
    if (best.key !== answer.key) await start('best', best, probed);
    if (context.probes !== null) await start('bare', answer, bare);
    const seen = await measureRounds(contenders, run, blocks);
    return { sentence: sentenceOf(seen, answer, best, blocks.delta), probeCost: costOf(seen) };
  } finally {
    await Promise.all([probed.stopAll(), bare.stopAll()]);
  }
}

interface FreshBlock {
  role: Contender['role'];
  round: number;
  throughput: number;
  cpuUsPerRequest: number | null;
}

async function measureRounds(
  contenders: readonly Contender[],
  { bench, progress }: Pick<RunUnderWay, 'bench' | 'progress'>,
  { blockMs, settleMs }: FreshBlocks,
): Promise<FreshBlock[]> {
  const blocks: FreshBlock[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    const order = round % 2 === 1 ? contenders : [...contenders].reverse();
    for (const { role, planned, running } of order) {
      progress.begin(
        'measure',
        `Fresh processes, round ${round} of ${rounds}: ${planned.name}${role === 'bare' ? ' without a probe' : ''}`,
        blockMs + settleMs,
      );
      const { result, cpuUs, ended } = await bench.measure(planned, running, round, { windowMs: blockMs, settleMs, apart: true });
      if (ended !== null || result.requests === 0 || result.errors.total > 0.01 * result.requests) continue;
      blocks.push({
        role,
        round,
        throughput: result.throughput,
        cpuUsPerRequest: cpuUs.appCpuUs === null ? null : cpuUs.appCpuUs / result.requests,
      });
    }
  }
  return blocks;
}

function sentenceOf(blocks: readonly FreshBlock[], answer: PlannedTrial, best: PlannedTrial, delta: number): string {
  const of = (role: Contender['role']): FreshBlock[] => blocks.filter((block) => block.role === role);
  const mean = (all: readonly FreshBlock[]): number =>
    Math.exp(all.reduce((sum, { throughput }) => sum + Math.log(throughput), 0) / Math.max(all.length, 1));
  if (of('answer').length === 0) return `In fresh processes ${answer.name} could not be measured.`;
  if (best.key === answer.key) return `A fresh process of ${answer.name} had ${wholeNumber(mean(of('answer')))} requests/s.`;
  const statistics = blockStatistics((['answer', 'best'] as const).map((role) => ({ key: role, blocks: of(role) })));
  const gap = statistics.difference('answer', 'best');
  if (gap === null) return `In fresh processes too few blocks of ${answer.name} and ${best.name} were valid to tell.`;
  const share = `${percent(gap.ratio)} % [${percent(gap.ciLow)} – ${percent(gap.ciHigh)}] of the throughput of ${best.name}`;
  const verdict =
    gap.ciLow > 1 - delta
      ? 'That confirms the answer.'
      : gap.ciHigh < 1 - delta
        ? 'That contradicts the answer: trust the fresh processes.'
        : 'Three rounds are too few to confirm it more closely.';
  return `In fresh processes ${answer.name} had ${share}. ${verdict}`;
}

/** CPU per request with the probe over that without, from blocks of the same rounds. */
function costOf(blocks: readonly FreshBlock[]): string | null {
  const logs = Array.from({ length: rounds }, (_, index) => {
    const cpu = (role: Contender['role']): number | null =>
      blocks.find((block) => block.role === role && block.round === index + 1)?.cpuUsPerRequest ?? null;
    const [withProbe, without] = [cpu('answer'), cpu('bare')];
    return withProbe === null || without === null || without <= 0 || withProbe <= 0 ? null : Math.log(withProbe / without);
  }).filter((log) => log !== null);
  if (logs.length < 2) return null;
  const mean = logs.reduce((sum, log) => sum + log, 0) / logs.length;
  const variance = logs.reduce((sum, log) => sum + (log - mean) ** 2, 0) / (logs.length - 1);
  const half = studentTQuantile(0.975, logs.length - 1) * Math.sqrt(variance / logs.length);
  const change = (log: number): string => figure(100 * Math.expm1(log));
  return `The probe’s cost in CPU per request, between two processes: ${change(mean)} % [${change(mean - half)} … ${change(mean + half)} %].`;
}

function percent(ratio: number): string {
  return (100 * ratio).toFixed(1);
}

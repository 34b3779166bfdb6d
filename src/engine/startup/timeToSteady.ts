import type { SteadyLoad } from '../../model/domain/startup.ts';
import { ThreadClocks, withDescendants } from '../load/slices/threadClocks.ts';
import { loadOn } from '../run/recording/recordPlan.ts';
import type { PreparedTarget, RecordingContext } from '../run/recording/recordPlan.ts';
import { startGenerator } from '../run/runContext.ts';
import { instancesOf } from '../run/runningTargets.ts';
import { compilingShare } from '../run/warmPasses.ts';
import { WarmUpCpu } from '../run/warmUpCpu.ts';
import { median } from '../statistics/moments.ts';
import { steadyAtCap, steadyState } from '../statistics/steadyState.ts';
import type { RunningTarget } from '../targets/launchTarget.ts';

const tickMs = 500;
/** What a request takes at first is the mean of so many ticks, the first of which is the processes’ first. */
const ticksAtFirst = 2;

/**
 * Loads a target that has just started until the CPU time of a request has levelled off, at most for so long. The time until then is where the cut of the
 * warm-up lies, rather than when that was sure. Null where the CPU time of the processes is not known, or nothing was answered.
 */
export async function timeToSteady(
  running: RunningTarget,
  prepared: PreparedTarget,
  mostMs: number,
  context: RecordingContext,
): Promise<SteadyLoad | null> {
  const generator = await startGenerator(context);
  const clocks = new ThreadClocks(() => withDescendants(instancesOf(running).map(({ child }) => child.pid)));
  const plan = loadOn(running, prepared, mostMs);
  const cpu = new WarmUpCpu([clocks], plan.connections);
  const isCompiling = (): boolean => cpu.compilerShare > compilingShare;
  try {
    const { durationMs } = await generator.warmUp(
      { ...plan, tickMs },
      {
        minMs: 0,
        maxMs: mostMs,
        isSteady: () => steadyState(cpu.perSecond ?? [], tickMs, { series: 'cpu' }).steady && !isCompiling(),
        onTick: (tick) => cpu.tick(tick),
        signal: context.signal,
      },
    );
    const perSecond = cpu.perSecond ?? [];
    if (perSecond.length <= ticksAtFirst) return null;
    const { steady, keptFrom } = steadyAtCap(perSecond, tickMs, 'cpu');
    const us = (some: readonly number[]): number => 1e6 / median(some);
    return {
      connections: prepared.planned.connections,
      // The first tick is the one that the series begins after.
      afterMs: steady && !isCompiling() ? (keptFrom + 1) * tickMs : null,
      watchedMs: durationMs,
      firstUs: us(perSecond.slice(0, ticksAtFirst)),
      settledUs: us(perSecond.slice(keptFrom)),
    };
  } finally {
    clocks.close();
    await generator.stop();
  }
}

import type { Outage } from '../../../model/domain/topology.ts';
import { remembered } from '../../../model/domain/remembered.ts';
import type { LoadTick } from '../../load/loadProtocol.ts';
import type { PlannedTrial } from '../plan.ts';
import { type OutageTick, recoveryAfter, recoveryRange } from '../../strategies/experiment/recovery.ts';
import { measureRounds } from './measureRounds.ts';
import { type MeasureTools, addBlock, seriesOf, variantOf } from './experimentMeasures.ts';
import { instancesOf } from '../runningTargets.ts';
import type { RunningVariant } from './runningVariant.ts';

const tickMs = 250;

/** Steady load during which instances are ended and added by the variant's schedule; once more where what it is about is still open. */
export async function measureOutage(tools: MeasureTools<'outage'>, variants: readonly RunningVariant[]): Promise<void> {
  const recoveries = new Map<string, (number | null)[]>();
  await measureRounds(tools, variants, {
    step: (name, round) => ({ code: 'outage', name, round }),
    measure: (planned, round) => measureVariant(tools, variantOf(variants, planned), planned, round, recoveries),
  });
}

async function measureVariant(
  tools: MeasureTools<'outage'>,
  variant: RunningVariant,
  planned: PlannedTrial,
  round: number,
  recoveries: Map<string, (number | null)[]>,
): Promise<void> {
  const { harness, progress, plan, context } = tools;
  const schedule = [...variant.planned.variant.topology.schedule].sort((a, b) => a.atS - b.atS);
  const ticks: OutageTick[] = [];
  const marks: { atS: number; label: string; action: Outage['action'] }[] = [];
  const timers: NodeJS.Timeout[] = [];
  const happenings: Promise<void>[] = [];
  const edges = { startMs: 0, endMs: 0 };
  const opened = (): void => {
    edges.startMs = progress.elapsedMs;
    for (const event of schedule) {
      timers.push(
        setTimeout(() => {
          const mark = { atS: (progress.elapsedMs - edges.startMs) / 1000, label: '' };
          happenings.push(
            happen(variant, event).then((label) => {
              // One that is added counts from when it answers.
              if (event.action === 'add') mark.atS = (progress.elapsedMs - edges.startMs) / 1000;
              marks.push({ ...mark, label, action: event.action });
            }),
          );
        }, event.atS * 1000),
      );
    }
  };
  const { took, ...raw } = harness.raw(planned, round);
  harness.attribute(planned.key, variant.running);
  try {
    const result = await harness.generator.runBlock(
      { ...harness.blockPlan(planned, variant.running, round), windowMs: plan.durationS * 1000, tickMs, ...raw },
      {
        signal: context.signal,
        onTick: (tick: LoadTick) => {
          if (tick.stage === 'measure') ticks.push({ endS: tick.elapsedMs / 1000, throughput: tick.throughput, errors: tick.errors });
        },
        onWindow: (edge) => {
          if (edge === 'open') opened();
          else edges.endMs = progress.elapsedMs;
        },
      },
    );
    took(result);
    await Promise.all(happenings);
    const over = (key: 'throughput' | 'errors'): [number, number][] => ticks.map((tick) => [tick.endS, tick[key]]);
    const happened = marks.map(({ atS, label }) => ({ atS, label }));
    if (round === 1)
      tools.series.push(
        seriesOf(variant, 'Throughput', 'requests/s', over('throughput'), happened),
        seriesOf(variant, 'Errors', `per ${tickMs} ms`, over('errors')),
      );
    const kill = marks.find(({ action }) => action === 'kill');
    const next = marks.find(({ atS }) => kill !== undefined && atS > kill.atS);
    const recovery = kill === undefined ? null : recoveryAfter(ticks, kill.atS, next?.atS ?? plan.durationS);
    if (recovery !== null) {
      const all = remembered(recoveries, planned.key, () => []);
      all.push(recovery.seconds);
      const range = recoveryRange(all, tickMs / 1000);
      if (range !== null)
        tools.extra.set(planned.key, { figures: { recoveryS: range.seconds }, ranges: { recoveryS: [range.low, range.high] } });
    }
    const { errors, requests } = result;
    tools.note({
      code: 'outage',
      about: planned.name,
      failed: errors.total,
      attempts: errors.total + requests,
      recovery: recovery === null ? null : { seconds: recovery.seconds },
    });
    addBlock(tools, planned, {
      round,
      ...edges,
      result,
      cpuUs: { appCpuUs: null, postgresCpuUs: null, generatorCpuUs: null },
      probe: null,
      ended: null,
      postgresRestarted: false,
    });
  } finally {
    for (const timer of timers) clearTimeout(timer);
    await Promise.allSettled(happenings);
    harness.attribute(null, null);
  }
}

/** Ends an instance as a crash would, or adds one; returns what was done, as a phrase. */
async function happen({ planned, running, pool }: RunningVariant, { action }: Outage): Promise<string> {
  if (action === 'kill') {
    await instancesOf(running)
      .filter(({ child }) => child.running)
      .at(-1)
      ?.child.kill();
    return 'an instance was killed';
  }
  await pool.grow(planned.process);
  return 'an instance was added';
}

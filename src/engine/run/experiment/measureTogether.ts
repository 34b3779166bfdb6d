import type { LoadGenerator } from '../../load/loadGenerator.ts';
import { resolveRequestMix } from '../../load/requestMix.ts';
import { runTogether, widestSkewMs } from '../../load/runTogether.ts';
import { meanUs, msOf } from '../../statistics/durations.ts';
import { judgeBlock } from '../../statistics/judgement.ts';
import type { LoadMeasurement } from '../../load/loadProtocol.ts';
import { startGenerator } from '../runContext.ts';
import { measureRounds } from './measureRounds.ts';
import { type MeasureTools, addBlock, keepFigures, keepSteps, variantOf } from './experimentMeasures.ts';
import type { RunningVariant } from './runningVariant.ts';

/** The main load alone and together with the others, in turns: what is lost of it is what the others cost. */
export async function measureTogether(tools: MeasureTools<'together'>, variants: readonly RunningVariant[]): Promise<void> {
  const { context, plan } = tools;
  const others = plan.loads.filter(({ main }) => !main);
  const generators: LoadGenerator[] = [];
  try {
    for (const _load of others) generators.push(await startGenerator(context));
    await measureRounds(tools, variants, {
      step: (name, round) => ({ code: 'alone-and-together', name, round }),
      measure: async (planned, round) => {
        const lossPercent = await measurePair(tools, variantOf(variants, planned), round, generators);
        keepFigures(tools, planned, { lossPercent }, { round, taken: null });
        if (tools.extra.has(planned.key)) tools.told(planned);
      },
    });
  } finally {
    await Promise.all(generators.map((generator) => generator.stop()));
  }
}

/** Percent of the main load’s throughput that was lost; null when a block is discarded. The block alone is the trial’s. */
async function measurePair(
  tools: MeasureTools<'together'>,
  variant: RunningVariant,
  round: number,
  generators: readonly LoadGenerator[],
): Promise<number | null> {
  const { harness, plan, context } = tools;
  const [planned] = variant.planned.trials;
  const main = plan.loads.find((load) => load.main) ?? plan.loads[0];
  if (planned === undefined || main === undefined) return null;
  const { target } = planned.process.declared;
  const base = harness.blockPlan(planned, variant.running, round);
  const block = (load: typeof main): typeof base => ({
    ...base,
    connections: load.connections,
    mix: resolveRequestMix({ targetId: target.id, routes: target.routes, route: load.route }).mix,
  });
  const alone = await harness.measure(planned, variant.running, round, block(main));
  const others = plan.loads.filter((load) => load !== main);
  const together = await runTogether(
    [
      { name: main.name, generator: harness.generator, plan: block(main) },
      ...others.flatMap((load, index) => {
        const generator = generators[index];
        return generator === undefined ? [] : [{ name: load.name, generator, plan: block(load) }];
      }),
    ],
    { signal: context.signal },
  );
  addBlock(tools, planned, alone);
  const mixed = together.results[main.name];
  const { apartMs } = together;
  if (apartMs !== null) tools.note({ code: 'loads-apart', about: variant.planned.variant.label, apartMs, mostMs: widestSkewMs });
  if (mixed === undefined || isDiscarded(alone.result) || isDiscarded(mixed)) return null;
  keepSteps(tools, stepsOf(variant.planned.variant.label, together.results));
  return 100 * (1 - mixed.throughput / alone.result.throughput);
}

/** Whether something else was measured than the load. */
function isDiscarded(result: LoadMeasurement): boolean {
  return !judgeBlock({ ...result, meanLatencyMs: msOf(meanUs(result.latencySums)), ended: null, postgresRestarted: false }).valid;
}

function stepsOf(role: string, results: Awaited<ReturnType<typeof runTogether>>['results']): MeasureTools['steps'] {
  return Object.entries(results).map(([name, { requests, errors, latencySums }]) => ({
    role,
    step: name,
    requests,
    errors: errors.total,
    meanMs: msOf(meanUs(latencySums)),
    p50Ms: null,
    p95Ms: null,
    p99Ms: null,
    maxMs: msOf(latencySums.maxUs),
    problem: null,
  }));
}

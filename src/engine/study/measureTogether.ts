import { LoadGenerator } from '../load/loadGenerator.ts';
import { resolveRequestMix } from '../load/requestMix.ts';
import { runTogether } from '../load/runTogether.ts';
import { childEnvironment } from '../supervise/environment.ts';
import { median } from './recovery.ts';
import { addBlock } from './studyMeasures.ts';
import type { MeasureTools } from './studyMeasures.ts';
import type { StudyArm } from './studyArm.ts';

/** The main load alone and together with the others, in turns: what is lost of it is what the others cost. */
export async function measureTogether(tools: MeasureTools<'together'>, arms: readonly StudyArm[]): Promise<void> {
  const { context, plan, progress } = tools;
  const start = (): Promise<LoadGenerator> =>
    LoadGenerator.start(context.supervisor, {
      nodePath: context.toolchain.node,
      workerPath: context.loadWorkerPath,
      env: childEnvironment({ ...context.toolchain.programEnvironment('node'), ...context.cookieEnvironment }),
    });
  const others = plan.loads.filter(({ main }) => !main);
  const generators: LoadGenerator[] = [];
  const losses = new Map<string, number[]>(arms.map((arm) => [arm.planned.arm.name, []]));
  try {
    for (const _load of others) generators.push(await start());
    for (let round = 1; round <= plan.rounds; round += 1) {
      await tools.beforeRound();
      for (const arm of round % 2 === 1 ? arms : [...arms].reverse()) {
        progress.begin(
          'measure',
          `${arm.planned.arm.label}: alone and together, round ${round} of ${plan.rounds}`,
          2000 * (plan.blockS + plan.settleS + 0.5),
        );
        const loss = await measurePair(tools, arm, round, generators);
        if (loss !== null) losses.get(arm.planned.arm.name)?.push(loss);
      }
    }
  } finally {
    await Promise.all(generators.map((generator) => generator.stop()));
  }
  for (const arm of arms) {
    const seen = losses.get(arm.planned.arm.name) ?? [];
    const [planned] = arm.planned.trials;
    if (planned === undefined) continue;
    tools.extra.set(planned.key, { lossPercent: seen.length === 0 ? null : median(seen) });
    tools.told(planned);
  }
}

/** Percent of the main load’s throughput that was lost; null when a block is not valid. The block alone is the trial’s. */
async function measurePair(
  tools: MeasureTools<'together'>,
  arm: StudyArm,
  round: number,
  generators: readonly LoadGenerator[],
): Promise<number | null> {
  const { bench, plan, context } = tools;
  const [planned] = arm.planned.trials;
  const main = plan.loads.find((load) => load.main) ?? plan.loads[0];
  if (planned === undefined || main === undefined) return null;
  const { target } = planned.process.declared;
  const base = bench.blockPlan(planned, arm.running, round);
  const block = (load: typeof main): typeof base => ({
    ...base,
    connections: load.connections,
    mix: resolveRequestMix({ targetId: target.id, routes: target.routes, route: load.route }).mix,
  });
  const alone = await bench.measure(planned, arm.running, round, block(main));
  const others = plan.loads.filter((load) => load !== main);
  const together = await runTogether(
    [
      { name: main.name, generator: bench.generator, plan: block(main) },
      ...others.flatMap((load, index) => {
        const generator = generators[index];
        return generator === undefined ? [] : [{ name: load.name, generator, plan: block(load) }];
      }),
    ],
    { signal: context.signal },
  );
  addBlock(tools, planned, alone);
  const mixed = together.results[main.name];
  if (together.problem !== null) tools.note(`${arm.planned.arm.label}: ${together.problem}`);
  if (mixed === undefined || alone.result.throughput === 0) return null;
  tools.steps.push(...stepsOf(tools, arm, round, together.results));
  return 100 * (1 - mixed.throughput / alone.result.throughput);
}

/** Each load apart, of the last round. */
function stepsOf(
  tools: MeasureTools<'together'>,
  arm: StudyArm,
  round: number,
  results: Awaited<ReturnType<typeof runTogether>>['results'],
): MeasureTools['steps'] {
  if (round < tools.plan.rounds) return [];
  return Object.entries(results).map(([name, { requests, errors, latencySums }]) => ({
    role: arm.planned.arm.label,
    step: name,
    requests,
    errors: errors.total,
    meanMs: latencySums.count === 0 ? null : latencySums.sumUs / latencySums.count / 1000,
    p50Ms: null,
    p95Ms: null,
    p99Ms: null,
    maxMs: latencySums.maxUs === null ? null : latencySums.maxUs / 1000,
    problem: null,
  }));
}

import { SeededRandom } from '../../src/engine/statistics/seededRandom.ts';
import { steadyState } from '../../src/engine/statistics/steadyState.ts';
import { PairSchedule } from '../../src/engine/strategies/rounds/pairSchedule.ts';
import { composeDiff } from '../../src/engine/versions/answer.ts';
import { comparedPair } from '../../src/engine/versions/metrics.ts';
import { defaultDelta } from '../../src/model/domain/margin.ts';
import type { Block, Trial } from '../../src/model/domain/run.ts';
import type { VersionDiff } from '../../src/model/domain/versionDiff.ts';
import { exampleTrial } from './runRecords.ts';
import { type StolenCpu, recordedTheft, stolenCpu } from './stolenCpu.ts';

const startS = 8;
/** Of each version in a round, in slices with what turning takes. */
const [sliceS, passes, turnS] = [0.1, 10, 0.01];
/** Slices scatter more than blocks of a second and a half, on which the worlds’ scatter is given; CPU time of a request less than throughput. */
const [speedScatter, cpuScatter] = [3, 0.6];

/** As of a JVM. */
const [shortestWarmUpS, longestWarmUpS, tickS] = [10, 45, 0.5];

/** An app and its machine, as far as they are alike for both versions. */
export interface World {
  /** How many times the recorded theft of the CPU; or bursts of other programs, which take almost half of it for one to five seconds, and as long nothing. */
  theft: number | 'bursts';
  /** Standard deviation of what one process shares and the next does not. */
  ofProcesses: number;
  /** Of single blocks, for throughput and for CPU time. */
  scatter: number;
  /** A compiler has so much to gain when a process begins, as a share of the CPU time of a request; it is done after 5 to 25 s, in each process at a time of its own. */
  compiles?: number;
  /** Head does so much more for each request: 0.1 is 10 %. */
  slower: number;
}

function bursts(random: SeededRandom): StolenCpu {
  const steps = (): number => Math.round(2 + 8 * random.nextFraction());
  return stolenCpu(
    Array.from({ length: 60 }, () => [...Array.from({ length: steps() }, () => 0.47), ...Array.from({ length: steps() }, () => 0)]).flat(),
  );
}

/** The whole procedure, from the first block to the verdict, on a made-up machine: which blocks are measured, when it ends, and what is said of every figure. */
export function comparedVersions(world: World, seed: number, budgetS = 120): { diff: VersionDiff; spentS: number } {
  const random = new SeededRandom(seed);
  const noise = (): number => Math.sqrt(-2 * Math.log(1 - random.nextFraction())) * Math.cos(2 * Math.PI * random.nextFraction());
  const machine = world.theft === 'bursts' ? bursts(random) : recordedTheft(world.theft);
  const sides = ['base', 'head'].map((name) => ({ ...exampleTrial({ target: 'node', rounds: 0 }), key: name, target: name }));
  const schedule = new PairSchedule<{ key: string }>(
    { key: 'base' },
    { key: 'head' },
    {
      delta: defaultDelta,
      budgetMs: 1000 * budgetS,
      blockMs: () => 1000 * passes * (sliceS + turnS),
      startMs: 1000 * startS,
    },
  );
  let clockS = random.nextFraction() * machine.lengthS;
  const beganS = clockS;
  let start = 1;
  let startedS = clockS;
  const processesOf = () =>
    new Map(
      sides.map(({ key }) => [
        key,
        { speed: noise(), cpu: noise(), doneS: world.compiles === undefined ? 0 : 5 + 20 * random.nextFraction() },
      ]),
    );
  let own = processesOf();
  const coldAt = (doneS: number): number => {
    const still = Math.max(0, 1 - (clockS - startedS) / Math.max(doneS, 1));
    return 0.08 * Math.exp(-(clockS - startedS) / 10) + Math.log1p(world.compiles ?? 0) * still;
  };
  /** Both under load, until the CPU time of a request levels off. */
  const warmUp = (): void => {
    const perSecond: number[] = [];
    const untilS = clockS + longestWarmUpS;
    while (clockS < untilS) {
      clockS += tickS;
      const us = [...own.values()].map(({ doneS }) => Math.exp(coldAt(doneS) + cpuScatter * world.scatter * noise()));
      perSecond.push(us.length / us.reduce((sum, one) => sum + one, 0));
      if (clockS - startedS >= shortestWarmUpS && steadyState(perSecond, 1000 * tickS).steady) return;
    }
  };
  if (world.compiles !== undefined) warmUp();
  for (let round = schedule.next(0); round !== null; round = schedule.next(1000 * (clockS - beganS))) {
    if (round.anew === true) {
      start += 1;
      clockS += startS;
      startedS = clockS;
      own = processesOf();
      if (world.compiles !== undefined) warmUp();
    }
    const seen = new Map(
      sides.map(({ key }) => [key, { speeds: [] as number[], cpus: [] as number[], takens: [] as number[], at: [] as number[] }]),
    );
    for (let pass = 0; pass < passes; pass += 1) {
      for (const { key } of pass % 2 === 0 ? round.trials : [...round.trials].reverse()) {
        const process = own.get(key);
        const slices = seen.get(key);
        if (process === undefined || slices === undefined) throw new Error(key);
        const taken = machine.share(clockS, clockS + sliceS);
        const cold = coldAt(process.doneS);
        const more = key === 'head' ? Math.log1p(world.slower) : 0;
        const scatter = world.scatter * (1 + 3 * taken);
        slices.speeds.push(Math.log(1 - taken) - cold - more + world.ofProcesses * process.speed + speedScatter * scatter * noise());
        slices.cpus.push(more + cold + 0.3 * taken + world.ofProcesses * process.cpu + cpuScatter * scatter * noise());
        slices.takens.push(taken);
        slices.at.push(1000 * clockS);
        clockS += sliceS + turnS;
      }
    }
    for (const { key } of round.trials) {
      const trial = sides.find((side) => side.key === key);
      const { speeds, cpus, takens, at } = seen.get(key) ?? { speeds: [], cpus: [], takens: [], at: [] };
      const [like] = exampleTrial({ target: 'node' }).blocks;
      if (trial === undefined || like === undefined) throw new Error('an example has blocks');
      const mean = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0) / values.length;
      const taken = mean(takens);
      const us = cpus.map((cpu) => 500 * Math.exp(cpu));
      const full = us.map(() => 1);
      const block: Block = {
        ...like,
        round: round.round,
        start,
        throughput: 1000 * mean(speeds.map(Math.exp)),
        requests: 1000 * passes * sliceS,
        appCpuUsPerRequest: mean(us),
        slices: {
          pass: us.map((_, index) => index + 1),
          atMs: at.map((ms) => ms - (at[0] ?? 0)),
          wholeMs: us.map(() => 1000 * sliceS),
          throughput: speeds.map((speed) => 1000 * Math.exp(speed)),
          appUs: us,
          busiestUs: us,
          busiestShare: full,
          servingUs: us,
          allUs: us,
          used: full,
          demand: full,
        },
        interference: {
          takenPercent: 100 * taken,
          ...(world.theft === 'bursts' ? { stealPercent: 0, otherPercent: 100 * taken } : { stealPercent: 100 * taken, otherPercent: 0 }),
        },
      };
      trial.blocks.push(block);
      schedule.observe({ key }, round.round, block);
    }
  }
  const side = (name: string) => ({ label: name, commit: null, trialKey: name });
  const pair = comparedPair(...(sides as [Trial, Trial]), defaultDelta);
  return { diff: composeDiff({ base: side('base'), head: side('head') }, pair, { headName: 'head' }), spentS: clockS - beganS };
}

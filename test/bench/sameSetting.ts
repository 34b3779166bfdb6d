// Two settings that are the same: how often are they called different? One run of each sample with two values of a setting that changes nothing (a
// time-out of 2,000 and of 2,001 ms that is never reached), in 100 interleaved rounds, cut into 20 comparisons of five rounds each. 5 % may differ by
// chance; with 40 comparisons up to 4 are no surprise (binomial, 95 %). Welch's t-test on the same blocks is next to it.
// Options: --rounds N (of each sample), --seconds S (of each block).
import { parseArgs } from 'node:util';
import type { Trial } from '../../src/model/domain/run.ts';
import { blockStatistics, countedBlocks } from '../../src/engine/statistics/blockStatistics.ts';
import { studentTQuantile } from '../../src/engine/statistics/studentT.ts';
import { removeTemporaryFolders, TestEngine } from '../support/engine.ts';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '100' }, seconds: { type: 'string', default: '0.75' } } });
const rounds = Number(values.rounds);
const perComparison = 5;

interface Counted {
  comparisons: number;
  different: number;
  differentByWelch: number;
}

type Timed = { round: number; throughput: number };

function welchDiffers(a: readonly Timed[], b: readonly Timed[]): boolean {
  const part = (all: readonly Timed[]): { mean: number; variance: number } => {
    const mean = all.reduce((sum, one) => sum + one.throughput, 0) / all.length;
    return { mean, variance: all.reduce((sum, one) => sum + (one.throughput - mean) ** 2, 0) / (all.length - 1) / all.length };
  };
  const [first, second] = [part(a), part(b)];
  const sum = first.variance + second.variance;
  const freedom = sum ** 2 / (first.variance ** 2 / (a.length - 1) + second.variance ** 2 / (b.length - 1));
  return Math.abs(first.mean - second.mean) > studentTQuantile(0.975, Math.max(1, freedom)) * Math.sqrt(sum);
}

function count(one: Trial, other: Trial): Counted {
  const counted: Counted = { comparisons: 0, different: 0, differentByWelch: 0 };
  for (let first = 1; first + perComparison - 1 <= rounds; first += perComparison) {
    const cut = (trial: Trial): Timed[] =>
      trial.blocks
        .filter((block) => block.valid && block.round >= first && block.round < first + perComparison)
        .map(({ round, throughput }) => ({ round, throughput }));
    const [a, b] = [cut(one), cut(other)];
    const gap = blockStatistics([
      { key: 'a', blocks: a },
      { key: 'b', blocks: b },
    ]).difference('a', 'b');
    if (gap === null || a.length < 3 || b.length < 3) continue;
    counted.comparisons += 1;
    if (gap.ciLow > 1 || gap.ciHigh < 1) counted.different += 1;
    if (welchDiffers(a, b)) counted.differentByWelch += 1;
  }
  return counted;
}

const load = {
  name: 'same',
  connections: 16,
  durationS: Number(values.seconds),
  settleS: 0.2,
  rounds,
  warmUp: { minS: 5, maxS: 15, jvmMinS: 15, jvmMaxS: 30 },
};
const engine = await TestEngine.start({ file: { loadProfiles: [load] } });
const all: Counted = { comparisons: 0, different: 0, differentByWelch: 0 };
try {
  for (const target of ['node', 'java']) {
    const run = await engine.run({ targets: [target], settings: { poolTimeoutMs: [2000, 2001] }, load: 'same' });
    const [a, b] = run.trials;
    if (a === undefined || b === undefined) throw new Error('two trials were asked for');
    const counted = count(a, b);
    const ratio = blockStatistics([a, b].map((trial) => ({ key: trial.key, blocks: countedBlocks(trial.blocks) }))).difference(
      a.key,
      b.key,
    );
    console.log(
      `${target}: ${counted.different} of ${counted.comparisons} comparisons differ (Welch: ${counted.differentByWelch}); over all rounds the ratio is ${ratio?.ratio.toFixed(4)} [${ratio?.ciLow.toFixed(4)} – ${ratio?.ciHigh.toFixed(4)}]`,
    );
    for (const key of ['comparisons', 'different', 'differentByWelch'] as const) all[key] += counted[key];
  }
} finally {
  await engine.dispose();
  removeTemporaryFolders();
}
const share = (part: number): string => `${((100 * part) / Math.max(all.comparisons, 1)).toFixed(1)} %`;
console.log(
  `together: ${all.different} of ${all.comparisons} differ, ${share(all.different)}; by Welch’s test on the same blocks ${share(all.differentByWelch)}`,
);

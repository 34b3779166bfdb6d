import { machineNoise, normal, seeded } from '../strategies/noiseModel.ts';

/** What whole runs of these simulations differ in besides what happens within them. */
const levelDeviation = 0.02;
const blockSeconds = 4;
/** Between the blocks of one setting the others are measured. */
const turnSeconds = 12;

/** Block throughputs of runs on a machine that is not quiet: the drift, wander and episodes of the noise model, and a level of each run's own. */
export function driftingRuns(seed: number): (blocks: number) => number[] {
  const uniform = seeded(seed);
  const gauss = normal(uniform);
  return (blocks) => {
    const noise = machineNoise(blocks * turnSeconds, uniform);
    const level = levelDeviation * gauss();
    return Array.from({ length: blocks }, (_, index) => {
      const seconds = noise.slice(index * turnSeconds, index * turnSeconds + blockSeconds);
      const mean = seconds.reduce((sum, value) => sum + value, 0) / blockSeconds;
      return 1_000 * Math.exp(level + mean + 0.015 * gauss());
    });
  };
}

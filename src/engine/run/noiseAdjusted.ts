import { isNoticeable } from '../../model/domain/interference.ts';
import type { Trial } from '../../model/domain/run.ts';

/** From this share of the cores that were left on, the CPU is what limits throughput. */
const limitingShare = 0.9;

/**
 * What the machine without other programs would carry, in requests/s: its cores over the CPU time of a request (the app, PostgreSQL and the load generator
 * together), as fully used as what others left of them, by the utilisation law (Lazowska et al., Quantitative System Performance, 1984, ch. 3). Only where the
 * CPU limits and others used so much of it that it should be reported; the kernel keeps stolen time out of a task's CPU time. An estimate: caches and clock
 * frequency are assumed unchanged.
 */
export function noiseAdjustedThroughput(
  trial: Pick<Trial, 'resources' | 'interference' | 'throughput'>,
  cores: number,
): Trial['noiseAdjusted'] {
  const { app, postgres, generator } = trial.resources;
  const { interference, throughput } = trial;
  if (interference === null || !isNoticeable(interference) || app.cpuUsPerRequest === null || !(throughput.mean > 0)) return null;
  const perRequestUs = app.cpuUsPerRequest + (postgres.cpuUsPerRequest ?? 0) + (generator.cpuUsPerRequest ?? 0);
  const used = (throughput.mean * perRequestUs) / 1e6;
  const left = cores * (1 - interference.takenPercent / 100);
  if (!(perRequestUs > 0) || !(left > 0) || used < limitingShare * left) return null;
  return { throughput: (throughput.mean * cores) / left };
}

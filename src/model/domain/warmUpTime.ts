import type { LoadProfile } from './loadProfile.ts';
import type { Runtime } from './runtimes.ts';

/**
 * How long the warm-up of one process of this runtime lasts under a load profile: at least, at most, and as it is expected to (a quarter of
 * the way between the two, as seen with the samples). In seconds.
 */
export function warmUpTime({ warmUp }: Pick<LoadProfile, 'warmUp'>, runtime: Runtime): { minS: number; maxS: number; expectedS: number } {
  const minS = runtime === 'jvm' ? Math.max(warmUp.minS, warmUp.jvmMinS) : warmUp.minS;
  const maxS = runtime === 'jvm' ? warmUp.jvmMaxS : warmUp.maxS;
  return { minS, maxS, expectedS: minS + (maxS - minS) / 4 };
}

import type { LoadTick } from '../load/loadProtocol.ts';
import type { WarmUpOptions, WarmUpResult } from '../load/loadPlans.ts';

/** A stretch of load has so many ticks at the least: as many as a compiler’s share is known from. */
export const ticksOfStretch = 6;

export interface Stretches {
  /** At the most, rests included. */
  maxMs: number;
  /** Asked after each tick with all ticks so far. */
  isSteady: (ticks: readonly LoadTick[]) => boolean;
  /** Whether a runtime under load spends more on its compilers than one that is warm. */
  compiles: () => boolean;
  /** Resolves when the compilers of all are idle, or after so many ms. */
  compilersRest: (mostMs: number) => Promise<void>;
  /** Puts load on. */
  load: (options: Pick<WarmUpOptions, 'isSteady' | 'minMs' | 'maxMs'>) => Promise<Pick<WarmUpResult, 'steady' | 'ticks'>>;
}

/** A rest lasts so long at the most, in ms. */
export const longestRestMs = 4000;

/**
 * Puts load on until it is steady. Where compilers cannot keep up with what the load gives them, the load rests until they have: threads of the app and of the
 * load leave them a tenth of the cores, and they take ten times as long as without.
 */
export async function warmInStretches({
  maxMs,
  isSteady,
  compiles,
  compilersRest,
  load,
}: Stretches): Promise<Omit<WarmUpResult, 'requests' | 'errors'>> {
  const startedMs = performance.now();
  const ticks: LoadTick[] = [];
  const result = (steady: boolean): Omit<WarmUpResult, 'requests' | 'errors'> => ({
    durationMs: performance.now() - startedMs,
    steady,
    ticks,
  });
  for (;;) {
    const leftMs = maxMs - (performance.now() - startedMs);
    if (leftMs <= 0) return result(false);
    let ended = false;
    const stretch = await load({
      minMs: 0,
      maxMs: leftMs,
      isSteady: (own) => (ended = isSteady([...ticks, ...own])) || (own.length >= ticksOfStretch && compiles()),
    });
    ticks.push(...stretch.ticks);
    if (ended || !stretch.steady) return result(ended);
    await compilersRest(Math.min(longestRestMs, maxMs - (performance.now() - startedMs)));
  }
}

import { setTimeout } from 'node:timers/promises';

/** Waits; rejects at once with the signal's reason when it is aborted. For polling a condition, never for hoping that something is done by then. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, { signal }).catch((error: unknown) => {
    throw (signal?.reason ?? error) as Error;
  });
}

/** How long is polled: so long by the clock, or until somebody else says that its time is over. */
type PollLimit = { timeoutMs: number } | { isOver: () => boolean };

/** Asks until `condition` gives something other than null or false; null when it has not by the time that its limit says. */
export async function poll<T>(
  condition: () => Promise<T | null | false> | T | null | false,
  { everyMs, signal, ...limit }: PollLimit & { everyMs: number; signal?: AbortSignal | undefined },
): Promise<T | null> {
  const startedMs = performance.now();
  const isOver = 'isOver' in limit ? limit.isOver : (): boolean => performance.now() - startedMs >= limit.timeoutMs;
  for (;;) {
    const value = await condition();
    if (value !== null && value !== false) return value;
    if (isOver()) return null;
    await pause(everyMs, signal);
  }
}

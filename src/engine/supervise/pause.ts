/** Waits; rejects at once with the signal's reason when it is aborted. For polling a condition, never for hoping that something is done by then. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', abort, { once: true });
  });
}

/** Asks until `condition` gives something other than null or false; null when it has not by `timeoutMs`. */
export async function poll<T>(
  condition: () => Promise<T | null | false> | T | null | false,
  { timeoutMs, everyMs, signal }: { timeoutMs: number; everyMs: number; signal?: AbortSignal | undefined },
): Promise<T | null> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const value = await condition();
    if (value !== null && value !== false) return value;
    if (performance.now() >= deadline) return null;
    await pause(everyMs, signal);
  }
}

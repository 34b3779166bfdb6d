/** Polls `condition` until it gives something truthy; fails with `what` when it has not by then. */
export async function waitFor<T>(
  condition: () => T | Promise<T>,
  { timeoutMs = 30_000, everyMs = 20, what = 'the condition' }: { timeoutMs?: number; everyMs?: number; what?: string } = {},
): Promise<NonNullable<T>> {
  const deadline = performance.now() + timeoutMs;
  let lastError: unknown;
  for (;;) {
    try {
      const value = await condition();
      if (value) return value;
      lastError = undefined;
    } catch (error) {
      lastError = error;
    }
    if (performance.now() > deadline) throw new Error(`${what} did not hold within ${timeoutMs} ms`, { cause: lastError });
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}

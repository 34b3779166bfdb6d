/** Missed so much of a window, its CPU time is not known. */
const mostMissed = 0.5;

/**
 * CPU time of a whole window, in µs, of which the beginning was missed: on a busy machine the meters are read so many ms after it opened, when the load had
 * been on for as long. What is read late at its end counts nothing more, since there the load ends. Null where it is not known.
 */
export function wholeWindow(cpuUs: number | null, { windowMs, lateMs }: { windowMs: number; lateMs: number }): number | null {
  if (cpuUs === null || lateMs > mostMissed * windowMs) return null;
  return (cpuUs * windowMs) / (windowMs - lateMs);
}

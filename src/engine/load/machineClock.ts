/** The machine's monotonic clock in ms: the same for all processes, and not the same as `performance.now()`, which begins with each of them. */
export function machineMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

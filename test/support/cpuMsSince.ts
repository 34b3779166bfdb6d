/** CPU time of this process since then, in ms: what else the machine does makes a computation wait, and this hardly longer. */
export function cpuMsSince(began: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(began);
  return (user + system) / 1000;
}

import { readdirSync, readFileSync } from 'node:fs';

/** Of Linux on every architecture that Node runs on. */
const msPerTick = 10;

/**
 * CPU time in ms that all processes below this one have taken until now, the browser's and our host's; null where the system does not report it.
 * On a machine that is shared it says more than the clock does.
 */
export function cpuMsBelow(): number | null {
  if (process.platform !== 'linux') return null;
  const parentOf = new Map<number, number>();
  const ticksOf = new Map<number, number>();
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    try {
      const stat = readFileSync(`/proc/${entry}/stat`, 'utf8');
      // After the name, which may hold anything: state, parent …, user and system time, and those of children that have ended.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      parentOf.set(Number(entry), Number(fields[1]));
      ticksOf.set(
        Number(entry),
        fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0),
      );
    } catch {
      // It has ended meanwhile, and is counted with its parent.
    }
  }
  let ticks = 0;
  for (const [pid, own] of ticksOf) if (isBelow(pid, parentOf)) ticks += own;
  return ticks * msPerTick;
}

function isBelow(pid: number, parentOf: ReadonlyMap<number, number>): boolean {
  let above = parentOf.get(pid);
  while (above !== undefined && above > 1) {
    if (above === process.pid) return true;
    above = parentOf.get(above);
  }
  return false;
}

import type { ChangedFunction } from '../../model/domain/versionDiff.ts';

const mostFunctions = 12;
/** A wait that was timed is why a function took longer, where it is at least so much of that. */
const mostOfIt = 0.5;

/** No wait changed by more than so many times what the whole request did: what others took while one of the two was recorded made the rest. */
const mostOfLatency = 2;

/** The facts that a function is judged by. */
export interface SuspectFacts {
  /** The event of which there is a picture. */
  pictured: string | null;
  /**
   * How many requests are in progress at once: all of them wait for the CPU that one needs more, so that a request may wait so many times as long because of
   * it.
   */
  connections: number;
  /** By how much the CPU time of a request changed, in ns. */
  cpuChangeNs: number;
  /** The functions whose CPU went the way of the CPU of a request, where that changed by more than chance. */
  cpu: readonly ChangedFunction[];
  /** The change of a request's time in the measurement without a recorder, in ns; null where that is not known. */
  latencyChangeNs: number | null;
}

/**
 * Each function once, by the first of the events in which it changed: with more CPU per request everything waits longer, but longer waits use no more CPU. One
 * whose wait changed by more than CPU explains is reported by its wait, whichever way its CPU went; what it waited for, where that was timed and is most of it,
 * says more than that it took time. Where the CPU of a request changed, a wait that it explains is reported by the function’s CPU, even where that alone may be
 * chance. Those come first that changed in what is pictured: sixteen requests that wait for one another wait sixteen times as long as one of them computes.
 */
export function strongest(found: readonly ChangedFunction[], facts: SuspectFacts): ChangedFunction[] {
  const { pictured } = facts;
  const kept = new Map<string, ChangedFunction>();
  const cpuOf = new Map(facts.cpu.map((one) => [keyOf(one), one]));
  for (const wait of found) {
    const key = keyOf(wait);
    const cpu = cpuOf.get(key);
    const one = cpu !== undefined && followsCpu(wait, cpu, facts) ? cpu : wait;
    const known = kept.get(key);
    if (known === undefined || saysMore(one, known, facts)) kept.set(key, one);
  }
  return [...kept.values()]
    .sort(
      (x, y) =>
        Number(y.touched) - Number(x.touched) ||
        Number(y.event === pictured) - Number(x.event === pictured) ||
        Number(x.unit === 'bytes') - Number(y.unit === 'bytes') ||
        Math.abs(y.change) - Math.abs(x.change),
    )
    .slice(0, mostFunctions);
}

function keyOf({ name, file }: ChangedFunction): string {
  return `${name}\0${file ?? ''}`;
}

function followsCpu(wait: ChangedFunction, cpu: ChangedFunction, facts: SuspectFacts): boolean {
  return wait.unit === 'ns' && Math.sign(wait.change) === Math.sign(cpu.change) && !isBeyondCpu(wait, cpu, facts);
}

/** Whether a wait changed by more than the CPU of all requests in progress explains, and by no more than a request did. */
function isBeyondCpu(wait: ChangedFunction, cpu: ChangedFunction, { connections, cpuChangeNs, latencyChangeNs }: SuspectFacts): boolean {
  const change = Math.abs(wait.change);
  const seen = latencyChangeNs === null || change <= mostOfLatency * Math.abs(latencyChangeNs);
  return seen && change > connections * Math.max(cpuChangeNs, Math.abs(cpu.change));
}

function saysMore(one: ChangedFunction, known: ChangedFunction, facts: SuspectFacts): boolean {
  if (one.unit !== 'ns' || known.unit !== 'ns') return false;
  const [change, before] = [Math.abs(one.change), Math.abs(known.change)];
  if (known.event === 'cpu') return isBeyondCpu(one, known, facts);
  return Math.sign(one.change) === Math.sign(known.change) ? known.event === 'wall' && change >= mostOfIt * before : change > before;
}

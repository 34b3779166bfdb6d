import * as z from 'zod';
import { type Network, bounds, mostThroughput, scatteredThroughput, timesAt } from './closedNetwork.ts';
import type { MeasuredLoad, MeasuredService } from './measuredService.ts';

/** Where a service is to run. */
export const surroundingsSchema = z.object({
  clients: z.number().describe('who ask again as soon as they are answered'),
  rttMs: z.number().describe('between app and database, in addition to that of loopback'),
  instances: z.number(),
  pool: z.number().nullable().describe('connections to the database of each instance; null: as many as are wanted'),
  machineCores: z.number().nullable().describe('of one machine that app, database and clients share; null: each has its own'),
  appCores: z.number().nullable().describe('that each instance may use; null: all of the machine'),
  databaseCores: z.number().nullable().describe('that the database may use; null: all of the machine'),
  clientMs: z.number().nullable().describe('CPU time of a request on the shared machine that those who ask take; null: as measured'),
});
export type Surroundings = z.infer<typeof surroundingsSchema>;

/** What can be full. */
export const tiers = ['app', 'database', 'machine', 'threads', 'pool'] as const;
export type Tier = (typeof tiers)[number];

export interface Prediction {
  surroundings: Surroundings;
  /** Requests/s. */
  throughput: { mean: number; low: number; high: number };
  /** Of each tier, how much is in use, 0 … 1; by the mean. */
  uses: { tier: Tier; share: number }[];
  /** The first to be full; null: clients wait for what no tier has too little of. */
  full: Tier | null;
  /** Requests/s that more clients could get, with the pool that suffices. */
  most: number;
  /** The smallest pool of each instance that is within {@link poolDelta} of any larger one, at the least and at the most; null without a pool. */
  poolEnough: { low: number; high: number } | null;
  /** Whether this machine could measure it. */
  checkable: boolean;
}

/** What the smallest sufficient pool may give up, a share. */
export const poolDelta = 0.05;
/** In use from here on a tier is called full. */
const fullFrom = 0.9;
/**
 * A prediction is of another process, and processes of one program differ for as long as they live. Of a pool of a service, three processes each had a throughput with
 * a coefficient of variation of 5.1 % (1,180, 1,140, 1,147; 1,276, 1,108, 1,120; 1,195, 1,169, 1,115 requests/s); this is the half width of the 95 % interval of two.
 */
const processSpread = 1.96 * Math.SQRT2 * 0.051;
/** Other programs do not take the same at any time: what their part is off by, a share of it. */
const takenSpread = 0.25;

/**
 * Predicts the throughput in other surroundings from one run. The throughput lies between that of work whose times scatter as an exponential distribution does, and the
 * bounds that hold for any: where between them the measured one lay, the predicted one is taken to lie, and both ends are its interval. What was measured outside
 * of them moves them.
 */
export function predict(service: MeasuredService, surroundings: Surroundings): Prediction {
  const parts = partsOf(service);
  const here = measuredSurroundings(service);
  const base = between(service, parts, here);
  const top = service.loads.at(-1) as MeasuredLoad;
  const measured = top.throughput.mean;
  const [below, above] = [Math.min(1, measured / base.low), Math.max(1, measured / base.high)];
  const place = base.high <= base.low ? 0.5 : clamp(Math.log(measured / base.low) / Math.log(base.high / base.low));
  const found = between(service, parts, surroundings);
  const spread = takenSpread * service.takenShare + (top.throughput.high - top.throughput.low) / 2 / measured;
  const other = between(service, parts, surroundings, processSpread);
  const [low, high] = [found.low * below, found.high * above];
  const mean = low * (high / low) ** place;
  const network = networkOf(service, parts, surroundings, mean / 1000, 'middle');
  const uses = usesOf(network, mean / 1000);
  const fullest = uses.reduce<{ tier: Tier; share: number } | null>(
    (most, one) => (most === null || one.share > most.share ? one : most),
    null,
  );
  return {
    surroundings,
    throughput: { mean, low: other.low * below * (1 - spread), high: other.high * above * (1 + spread) },
    uses,
    full: fullest !== null && fullest.share >= fullFrom ? fullest.tier : null,
    most: 1000 * Math.min(...bounds({ ...network, pool: null }).flatMap(({ name, perMs }) => (name === 'clients' ? [] : [perMs]))) * above,
    poolEnough: surroundings.pool === null ? null : poolEnough(service, parts, surroundings),
    checkable: coresOf(surroundings) <= service.cores,
  };
}

/** The surroundings of the run, under its largest load. */
export function measuredSurroundings({ loads, rttMs, instances, pool, cores, appCores }: MeasuredService): Surroundings {
  return {
    clients: loads.at(-1)?.clients ?? 1,
    rttMs,
    instances,
    pool,
    machineCores: cores,
    appCores,
    databaseCores: null,
    clientMs: null,
  };
}

/** That a machine needs to measure it. */
function coresOf({ machineCores, appCores, databaseCores, instances }: Surroundings): number {
  return machineCores ?? (appCores ?? 0) * instances + (databaseCores ?? 0);
}

/** What of a request does not depend on the load, in ms; and the share of the app’s work that is done while a connection is held. */
interface Parts {
  heldShare: number;
  held: number;
  outside: number;
}

/**
 * From the smallest load, under which least waits: of the time that a connection was held, what is no work and no distance; of the whole time, what is nothing of all that.
 * By how much longer connections are held under the largest load follows how much of the app’s work, which waits for its threads and cores, is done meanwhile.
 */
function partsOf(service: MeasuredService): Parts {
  const { loads } = service;
  const [least, most] = [loads[0], loads.at(-1)] as [MeasuredLoad, MeasuredLoad];
  const network = (load: MeasuredLoad, parts: Parts): Network =>
    networkOf(service, parts, { ...measuredSurroundings(service), clients: load.clients }, load.throughput.mean / 1000, 'middle');
  const none = { heldShare: 0, held: 0, outside: 0 };
  const alone = timesAt(network(least, none), least.throughput.mean / 1000);
  const together = network(most, none);
  const busy = timesAt(together, Math.min(most.throughput.mean / 1000, scatteredThroughput(together)));
  const longer = most.held - busy.inDatabase - (least.held - finite(alone.inDatabase));
  const heldShare = busy.app > 1.05 * finite(alone.app) ? clamp(longer / (busy.app - finite(alone.app))) : 0;
  const far = service.rttMs * mean(service.roundTrips);
  const held = Math.max(0, least.held - finite(alone.inDatabase) - heldShare * finite(alone.app) - far);
  const perMs = least.throughput.mean / 1000;
  const outside = Math.max(0, least.clients / perMs - finite(timesAt(network(least, { heldShare, held, outside: 0 }), perMs).all));
  return { heldShare, held, outside };
}

/** Both ends, in requests/s. CPU time of a request depends on how many are served, so that it is found with them. */
function between(service: MeasuredService, parts: Parts, surroundings: Surroundings, spread = 0): { low: number; high: number } {
  const solved = (of: (network: Network) => number, end: End): number => {
    let perMs = (service.loads.at(-1)?.throughput.mean ?? 0) / 1000;
    for (let step = 0; step < 30; step += 1) {
      const next = (perMs + of(networkOf(service, parts, surroundings, perMs, end, spread))) / 2;
      const isNear = Math.abs(next / perMs - 1) < 1e-5;
      perMs = next;
      if (isNear) break;
    }
    return 1000 * perMs;
  };
  const high = solved(mostThroughput, 'high');
  return { low: Math.min(high, solved(scatteredThroughput, 'low')), high };
}

/** Of the throughput: what is not known for sure is at its worst, at its best, or as it was seen. */
type End = 'low' | 'high' | 'middle';

function networkOf(
  service: MeasuredService,
  parts: Parts,
  { clients, rttMs, instances, pool, machineCores, appCores, databaseCores, clientMs }: Surroundings,
  perMs: number,
  end: End,
  spread = 0,
): Network {
  // Of a process that is by so much slower or faster; a distance is as long for all.
  const factor = { low: 1 + spread, middle: 1, high: 1 - spread }[end];
  const found = cpuAt(service, perMs, factor);
  const cpu = machineCores === null ? { ...found.cpu, client: 0 } : { ...found.cpu, client: clientMs ?? found.cpu.client };
  const { low, high } = service.roundTrips;
  const roundTrips = { low: high, middle: (low + high) / 2, high: low }[end];
  // Of what other programs take on the machine of the run, the service could have a part.
  const taken = { low: 1, middle: 0.5, high: 0 }[end] * service.takenShare;
  return {
    clients,
    processors: [
      ...(machineCores === null ? [] : [{ name: 'machine', cores: machineCores * (1 - taken), needs: cpu }]),
      ...(appCores === null ? [] : [{ name: 'app', cores: appCores * instances, needs: { app: cpu.app } }]),
      ...(databaseCores === null ? [] : [{ name: 'database', cores: databaseCores, needs: { database: cpu.database } }]),
    ],
    threads: found.threads * instances,
    cpu,
    pool: pool === null ? null : pool * instances,
    heldShare: parts.heldShare,
    heldMs: factor * parts.held + roundTrips * rttMs,
    outsideMs: factor * parts.outside,
  };
}

/** CPU time of a request when so many are served in a ms: between the loads that were measured by the logarithm of their throughput, beyond them that of the next. */
function cpuAt({ loads, instances }: MeasuredService, perMs: number, factor: number): { cpu: Network['cpu']; threads: number } {
  const [first, last] = [loads[0], loads.at(-1)] as [MeasuredLoad, MeasuredLoad];
  const [less, more] = [first.throughput.mean, last.throughput.mean];
  const share = more > less && perMs > 0 ? clamp(Math.log((1000 * perMs) / less) / Math.log(more / less)) : 1;
  const at = (of: (load: MeasuredLoad) => number): number => of(first) + share * (of(last) - of(first));
  return {
    cpu: { app: factor * at(({ cpu }) => cpu.app), database: factor * at(({ cpu }) => cpu.database), client: at(({ cpu }) => cpu.client) },
    // Many threads that share the work are as many as the busiest one’s part fits in.
    threads: Math.max(1, Math.round(last.cpu.app / last.busiestThread / instances)),
  };
}

function usesOf(network: Network, perMs: number): { tier: Tier; share: number }[] {
  const found = bounds(network).flatMap(({ name, perMs: most }) => {
    const tier = tiers.find((one) => one === name);
    return tier === undefined || !Number.isFinite(most) || most <= 0 ? [] : [{ tier, share: Math.min(1, perMs / most) }];
  });
  const held = timesAt(network, perMs).held;
  return found.map((one) =>
    one.tier === 'pool' && network.pool !== null && Number.isFinite(held)
      ? { ...one, share: Math.min(1, (perMs * held) / network.pool) }
      : one,
  );
}

function poolEnough(service: MeasuredService, parts: Parts, surroundings: Surroundings): { low: number; high: number } {
  const most = Math.max(1, Math.ceil(surroundings.clients / surroundings.instances));
  const smallest = (end: 'low' | 'high'): number => {
    const at = (pool: number): number => between(service, parts, { ...surroundings, pool })[end];
    const wanted = (1 - poolDelta) * at(most);
    let [few, many] = [1, most];
    while (few < many) {
      const middle = Math.floor((few + many) / 2);
      if (at(middle) >= wanted) many = middle;
      else few = middle + 1;
    }
    return many;
  };
  const [one, other] = [smallest('high'), smallest('low')];
  return { low: Math.min(one, other), high: Math.max(one, other) };
}

function mean({ low, high }: { low: number; high: number }): number {
  return (low + high) / 2;
}

function clamp(value: number): number {
  return Math.min(1, Math.max(0, value));
}

function finite(ms: number): number {
  return Number.isFinite(ms) ? ms : 0;
}

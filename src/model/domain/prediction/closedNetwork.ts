/** What a request needs, in ms, and what there is of it. `processors`: parts of it that run on the same cores, of which one may have parts in several. */
export interface Network {
  /** Who ask again as soon as they are answered. */
  clients: number;
  /** Cores with the CPU time that a request takes of them. */
  processors: readonly { name: string; cores: number; needs: Partial<Record<Part, number>> }[];
  /** Threads that serve requests, each one at a time, for the CPU time of the app. */
  threads: number;
  /** CPU time, by who takes it. */
  cpu: Readonly<Record<Part, number>>;
  /** Connections to the database, each of which is held by one request at a time; null: as many as are wanted. */
  pool: number | null;
  /** The share of the app’s work that is done while a connection is held. */
  heldShare: number;
  /** That a connection is held in addition to that and to the CPU time of the database: waits in it, and what is on the way to it. */
  heldMs: number;
  /** That a request takes in addition to all that. */
  outsideMs: number;
}
export type Part = 'app' | 'database' | 'client';

/** How much longer work takes on `servers` that are in use for a share of `use` (Seidmann, Schweitzer and Shalev-Oren 1987), where each of `clients` sees the others waiting (Schweitzer 1979). */
function slowedBy(servers: number, use: number, clients: number): number {
  const free = 1 - ((clients - 1) / clients) * use;
  if (free <= 0) return Number.POSITIVE_INFINITY;
  // Less than one server is one that is slower.
  const many = Math.max(1, servers);
  return (many / servers) * ((many - 1) / many + 1 / (many * free));
}

/** What a request takes of its time at each place when so many are served in a ms. */
export function timesAt(network: Network, perMs: number): { app: number; inDatabase: number; held: number; all: number } {
  const { clients, processors, threads, cpu, pool, heldShare, heldMs, outsideMs } = network;
  const slowed = (part: Part): number =>
    processors.reduce((sum, { cores, needs }) => {
      if (needs[part] === undefined) return sum;
      const need = Object.values(needs).reduce((total, ms) => total + ms, 0);
      return sum + slowedBy(cores, (perMs * need) / cores, clients) - 1;
    }, 1);
  const ran = cpu.app === 0 ? 0 : cpu.app * slowed('app');
  const app = ran === 0 ? 0 : ran * slowedBy(threads, (perMs * ran) / threads, clients);
  const inDatabase = cpu.database === 0 ? 0 : cpu.database * slowed('database');
  const held = heldMs + inDatabase + (heldShare === 0 ? 0 : heldShare * app);
  const waits = pool === null || held === 0 ? 0 : held * (slowedBy(pool, (perMs * held) / pool, clients) - 1);
  const client = cpu.client === 0 ? 0 : cpu.client * slowed('client');
  return { app, inDatabase, held, all: (heldShare === 1 ? 0 : (1 - heldShare) * app) + held + waits + client + outsideMs };
}

/**
 * Requests per ms that are served where the times of work scatter as an exponential distribution does, which is more than a service’s do: mean value analysis of a
 * closed network, approximated by Schweitzer’s rule (Lazowska, Zahorjan, Graham, Sevcik: Quantitative System Performance, 1984, chapters 6 and 7). It solves
 * clients = throughput × time by halving.
 */
export function scatteredThroughput(network: Network): number {
  let [low, high] = [0, mostThroughput(network)];
  for (let step = 0; step < 40; step += 1) {
    const middle = (low + high) / 2;
    if (middle * timesAt(network, middle).all > network.clients) high = middle;
    else low = middle;
  }
  return low;
}

/** What bounds the throughput, in requests per ms (the asymptotic bounds of operational analysis, Denning and Buzen 1978). */
export function bounds(network: Network): { name: string; perMs: number }[] {
  const { clients, processors, threads, cpu, pool, heldShare, heldMs, outsideMs } = network;
  const heldAtLeast = heldMs + cpu.database + heldShare * cpu.app;
  const needOf = (needs: Partial<Record<Part, number>>): number => Object.values(needs).reduce((sum, ms) => sum + ms, 0);
  return [
    ...processors.map(({ name, cores, needs }) => ({ name, perMs: cores / needOf(needs) })),
    { name: 'threads', perMs: threads / cpu.app },
    ...(pool === null ? [] : [{ name: 'pool', perMs: pool / heldAtLeast }]),
    { name: 'clients', perMs: clients / (heldAtLeast + (1 - heldShare) * cpu.app + cpu.client + outsideMs) },
  ];
}

/** Requests per ms that no such service can go beyond. */
export function mostThroughput(network: Network): number {
  return Math.min(...bounds(network).map(({ perMs }) => perMs));
}

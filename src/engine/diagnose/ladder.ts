import type { DiagnosisKind, Evidence, LadderSign } from '../../model/domain/diagnosis.ts';
import { figure } from '../../model/domain/format.ts';
import { percentOf } from './words.ts';

/** One rung: the same settings under this many connections. */
export interface LadderPoint {
  connections: number;
  /** Requests/s. */
  throughput: number;
  meanMs: number | null;
  /** CPU in percent of all cores that could be used: 100 is all of them. The machine’s, where app, database and load share it. */
  cpuPercentOfCores: number | null;
  /** What the verdict on this rung names. */
  limit?: DiagnosisKind | null;
}

/** What a verdict’s kind is called in a sentence; those that are no resource with a queue are left out. */
const resources: Partial<Record<DiagnosisKind, string>> = {
  'pool-limited': 'the connection pool',
  'pool-exhausted': 'the connection pool',
  'connection-leak': 'the connection pool, which loses connections',
  'held-connection': 'the connection pool, whose connections are held while the database has nothing to do',
  'outbound-pool': 'the HTTP client’s connection pool',
  'outbound-service': 'another service',
  'thread-pool': 'the thread pool',
  'application-lock': 'a lock in the app',
  'database-lock': 'a lock in the database',
  'database-io': 'the database’s disk',
  proxy: 'the proxy',
  pgbouncer: 'PgBouncer’s pool',
};

/** Limits of the signs. Throughput counts as flat within 10 %; latency as proportional from a slope of 0.8 on a double logarithmic scale. */
const flatWithin = 0.1;
const proportionalSlope = 0.8;
const idleCpuPercent = 50;
const fullCpuPercent = 85;
const collapsedBelow = 0.8;
/** Throughput that rises with a slope of at least this on a double logarithmic scale still scales. */
const scalingSlope = 0.7;
const fewestPoints = 3;

/** Slope of log y over log x by least squares; null with fewer than two different x. */
export function logSlope(points: readonly (readonly [x: number, y: number])[]): number | null {
  const logs = points.filter(([x, y]) => x > 0 && y > 0).map(([x, y]) => [Math.log(x), Math.log(y)] as const);
  const mean = (of: 0 | 1): number => logs.reduce((sum, pair) => sum + pair[of], 0) / logs.length;
  if (logs.length < 2) return null;
  const [mx, my] = [mean(0), mean(1)];
  const spread = logs.reduce((sum, [x]) => sum + (x - mx) ** 2, 0);
  return spread === 0 ? null : logs.reduce((sum, [x, y]) => sum + (x - mx) * (y - my), 0) / spread;
}

/** The fewest connections that bring 90 % of the highest throughput: from there on it has stopped rising. Null when it is the last rung. */
export function kneeOf(points: readonly LadderPoint[]): number | null {
  const best = Math.max(...points.map(({ throughput }) => throughput));
  const knee = points.find(({ throughput }) => throughput >= (1 - flatWithin) * best);
  return knee === undefined || knee === points.at(-1) ? null : knee.connections;
}

/**
 * What a ladder shows as a whole. “Throughput flat, latency rising in proportion, CPU idle” is the sign by which a published experiment
 * found a client’s pool of two connections: a queue in front of a resource of fixed size. Only the rungs from the knee on are asked for it,
 * and they have to span a doubling of the load.
 */
export function readLadder(points: readonly LadderPoint[]): LadderSign {
  const rungs = points.filter(({ throughput }) => throughput > 0).sort((a, b) => a.connections - b.connections);
  const [first] = rungs;
  const last = rungs.at(-1);
  if (rungs.length < fewestPoints || first === undefined || last === undefined) {
    return {
      sign: 'not-enough-points',
      sentence: `A ladder shows its shape from ${fewestPoints} valid numbers of connections on; there ${rungs.length === 1 ? 'is' : 'are'} ${rungs.length}.`,
      evidence: [],
      knee: null,
    };
  }
  const best = rungs.reduce((most, rung) => (rung.throughput > most.throughput ? rung : most), first);
  const knee = kneeOf(rungs);
  const plateau = rungs.filter(({ connections }) => connections >= (knee ?? last.connections));
  const lowest = Math.min(...plateau.map(({ throughput }) => throughput));
  const spread = 1 - lowest / best.throughput;
  const spans = plateau.length >= 2 && last.connections >= 2 * (plateau[0]?.connections ?? last.connections);
  const slope = logSlope(plateau.flatMap(({ connections, meanMs }) => (meanMs === null ? [] : [[connections, meanMs] as const])));
  const cpus = plateau.flatMap(({ cpuPercentOfCores }) => cpuPercentOfCores ?? []);
  const cpu = cpus.length === 0 ? null : Math.max(...cpus);
  const lastShare = last.throughput / best.throughput;
  const rise = logSlope(rungs.map(({ connections, throughput }) => [connections, throughput] as const)) ?? 0;
  const evidence: Evidence[] = [
    row(
      'throughput from the knee on, between lowest and highest',
      percentOf(spread),
      `≤ ${percentOf(flatWithin)}`,
      spans && spread <= flatWithin,
    ),
    row(
      'slope of latency over connections (logarithmic)',
      slope === null ? 'not seen' : slope.toFixed(2),
      `≥ ${proportionalSlope}`,
      slope !== null && slope >= proportionalSlope,
    ),
    row('CPU, of all cores', cpu === null ? 'not seen' : `${figure(cpu)} %`, `< ${idleCpuPercent} %`, cpu !== null && cpu < idleCpuPercent),
    row('throughput at the last rung, of the best', percentOf(lastShare), `≥ ${percentOf(collapsedBelow)}`, lastShare >= collapsedBelow),
  ];
  const says = (sign: LadderSign['sign'], sentence: string): LadderSign => ({ sign, sentence, evidence, knee });
  const range = `${plateau[0]?.connections ?? last.connections} to ${last.connections} connections`;
  const rate = `${figure(best.throughput)} requests a second`;

  if (lastShare < collapsedBelow) {
    return says(
      'collapses',
      `Throughput collapses: from ${rate} at ${best.connections} connections to ${figure(last.throughput)} at ${last.connections}, ${percentOf(1 - lastShare)} less. More load costs more than it brings.`,
    );
  }
  const isQueue = spans && spread <= flatWithin && slope !== null && slope >= proportionalSlope;
  if (isQueue && cpu !== null && cpu < idleCpuPercent) {
    return says(
      'queue-before-fixed-resource',
      `There is a queue in front of a fixed-size resource: from ${range} throughput stays at ${rate} while latency rises in proportion, and the CPU is used to no more than ${figure(cpu)} %.${found(plateau)}`,
    );
  }
  if (knee !== null && cpu !== null && cpu >= fullCpuPercent) {
    return says(
      'saturates-cpu',
      `Throughput rises until the CPU is full: about ${rate} from ${knee} connections on, with the CPU at ${figure(cpu)} %.`,
    );
  }
  if (rise >= scalingSlope) {
    return says(
      'scales',
      `Throughput rises with the load up to ${last.connections} connections (${figure(last.throughput)} requests a second): nothing has run out yet.`,
    );
  }
  return says(
    'none',
    `The ladder shows no clear sign: the best was ${rate} at ${best.connections} connections${knee === null ? ', and it was still rising' : `, with little gained beyond ${knee}`}.`,
  );
}

function row(what: string, value: string, threshold: string, met: boolean): Evidence {
  return {
    what,
    value,
    threshold,
    met,
    source: what.startsWith('CPU') || what.startsWith('slope') ? 'the sign of the published experiment C' : null,
  };
}

/** Which resource it is, by the verdict on the highest rung that has one. */
function found(plateau: readonly LadderPoint[]): string {
  const limit = plateau.flatMap((rung) => rung.limit ?? []).at(-1);
  const resource = limit === undefined ? undefined : resources[limit];
  return resource === undefined ? '' : ` By the verdict it is ${resource}.`;
}

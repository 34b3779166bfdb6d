import { fromSource } from '../../model/domain/verdict/thresholdSources.ts';
import type { LadderSign } from '../../model/domain/diagnosis.ts';
import type { DiagnosisKind } from '../../model/domain/diagnosisKind.ts';
import type { Evidence } from '../../model/domain/verdict/evidence.ts';

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
      said: { code: 'ladder-too-short', fewest: fewestPoints, levels: rungs.length },
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
  const spreads = { value: spread, unit: 'share', threshold: { is: '≤', limit: flatWithin } } as const;
  const rises = { value: slope, unit: 'count', threshold: { is: '≥', limit: proportionalSlope } } as const;
  const uses = { value: cpu, unit: 'percent', threshold: { is: '<', limit: idleCpuPercent } } as const;
  const ends = { value: lastShare, unit: 'share', threshold: { is: '≥', limit: collapsedBelow } } as const;
  const source = fromSource('published-c');
  const evidence: Evidence[] = [
    { what: { code: 'ladder-spread' }, ...spreads, met: spans && spread <= flatWithin, source: null },
    { what: { code: 'ladder-slope' }, ...rises, met: slope !== null && slope >= proportionalSlope, source },
    { what: { code: 'ladder-cpu' }, ...uses, met: cpu !== null && cpu < idleCpuPercent, source },
    { what: { code: 'ladder-last' }, ...ends, met: lastShare >= collapsedBelow, source: null },
  ];
  const says = (sign: LadderSign['sign'], said: LadderSign['said']): LadderSign => ({ sign, said, evidence, knee });
  const { throughput: perS, connections } = best;

  if (lastShare < collapsedBelow) {
    const [lastPerS, lastConnections] = [last.throughput, last.connections];
    return says('collapses', { code: 'ladder-collapses', perS, connections, lastPerS, lastConnections });
  }
  const isQueue = spans && spread <= flatWithin && slope !== null && slope >= proportionalSlope;
  if (isQueue && cpu !== null && cpu < idleCpuPercent) {
    const [from, to] = [plateau[0]?.connections ?? last.connections, last.connections];
    // Which resource it is, the verdict on the highest rung that has one says.
    const limit = plateau.flatMap((rung) => rung.limit ?? []).at(-1) ?? null;
    return says('queue-before-fixed-resource', { code: 'ladder-queues', perS, from, to, cpuPercent: cpu, limit });
  }
  if (knee !== null && cpu !== null && cpu >= fullCpuPercent)
    return says('saturates-cpu', { code: 'ladder-fills-cpu', perS, knee, cpuPercent: cpu });
  if (rise >= scalingSlope) return says('scales', { code: 'ladder-scales', perS: last.throughput, connections: last.connections });
  return says('none', { code: 'ladder-unclear', perS, connections, knee });
}

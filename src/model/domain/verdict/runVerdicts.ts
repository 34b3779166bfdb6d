import * as z from 'zod';
import { type DiagnosisKind, diagnosisKindSchema, limitNames } from '../diagnosisKind.ts';
import { worded } from '../findingTable.ts';
import { figure, percentPhrase } from '../format.ts';
import { capital } from '../sentence.ts';
import { inUse, number, seen } from './figures.ts';
import { mean, ms, ofMax, percentOf, waited } from './phrases.ts';

const few = number.describe('connections of the smaller pool');
const many = number.describe('connections of the larger pool');
const ratio = number.describe('of the larger pool’s throughput to that of the smaller');

/** What is behind a pool, within a sentence and with its verb. */
const behindNames: Partial<Record<DiagnosisKind, { what: string; is: string }>> = {
  'application-lock': { what: 'a lock in the app, it seems,', is: 'is' },
  'database-lock': { what: 'locks in the database', is: 'are' },
  'busy-machine': { what: 'the CPU that others left', is: 'is' },
  cpu: { what: 'the CPU', is: 'is' },
};

function behindName(kind: DiagnosisKind): { what: string; is: string } {
  return behindNames[kind] ?? { what: 'what the connections wait for', is: 'is' };
}

const gained = { behind: diagnosisKindSchema, few, many, ratio, expected: number.describe('the ratio, if the pool alone were the limit') };

function gains({ few: less, many: more, ratio: gain, expected }: { few: number; many: number; ratio: number; expected: number }): string {
  return `a pool of ${more} brought ${percentPhrase(100 * (gain - 1))} more than one of ${less}, of the ${percentPhrase(100 * (expected - 1))} of one that limits alone`;
}

/** What it is that connections wait for, as far as trials of two sizes show. */
const waitedFor = z.discriminatedUnion('by', [
  z.object({ by: z.literal('verdict'), kind: diagnosisKindSchema, connections: seen }),
  z.object({ by: z.literal('database-lock') }),
  z.object({ by: z.literal('idle'), share: number.describe('of the connections in use') }),
  z.object({
    by: z.literal('cpu'),
    fewCores: number.describe('that were asked for with the smaller pool'),
    manyCores: number,
    cores: number.describe('of the machine'),
    takenPercent: seen.describe('null: others took little'),
  }),
  z.object({ by: z.literal('nothing') }),
]);
export type WaitedFor = z.infer<typeof waitedFor>;

function waitedForPhrase(of: WaitedFor): string {
  switch (of.by) {
    case 'verdict':
      return `with ${of.connections ?? 'more'} connections it is found to be: ${limitNames[of.kind]}`;
    case 'database-lock':
      return 'sessions of the database wait for a lock';
    case 'idle':
      return `on ${percentOf(of.share)} of the connections in use nothing was asked, so that it is a lock in the app, or something else in it that one request has at a time`;
    case 'cpu': {
      const taken = of.takenPercent === null ? '' : `, and other programs took ${figure(of.takenPercent)} % of these`;
      return `app, database and load generator ran or waited for their turn on ${figure(of.fewCores)} cores with the smaller pool and on ${figure(of.manyCores)} with the larger, of ${of.cores} that there are${taken}`;
    }
    case 'nothing':
      return 'what it is, nothing here watches';
  }
}

export const fullPoolFigures = { ...inUse.shape, pending: seen };

/** "2.0 of 2 of its connections were in use and 30 requests waited". */
export function fullPool({ busy, max, pending }: { busy: number | null; max: number | null; pending: number | null }): string {
  return `${ofMax(busy, max) ?? 'all'} of its connections were in use and ${waited(pending)}`;
}

/** What verdicts say that look at several trials of a run. */
export const runVerdicts = {
  'behind-pool': worded({
    behind: diagnosisKindSchema,
    few,
    many,
    fewPerS: number,
    manyPerS: number,
    isNothing: z.boolean().describe('what the larger pool gained'),
  }).says(({ behind, few: less, many: more, fewPerS, manyPerS, isNothing }) => {
    const { what, is } = behindName(behind);
    const compared = isNothing ? 'not' : what.includes('it seems') ? 'more than' : 'it seems, more than';
    return `${capital(what)} ${is} the limit, ${compared} the pool: one of ${more} brought ${figure(manyPerS)} requests a second, and one of ${less} brought ${figure(fewPerS)}.`;
  }),
  'pool-first': worded(gained).says(
    ({ behind, ...gain }) => `The connection pool comes first, then ${behindName(behind).what.replace(/,$/, '')}: ${gains(gain)}.`,
  ),
  'behind-pool-by-now': worded(gained).says(({ behind, ...gain }) => {
    const { what, is } = behindName(behind);
    return `${capital(what)} ${is} the limit by now: ${gains(gain)}.`;
  }),
  'behind-pool-why': worded({
    forCpu: z.boolean(),
    inUse: z.object({ busy: number, max: number }).nullable(),
    few,
    many,
    fewMs: seen.describe('for which a connection is held'),
    manyMs: seen,
    helps: z.boolean().describe('the larger pool'),
    waitedFor,
  }).says(({ forCpu, inUse: use, few: less, many: more, fewMs, manyMs, helps, waitedFor: of }) => {
    const used = use === null ? '' : `: ${mean(use.busy)} of ${use.max} connections were in use`;
    const moves = helps ? 'A larger pool moves most of the queue' : 'A larger pool only moves the queue';
    return `Requests hold a connection while they wait ${forCpu ? 'for their turn on the CPU' : 'for each other'}${used}, and each was held for ${ms(manyMs)} with a pool of ${more}, where it took ${ms(fewMs)} with ${less}. ${moves} from before the pool to behind it; ${waitedForPhrase(of)}.`;
  }),
  'larger-brought-nothing': worded({ few, many }).says(
    ({ few: less, many: more }) => `A pool of ${more} brought no more than one of ${less}.`,
  ),
  'larger-brought-more': worded({ many, ratio }).says(
    ({ many: more, ratio: gain }) => `A pool of ${more} brought ${percentPhrase(100 * (gain - 1))} more with the same processors.`,
  ),
  'pool-by-larger': worded({ few, many, ratio }).says(
    ({ few: less, many: more, ratio: gain }) =>
      `The connection pool is the limit, as this run shows: one of ${more} brought ${percentPhrase(100 * (gain - 1))} more than one of ${less} on the same CPU.`,
  ),
  'pool-too': worded({ ...fullPoolFigures, many, ratio }).says(
    ({ many: more, ratio: gain, ...use }) =>
      `It is not all: ${fullPool(use)}, and a pool of ${more} brought ${percentPhrase(100 * (gain - 1))} more on the same CPU.`,
  ),
  'no-more-from-load': worded({ connections: number, perS: number, moreConnections: number, morePerS: number }).says(
    ({ connections, perS, moreConnections, morePerS }) =>
      `More load brings nothing: ${moreConnections} connections of the load brought ${figure(morePerS)} requests a second, and ${connections} brought ${figure(perS)}.`,
  ),
  'no-more-from-load-why': worded({ connections: number, moreConnections: number.describe('what limits with these comes next') }).says(
    ({ connections, moreConnections }) =>
      `With ${connections} connections nobody waits yet, but the limit is reached. With ${moreConnections}:`,
  ),
} as const;

/** What a verdict’s kind is called in a sentence; those that are no resource with a queue are left out. */
const queueNames: Partial<Record<DiagnosisKind, string>> = {
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

const best = { perS: number, connections: number.describe('with which most was reached') };
const cpuPercent = number.describe('of all cores');

function rate(perS: number): string {
  return `${figure(perS)} requests a second`;
}

/** What a whole ladder shows. */
export const ladderVerdicts = {
  'ladder-too-short': worded({ fewest: number, levels: number }).says(
    ({ fewest, levels }) =>
      `A ladder shows its shape from ${fewest} valid numbers of connections on; there ${levels === 1 ? 'is' : 'are'} ${levels}.`,
  ),
  'ladder-collapses': worded({ ...best, lastPerS: number, lastConnections: number }).says(
    ({ perS, connections, lastPerS, lastConnections }) =>
      `Throughput collapses: from ${rate(perS)} at ${connections} connections to ${figure(lastPerS)} at ${lastConnections}, ${percentOf(1 - lastPerS / perS)} less. More load costs more than it brings.`,
  ),
  'ladder-queues': worded({
    perS: number,
    from: number.describe('connections'),
    to: number,
    cpuPercent,
    limit: diagnosisKindSchema.nullable(),
  }).says(({ perS, from, to, cpuPercent: cpu, limit }) => {
    const resource = limit === null ? undefined : queueNames[limit];
    return `There is a queue in front of a fixed-size resource: from ${from} to ${to} connections throughput stays at ${rate(perS)} while latency rises in proportion, and the CPU is used to no more than ${figure(cpu)} %.${resource === undefined ? '' : ` By the verdict it is ${resource}.`}`;
  }),
  'ladder-fills-cpu': worded({ perS: number, knee: number, cpuPercent }).says(
    ({ perS, knee, cpuPercent: cpu }) =>
      `Throughput rises until the CPU is full: about ${rate(perS)} from ${knee} connections on, with the CPU at ${figure(cpu)} %.`,
  ),
  'ladder-scales': worded({ perS: number, connections: number }).says(
    ({ perS, connections }) => `Throughput rises with the load up to ${connections} connections (${rate(perS)}): nothing has run out yet.`,
  ),
  'ladder-unclear': worded({ ...best, knee: seen.describe('null: it was still rising') }).says(
    ({ perS, connections, knee }) =>
      `The ladder shows no clear sign: the best was ${rate(perS)} at ${connections} connections${knee === null ? ', and it was still rising' : `, with little gained beyond ${knee}`}.`,
  ),
} as const;

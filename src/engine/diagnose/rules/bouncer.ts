import { looksUnanswered } from '../signals.ts';
import { wholeNumber } from '../../../model/domain/format.ts';
import { advice, raise, record, tuneAround } from '../actions.ts';
import { anyOf, atLeast, below, share } from '../checks.ts';
import type { Check } from '../checks.ts';
import { fullestCpu, pgCpuShare } from '../cpuUse.ts';
import type { Rule } from '../rule.ts';
import type { Signals } from '../signals.ts';
import { connectionsNeeded } from '../sizes.ts';
import { thresholds } from '../thresholds.ts';
import { allBusy, mean, ms, ofCores, ofMax, percentOf } from '../words.ts';
import { cpuIdle } from './guards.ts';

function full(s: Signals): Check {
  const { busy = null, poolSize = null } = s.bouncer ?? {};
  return atLeast('must', 'connections of PgBouncer to PostgreSQL that belong to a client', share(busy, poolSize), thresholds.poolBusy, {
    unit: 'share',
    text: ofMax(busy, poolSize),
  });
}

function queued(s: Signals): Check {
  return atLeast('must', 'connections of the app that wait for one of them', s.bouncer?.waiting ?? null, thresholds.waiting, {
    unit: 'count',
  });
}

/** How long a request keeps a connection of PgBouncer’s, by Little’s law. */
function holdMs(s: Signals): number | null {
  return s.bouncer?.busy == null || s.throughput <= 0 ? null : (1000 * s.bouncer.busy) / s.throughput;
}

function needed(s: Signals): number | null {
  const { connections, throughput, meanMs, load } = s;
  return connectionsNeeded({
    connections,
    throughput,
    meanMs,
    holdMs: holdMs(s),
    waitMs: s.bouncer?.waitMs ?? null,
    perRequest: 1,
    cpuShare: fullestCpu(s),
    paced: load === 'paced',
  });
}

function head(s: Signals): string {
  const { busy = null, poolSize: max = 0, waiting } = s.bouncer ?? {};
  return `PgBouncer’s pool of ${max} is the limit: ${allBusy({ busy, max })} and ${mean(waiting ?? 0)} of the app’s connections waited for one`;
}

/**
 * The app’s pool runs dry because its connections wait here; in session mode a connection of the app keeps its server connection: those beyond PgBouncer’s pool
 * never get one. Comes before what fails requests, which it explains, and before the app’s own pool, whose connections are held by requests that wait here.
 */
export const bouncerStarves: Rule = {
  kind: 'pgbouncer',
  surely: true,
  applies: (s) => s.bouncer !== null && (s.bouncer.mode === 'session' || (s.pool?.timeouts ?? 0) >= 1) && looksUnanswered(s),
  checks: (s) => [
    full(s),
    queued(s),
    atLeast('must', 'connections of the app for each of PgBouncer’s', share(s.bouncer?.clients, s.bouncer?.poolSize), moreThanOne, {
      unit: 'count',
    }),
  ],
  explain: (s) => ({
    headline: `${head(s)}.`,
    explanation:
      s.bouncer?.mode === 'transaction'
        ? timedOut(s)
        : `In session mode a connection of the app keeps its server connection until it is closed: of ${mean(s.bouncer?.clients ?? 0)} connections of the app’s pools only ${s.bouncer?.poolSize ?? 0} have one, and requests on the others wait until they give up.`,
    actions: [
      advice(
        'Let PgBouncer pool by transaction, where the app allows it, or let the app’s pools together have no more connections than PgBouncer',
      ),
      ...raise(s.knobs.bouncerPool, s.bouncer?.clients ?? null),
    ],
  }),
};

const moreThanOne = { limit: 1.02, source: 'as many as it has can each have one' };

/** Statements wait for PgBouncer’s connections, or for its one thread, and PostgreSQL behind it has room. */
export const bouncerPool: Rule = {
  kind: 'pgbouncer',
  byWaits: true,
  applies: (s) => s.bouncer !== null,
  checks: (s) => [
    // A queue that never empties proves that connections are missing; in use they are only between getting one and giving it back.
    ...anyOf(
      full(s),
      atLeast(
        'must',
        'connections of the app that wait for each of PgBouncer’s',
        share(s.bouncer?.waiting, s.bouncer?.poolSize),
        thresholds.waiting,
        { unit: 'count' },
      ),
      atLeast('must', 'CPU of PgBouncer’s one thread', share(s.bouncer?.cpuPercent, 100), thresholds.proxyWorker, { unit: 'share' }),
    ),
    ...(isThreadFull(s) ? [] : [queued(s)]),
    below('guard', 'CPU of PostgreSQL', pgCpuShare(s), thresholds.databaseCpu, { unit: 'share', text: ofCores(pgCpuShare(s), s.pgCores) }),
    ...(isThreadFull(s) ? [] : [cpuIdle(s)]),
  ],
  explain: (s) => (isThreadFull(s) ? ofThread(s) : ofPool(s)),
};

function timedOut(s: Signals): string {
  return `Requests gave up waiting for a connection of the app’s own pool (${wholeNumber(s.pool?.timeouts ?? 0)}), since those that held one waited here. A larger pool of the app would make only this queue longer.`;
}

function isThreadFull(s: Signals): boolean {
  return (s.bouncer?.cpuPercent ?? 0) >= 100 * thresholds.proxyWorker.limit;
}

function ofThread(s: Signals): ReturnType<Rule['explain']> {
  return {
    headline: `PgBouncer itself is the limit: its one thread used ${percentOf((s.bouncer?.cpuPercent ?? 0) / 100)} of a core.`,
    explanation: `Every statement and every row goes through that thread, however many connections it has; PostgreSQL was at ${percentOf(pgCpuShare(s))} of its cores.`,
    actions: [
      advice(
        'Leave it out where the app’s own pools fit into PostgreSQL’s connections, or let several processes of it share a port (so_reuseport)',
      ),
    ],
  };
}

function ofPool(s: Signals): ReturnType<Rule['explain']> {
  const count = needed(s);
  const why =
    count === null
      ? ''
      : ` Without the wait the load would need about ${count} connections: requests per second × the ${ms(holdMs(s))} for which each holds one (Little’s law).`;
  return {
    headline: `${head(s)}.`,
    explanation: `A request waited ${ms(s.bouncer?.waitMs ?? null)} for a connection of PgBouncer’s, while PostgreSQL was at ${percentOf(pgCpuShare(s))} of its cores. The app’s own pool holds its connection meanwhile: a larger one would make only that queue longer.${why}`,
    actions: [
      ...raise(s.knobs.bouncerPool, count),
      ...tuneAround(s.knobs.bouncerPool, count),
      record('pool-wait', 'Record who waits for connections, and where'),
    ],
  };
}

import type { VerdictPart } from '../../../model/domain/verdict/verdictKinds.ts';
import { advice, raise, tuneAround, whoWaits } from '../actions.ts';
import { type Check, anyOf, atLeast, partAtLeast, share } from '../checks.ts';
import { pgCpuShare } from '../cpuUse.ts';
import type { Rule, RuleVerdict } from '../rule.ts';
import { type Signals, looksUnanswered } from '../signals.ts';
import { type Threshold, thresholds } from '../thresholds.ts';
import { cpuBelow, cpuIdle, ofPostgres } from './guards.ts';
import { needed } from './poolChecks.ts';

function full(s: Signals): Check {
  const { busy, poolSize } = s.bouncer ?? {};
  return partAtLeast('bouncer-in-use', busy, poolSize, thresholds.poolBusy);
}

function queued(s: Signals): Check {
  return atLeast('must', { code: 'bouncer-queue' }, s.bouncer?.waiting ?? null, thresholds.waiting);
}

/** How long a request keeps a connection of PgBouncer’s, by Little’s law. */
function holdMs(s: Signals): number | null {
  return s.bouncer?.busy == null || s.throughput <= 0 ? null : (1000 * s.bouncer.busy) / s.throughput;
}

function said(s: Signals): VerdictPart {
  const { busy = null, poolSize: max = 0, waiting } = s.bouncer ?? {};
  return { code: 'bouncer-full', busy, max, waiting: waiting ?? 0 };
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
    atLeast('must', { code: 'bouncer-clients' }, share(s.bouncer?.clients, s.bouncer?.poolSize), moreThanOne),
  ],
  explain: (s) => ({
    said: said(s),
    why: [
      s.bouncer?.mode === 'transaction'
        ? { code: 'bouncer-starves', timeouts: s.pool?.timeouts ?? 0 }
        : { code: 'bouncer-keeps', clients: s.bouncer?.clients ?? 0, max: s.bouncer?.poolSize ?? 0 },
    ],
    actions: [advice({ code: 'pool-transactions' }), ...raise(s.knobs.bouncerPool, s.bouncer?.clients ?? null)],
  }),
};

const moreThanOne: Threshold = { limit: 1.02, unit: 'count', source: 'one-each' };

/** Statements wait for PgBouncer’s connections, or for its one thread, and PostgreSQL behind it has room. */
export const bouncerPool: Rule = {
  kind: 'pgbouncer',
  byWaits: true,
  applies: (s) => s.bouncer !== null,
  checks: (s) => [
    // A queue that never empties proves that connections are missing; in use they are only between getting one and giving it back.
    ...anyOf(
      full(s),
      atLeast('must', { code: 'bouncer-queue-for-each' }, share(s.bouncer?.waiting, s.bouncer?.poolSize), thresholds.waiting),
      atLeast('must', { code: 'cpu-of-bouncer' }, share(s.bouncer?.cpuPercent, 100), thresholds.proxyWorker),
    ),
    ...(isThreadFull(s) ? [] : [queued(s)]),
    cpuBelow('guard', ofPostgres(s), thresholds.databaseCpu),
    ...(isThreadFull(s) ? [] : [cpuIdle(s)]),
  ],
  explain: (s) => (isThreadFull(s) ? ofThread(s) : ofPool(s)),
};

function isThreadFull(s: Signals): boolean {
  return (s.bouncer?.cpuPercent ?? 0) >= 100 * thresholds.proxyWorker.limit;
}

function ofThread(s: Signals): RuleVerdict {
  return {
    said: { code: 'bouncer-thread', cpuPercent: s.bouncer?.cpuPercent ?? 0 },
    why: [{ code: 'bouncer-thread-why', postgresShare: pgCpuShare(s) }],
    actions: [advice({ code: 'more-bouncers' })],
  };
}

function ofPool(s: Signals): RuleVerdict {
  const count = needed(s, { waitMs: s.bouncer?.waitMs ?? null, holdMs: holdMs(s), perRequest: 1 });
  return {
    said: said(s),
    why: [
      { code: 'bouncer-full-why', waitMs: s.bouncer?.waitMs ?? null, postgresShare: pgCpuShare(s) },
      ...(count === null ? [] : [{ code: 'connections-needed' as const, connections: count, processes: 1, holdMs: holdMs(s) }]),
    ],
    actions: [...raise(s.knobs.bouncerPool, count), ...tuneAround(s.knobs.bouncerPool, count), whoWaits],
  };
}

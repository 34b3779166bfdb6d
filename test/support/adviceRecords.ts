import type { Advice, Together, Tried } from '../../src/model/domain/advice.ts';
import type { AdviceRecord } from '../../src/model/domain/adviceRecord.ts';

const run = 'aaaaaa-000000000000000000000000';
const effect = { stage: 'measured', costs: [], walBytes: null, statementMs: null, answersDiffer: false, run } satisfies Partial<Tried>;

/** Changes of a small service, its advice and the record of it. A name of it looks like markup. */
export const index: Tried = {
  ...effect,
  id: 'index ads (seller)',
  settings: { sql: 'ads_seller_idx.sql' },
  reason: 'index',
  statement: 'SELECT * FROM ads WHERE seller = $1',
  index: { table: 'public.ads', columns: ['seller'], bytes: 2_097_152, buildMs: 500 },
  apply: [{ where: 'sql', text: 'CREATE INDEX CONCURRENTLY ads_seller_idx ON public.ads (seller);' }],
  verdict: 'better',
  ratio: { mean: 2.5, ciLow: 2, ciHigh: 3 },
  walBytes: [100, 220],
  statementMs: [12, 1.5],
};
export const pool: Tried = {
  ...effect,
  id: 'pool=<b>4',
  settings: { pool: 4 },
  reason: 'pool',
  statement: null,
  index: null,
  apply: [{ where: 'environment', text: 'POOL=4' }],
  verdict: 'better',
  ratio: { mean: 1.2, ciLow: 1.1, ciHigh: 1.3 },
};
export const heap: Tried = {
  ...pool,
  id: 'node.heap=1024m',
  verdict: 'better',
  stage: 'screened',
  ratio: { mean: 1.05, ciLow: 1.01, ciHigh: 1.1 },
};
export const together: Together = {
  ...effect,
  ids: [index.id, pool.id],
  verdict: 'better',
  ratio: { mean: 2.6, ciLow: 2.1, ciHigh: 3.2 },
  overBest: { ratio: { mean: 1.04, ciLow: 0.97, ciHigh: 1.1 }, verdict: 'unknown' },
};
export const advice: Advice = {
  target: 'shop',
  targetLabel: 'Shop',
  verdict: { kind: 'database-cpu', said: { code: 'recorded', sentence: 'The database’s CPU is the limit.' } },
  settings: {},
  throughput: 100,
  delta: 0.05,
  tried: [index, pool, heap],
  together,
  notTried: [{ id: 'index ads (title)', why: 'planner' }],
  runs: [{ stage: 'look', id: run }],
  spentS: 200,
  budgetS: 300,
};

export const slower: Tried = {
  ...pool,
  id: 'node.semi-space=64m',
  settings: { 'node.semi-space': '64m' },
  verdict: 'worse',
  ratio: { mean: 0.8, ciLow: 0.7, ciHigh: 0.9 },
};

/** As fast as what is, with fewer connections. */
export const cheaper: Tried = {
  ...pool,
  id: 'pool=2',
  settings: { pool: 2 },
  apply: [{ where: 'environment', text: 'POOL=2' }],
  verdict: 'same',
  ratio: { mean: 1.01, ciLow: 0.98, ciHigh: 1.04 },
  costs: [{ id: 'connections', base: 10, other: 2, verdict: 'better' }],
};

export function exampleAdvice(more: Partial<AdviceRecord> = {}): AdviceRecord {
  return {
    schemaVersion: 1,
    id: 'mi8kaaaa-00112233445566778899aabb',
    startedAt: '2026-01-02T03:04:05.000Z',
    outcome: 'complete',
    request: { target: 'shop', settings: {}, load: 'steady', budgetS: 300 },
    advice,
    ...more,
  };
}

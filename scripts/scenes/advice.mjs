// What the extension would send to the page of what would help.
import { benchside, form, kept, liveId, noEvents, oldestId, opening, otherId } from './setting.mjs';

const { adviceProgressSchema, adviceRecordSchema, summaryOfAdvice } = benchside;
const run = otherId;
const mib = 1_048_576;
const cost = (id, base, other, verdict) => ({ id, base, other, verdict });
const cpu = (change, verdict) => cost('cpu', 1820, 1820 * (1 + change), verdict);
const memory = (change) => cost('memory', 96 * mib, (96 + change) * mib, null);

const tried = (id, settings, reason, [mean, low, high], verdict, more = {}) => ({
  id,
  settings,
  reason,
  statement: null,
  index: null,
  apply: [],
  stage: 'measured',
  verdict,
  ratio: { mean, ciLow: low, ciHigh: high },
  costs: [cpu(0, 'same'), memory(1.5)],
  walBytes: null,
  statementMs: null,
  answersDiffer: false,
  run,
  ...more,
});
const screened = { stage: 'screened' };

const index = tried(
  'index ads (category_id, price)',
  { sql: '.benchside/advice/ads_category_id_price_idx.sql' },
  'index',
  [2.37, 2.12, 2.66],
  'better',
  {
    statement: 'SELECT id, title, price FROM ads WHERE category_id = $1 ORDER BY price LIMIT $2',
    index: { table: 'public.ads', columns: ['category_id', 'price'], bytes: 3.4 * mib, buildMs: 420 },
    apply: [{ where: 'sql', text: 'CREATE INDEX CONCURRENTLY ads_category_id_price_idx ON public.ads (category_id, price);' }],
    costs: [cpu(-0.52, 'better'), memory(2)],
    walBytes: [140, 262],
    statementMs: [11.8, 0.62],
  },
);
const pool = tried('pool=4', { pool: 4 }, 'verdict', [1.31, 1.18, 1.44], 'better', {
  apply: [
    { where: 'environment', text: 'DB_POOL=4' },
    { where: 'benchside.json', text: '"default": 4 of "pool" in line 14' },
  ],
  costs: [cpu(-0.04, 'unknown'), memory(3)],
});
const others = [
  tried('pool=1', { pool: 1 }, 'pool', [0.99, 0.96, 1.02], 'same', {
    apply: [{ where: 'environment', text: 'DB_POOL=1' }],
    costs: [cpu(0, 'same'), memory(-2), cost('connections', 2, 1, 'better')],
  }),
  tried('pool=16', { pool: 16 }, 'pool', [1.06, 0.97, 1.17], 'unknown'),
  tried('postgres.work_mem=64MB', { 'postgres.work_mem': '64MB' }, 'work-mem', [1.01, 0.98, 1.04], 'same'),
  tried('postgres.jit=off', { 'postgres.jit': 'off' }, 'jit', [1, 0.93, 1.07], 'unknown', screened),
  tried('uv.threads=16', { 'uv.threads': 16 }, 'worker-threads', [0.99, 0.93, 1.05], 'unknown', screened),
  tried('node.semi-space=64m', { 'node.semi-space': '64m' }, 'young-space', [0.94, 0.89, 0.99], 'worse', {
    ...screened,
    costs: [memory(71)],
  }),
];
const together = {
  ids: [index.id, pool.id],
  stage: 'measured',
  verdict: 'better',
  ratio: { mean: 3.12, ciLow: 2.8, ciHigh: 3.49 },
  costs: [cpu(-0.55, 'better'), memory(5)],
  walBytes: [140, 262],
  statementMs: null,
  answersDiffer: false,
  run,
  overBest: { ratio: { mean: 1.31, ciLow: 1.2, ciHigh: 1.44 }, verdict: 'better' },
};

const advice = {
  target: 'node',
  targetLabel: 'Node',
  verdict: { kind: 'database-cpu', headline: 'The database’s CPU is the limit: one statement takes 91 % of its time.' },
  settings: { pool: 2 },
  throughput: 1480,
  delta: 0.05,
  tried: [index, pool, ...others],
  together,
  notTried: [
    { id: 'index ads (seller_id)', why: 'planner' },
    { id: 'index ads (title)', why: 'planner' },
    { id: 'node.heap=1024m', why: 'limit' },
    { id: 'instances=2', why: 'time' },
  ],
  runs: ['look', 'screen', 'sure', 'together'].map((stage) => ({ stage, id: run })),
  spentS: 218,
  budgetS: 300,
};
const record = adviceRecordSchema.parse({
  schemaVersion: 1,
  id: 'mi8kaaaa-00112233445566778899aabb',
  startedAt: '2026-11-21T14:02:11.000Z',
  outcome: 'complete',
  request: { target: 'node', settings: { pool: 2 }, route: 'GET /ads/:id', connections: 32, budgetS: 300, load: 'steady' },
  advice,
});
const space = tried('node.semi-space=64m', { 'node.semi-space': '64m' }, 'young-space', [1.12, 1.07, 1.17], 'better', {
  apply: [
    { where: 'environment', text: 'NODE_OPTIONS="--max-semi-space-size=64"' },
    {
      where: 'benchside.json',
      text: '"env": { "NODE_OPTIONS": "--max-semi-space-size=64" }',
      variable: { name: 'NODE_OPTIONS', value: '--max-semi-space-size=64', appends: true },
    },
  ],
  costs: [cpu(-0.08, 'better'), memory(64)],
});
/** Of a service of the workspace, into whose declaration variables can be written. */
const variables = {
  ...record,
  advice: { ...advice, target: 'shop', targetLabel: 'shop', tried: [pool, space, ...others.slice(0, 4)], together: null },
};
const nothing = {
  ...record,
  id: oldestId,
  startedAt: '2026-11-20T09:12:44.000Z',
  outcome: 'cancelled',
  advice: { ...advice, tried: others, together: null, notTried: [{ id: 'instances=2', why: 'cancelled' }], spentS: 94 },
};
const progress = adviceProgressSchema.parse({
  target: 'node',
  targetLabel: 'Node',
  stage: 'sure',
  trying: [index.id, pool.id, 'pool=16'],
  spentS: 131,
  budgetS: 300,
  advice: {
    ...advice,
    tried: advice.tried.map((one) => ({
      ...one,
      ...screened,
      ratio: { ...one.ratio, ciLow: one.ratio.ciLow - 0.08, ciHigh: one.ratio.ciHigh + 0.08 },
    })),
    together: null,
  },
});

const list = [record, nothing].map(summaryOfAdvice);
const shown = (one) => ({ type: 'advice', list, record: one });
const start = [...opening(form, []), noEvents];
const running = [
  { type: 'started', runId: liveId, title: 'Node, what would help', trials: [] },
  {
    type: 'phase',
    runId: liveId,
    phase: 'measure',
    doing: { code: 'measuring-several', what: 'values', count: 4, round: { code: 'pair', round: 3, open: false } },
    step: 3,
    steps: 8,
    elapsedMs: 21_000,
    remainingMs: 30_000,
  },
];

export const scenes = {
  advice: { messages: [...start, shown(record)], saved: kept('advise') },
  adviceUnfolded: {
    messages: [...start, shown(record)],
    saved: kept('advise'),
    act: async (page) => {
      await page.locator('benchside-advice summary').first().waitFor();
      for (const summary of await page.locator('benchside-advice summary').all()) await summary.click();
    },
  },
  adviceVariables: { messages: [...start, shown(variables)], saved: kept('advise') },
  adviceNothing: { messages: [...start, shown(nothing)], saved: kept('advise') },
  adviceRunning: {
    messages: [...start, { type: 'adviceProgress', progress, replay: false }, { type: 'runEvents', events: running, replay: false }],
  },
  adviceNone: { messages: [...start, { type: 'advice', list: [], record: null }], saved: kept('advise') },
};

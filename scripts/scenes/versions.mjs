// What the extension would send to the view of two versions of the code.
import { benchside, form, kept, noEvents, opening, storedRun, summaryOf } from './setting.mjs';

const { runRecordSchema } = benchside;

const place = (name, line, touched = false, file = 'src/orders.js') => ({ name, file, line, touched });
const box = (depth, start, width, base, head, where) => ({ depth, start, width, base: base * 1e6, head: head * 1e6, ...where });
const metric = (name, unit, base, head, half, verdict, exact = false) => ({
  name,
  unit,
  base,
  head,
  verdict,
  exact,
  ratio:
    base === 0
      ? null
      : { mean: head / base, ciLow: half === null ? null : head / base - half, ciHigh: half === null ? null : head / base + half },
});

const route = (name, share, verdict, [speed, cpu, p99], statements, rows) => {
  const timed = (id, label, unit, base, change) => ({
    id,
    counts: id !== 'p99',
    ...metric(label, unit, base, base * (1 + change), 0.02, id === 'p99' ? 'unknown' : verdict),
  });
  const counted = (id, label, [base, head]) => ({
    id,
    counts: id === 'statements',
    ...metric(label, '', base, head, null, head > base ? 'worse' : 'same', true),
  });
  return {
    route: name,
    share,
    verdict,
    statements: [],
    unknown: null,
    metrics: [
      timed('throughput', 'throughput', 'req/s', 2000, speed),
      timed('cpu', 'CPU per request', 'µs', 400, cpu),
      timed('p99', 'p99', 'ms', 12, p99),
      counted('statements', 'statements per request', statements),
      counted('rows', 'rows per request', rows),
    ],
  };
};

const versions = {
  kind: 'diff',
  base: { label: 'main (3f2a91c)', commit: '3f2a91c07a31000000000000000000000000aaaa', trialKey: null },
  head: { label: 'the working tree', commit: null, trialKey: null },
  sameCode: false,
  verdict: 'worse',
  delta: 0.05,
  facts: {
    code: 'recorded',
    headline: 'The working tree is 11 % slower than main (3f2a91c) (−13 % to −8.3 %).',
    reasons: [
      'Sent 0 → 20 times per request (N+1: once for each row of another statement): SELECT * FROM items WHERE id = $1',
      'loadItems (src/orders.js:41), which the change touched, takes 0.90 ms more per request: 1.00 ms → 1.90 ms of waiting for the database with all that it calls.',
    ],
  },
  notes: [],
  metrics: [
    metric('throughput', 'req/s', 2133, 1905, 0.024, 'worse'),
    metric('CPU per request', 'µs', 380, 460, 0.019, 'worse'),
    metric('p99', 'ms', 14.2, 17.6, 0.08, 'worse'),
    metric('statements per request', '', 2, 22, null, 'worse', true),
    metric('rows per request', '', 21, 21, null, 'same', true),
  ],
  routes: [
    route('GET /orders/:id', 0.4, 'worse', [-0.31, 0.42, 0.5], [2, 22], [21, 21]),
    route('POST /orders', 0.2, 'unknown', [-0.03, 0.02, 0.11], [3, 3], [3, 3]),
    route('GET /items', 0.4, 'same', [0.01, -0.01, 0.02], [1, 1], [50, 50]),
  ],
  statements: [
    { sql: 'SELECT * FROM items WHERE id = $1', kind: 'new', base: 0, head: 20, nPlusOne: true },
    { sql: 'SELECT id, name, price FROM items WHERE order_id = $1', kind: 'gone', base: 1, head: 0, nPlusOne: false },
  ],
  files: [
    { path: 'src/orders.js', added: 2, removed: 1 },
    { path: 'src/format.js', added: 1, removed: 1 },
  ],
  why: {
    functions: [
      { ...place('loadItems', 41, true), event: 'database', unit: 'ns', base: 1e6, head: 1.9e6, change: 0.9e6 },
      { ...place('toJson', 57), event: 'cpu', unit: 'ns', base: 0.04e6, head: 0.05e6, change: 0.01e6 },
    ],
    flame: {
      event: 'database',
      unit: 'ns',
      base: 7.5e6,
      head: 8.4e6,
      boxes: [
        box(0, 0, 1, 7.5, 8.4, place('(anonymous) line 12', 12)),
        box(1, 0, 0.55, 3.7, 4.6, place('getOrder', 22)),
        box(2, 0, 0.23, 1, 1.9, place('loadItems', 41, true)),
        box(2, 0.23, 0.21, 1.8, 1.8, place('loadOrder', 28)),
        box(2, 0.44, 0.11, 0.9, 0.9, place('toJson', 57)),
        box(3, 0, 0.2, 0.86, 1.68, place('Client.query', null, false, null)),
        box(3, 0.23, 0.2, 1.7, 1.7, place('Client.query', null, false, null)),
        box(1, 0.55, 0.45, 3.8, 3.8, place('send', 70)),
      ],
    },
    excerpt: {
      file: 'src/orders.js',
      lines: [
        { line: 39, kind: 'same', text: '' },
        { line: 40, kind: 'same', text: 'async function loadItems(db, id) {' },
        { line: null, kind: 'gone', text: '  return db.query(ITEMS_OF_ORDER, [id]);' },
        { line: 41, kind: 'new', text: '  const ids = await db.query(IDS_OF_ORDER, [id]);' },
        { line: 42, kind: 'new', text: '  for (const i of ids) out.push(await item(db, i));' },
      ],
    },
    recordings: { base: 'mi8k0000-00112233445566778899aaba', head: 'mi8k0000-00112233445566778899aabb' },
  },
};

const run = runRecordSchema.parse({ ...storedRun(), title: 'orders, main (3f2a91c) and the working tree', result: versions });
const show = { type: 'run', run };
const unknown = {
  ...versions,
  verdict: 'unknown',
  statements: [],
  why: null,
  files: versions.files.slice(1),
  facts: {
    code: 'recorded',
    headline:
      'The working tree looks 0.14 % slower than feature/orders-in-one-statement (3f2a91c) (−4.1 % to +3.9 %); about 40 s more would decide.',
    reasons: [],
  },
  base: { ...versions.base, label: 'feature/orders-in-one-statement (3f2a91c)' },
  metrics: [metric('throughput', 'req/s', 2133, 2130, 0.04, 'unknown'), metric('p99', 'ms', 14.2, 14.3, 0.2, 'unknown')],
};

const start = (runs) => [
  ...opening(
    form,
    runs.map((one) => summaryOf(one, { headline: one.result.facts.headline })),
  ),
  noEvents,
];

export const scenes = {
  versions: { messages: [...start([run]), show] },
  versionsOpen: { messages: [...start([run]), { ...show, run: { ...run, result: unknown } }] },
  versionsNone: { messages: start([]), saved: kept('versions') },
};

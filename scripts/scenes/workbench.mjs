// What the extension would send, for each state of the panel that is worth a picture.
import {
  catalog,
  form as baseForm,
  kept,
  liveId,
  noEvents,
  oldestId,
  opening,
  otherId,
  storedRun,
  summaryOf,
  benchside,
} from './setting.mjs';
import { gridRun, liveEvents, refusedRun, tunedRun, tuningEvents } from './tuning.mjs';

/** A stored run as the extension sends it: what later versions added has its default. */
const asSent = (stored) => ({
  delta: 0.05,
  ...stored,
  trials: stored.trials.map((trial) => ({
    ...trial,
    interference: null,
    noiseAdjusted: null,
    blocks: trial.blocks.map((block) => ({ ...block, interference: null })),
  })),
  recommendations: stored.recommendations.map((one) => ({ ...one, evidence: [], moreSeconds: null })),
});
const run = asSent(storedRun());
const form = { ...baseForm, values: { ...baseForm.values, threads: '50' }, durationS: '4', rounds: '4' };
const searchForm = { ...form, durationS: '', rounds: '', budget: '2 min', slo: 'p99 <= 15 ms' };
const summary = summaryOf(run, { headline: 'java · pool 8 · 7,885 req/s' });
const older = { ...summary, id: otherId, startedAt: '2026-11-21T13:40:02.000Z', headline: 'java · pool 8 · 7,612 req/s' };
const bad = {
  ...summary,
  id: oldestId,
  startedAt: '2026-11-20T09:12:44.000Z',
  headline: 'node · pool 4 · 8,104 req/s',
  valid: false,
  reasons: benchside.recorded('the machine was busy'),
};
const start = ({ form: ownForm = form, ...more } = {}) => opening(ownForm, [summary, older, bad], more);

/** What processes and sessions did in the last second. */
function observed(trial, timeMs) {
  const sway = 1 + 0.04 * Math.sin(timeMs / 900);
  const use = (cpuPercent, rssBytes) => ({
    cpuPercent: cpuPercent * sway,
    cpuUs: cpuPercent * sway * 10_000,
    rssBytes,
    threads: 20,
    processes: 1,
    voluntarySwitches: 900,
    involuntarySwitches: 40,
    descriptors: 60,
    descriptorLimit: 65_536,
  });
  const { app, postgres, generator } = trial.resources;
  return {
    timeMs,
    windowMs: 1_000,
    trialKey: trial.key,
    app: use(app.cpuPercent, app.rssBytes),
    postgres: use(postgres.cpuPercent, postgres.rssBytes),
    generator: use(generator.cpuPercent, generator.rssBytes),
    host: null,
    sessions: {
      total: trial.settings.pool,
      byState: { active: Math.round(trial.settings.pool * 0.7 * sway) },
      byWait: {},
    },
    instances: [],
  };
}

function runEvents() {
  const runId = liveId;
  const bare = run.trials.map((trial) => ({
    ...trial,
    valid: true,
    reasons: [],
    throughput: { mean: 0, ciLow: null, ciHigh: null, blocks: [] },
    latencyMs: null,
    requests: 0,
    errors: { ...trial.errors, total: 0 },
    resources: { ...trial.resources, app: { ...trial.resources.app, cpuUsPerRequest: null } },
    blocks: [],
  }));
  const events = [{ type: 'started', runId, title: run.title, trials: bare }];
  const order = [7, 2, 9, 0, 5, 3, 8, 1, 6, 4, 2, 7, 0];
  let timeMs = 30_000;
  for (const [turn, index] of order.entries()) {
    const trial = run.trials[index];
    for (let step = 0; step < (turn === 0 ? 16 : 10); step += 1) {
      timeMs += 500;
      const stage = turn === 0 && step < 6 ? 'warmUp' : step < 2 ? 'settle' : 'measure';
      const wobble = 1 + 0.03 * Math.sin(timeMs / 700) - (stage === 'measure' ? 0 : 0.25 / (step + 1));
      events.push({
        type: 'tick',
        runId,
        tick: {
          timeMs,
          windowMs: 500,
          trialKey: trial.key,
          stage,
          throughput: trial.throughput.mean * wobble,
          p50Ms: trial.latencyMs.p50 / wobble,
          p99Ms: trial.latencyMs.p99 * (1 + 0.15 * Math.sin(timeMs / 300)),
          errors: 0,
        },
      });
      if (step % 2 === 1) events.push({ type: 'observation', runId, observation: observed(trial, timeMs) });
    }
  }
  for (const index of [0, 2, 3, 5, 7, 9])
    events.push({
      type: 'trial',
      runId,
      trial: {
        ...run.trials[index],
        blocks: run.trials[index].blocks.slice(0, 2),
        throughput: { ...run.trials[index].throughput, ciLow: null, ciHigh: null },
      },
    });
  events.push({
    type: 'phase',
    runId,
    phase: 'measure',
    doing: { code: 'measuring', name: 'Java · pool 2', round: { code: 'planned', round: 2, of: 4, more: false } },
    step: 13,
    steps: 40,
    elapsedMs: timeMs,
    remainingMs: 134_000,
    surelyMs: 52_000,
  });
  return events;
}

const comparison = benchside.compareRuns(
  benchside.runRecordSchema.parse({
    ...storedRun(),
    id: otherId,
    startedAt: older.startedAt,
    environment: { ...run.environment, node: 'v20.18.1' },
  }),
  benchside.runRecordSchema.parse(storedRun()),
);

const events = runEvents();

/** A run that was not begun: one of its routes is answered with an error. */
const answered = (route, status, tookMs, more = {}) => ({ route, status, tookMs, problem: null, hints: [], ...more });
/** The event of a run that a failure has ended. */
const endedBy = (failure) => ({ type: 'finished', runId: liveId, outcome: 'failed', stored: false, failure });

const routeFails = [
  events[0],
  endedBy({
    code: 'route-fails',
    message: 'Node: GET /orders/:id was answered with 500: {"error":"column \\"tax_rate\\" does not exist"}.',
    cure: 'Look at the app’s log and mend it, or ask for another route.',
    routes: {
      target: 'node',
      targetLabel: 'Node',
      routes: [
        answered('GET /orders', 200, 6.1),
        answered('GET /orders/:id', 500, 38, { problem: 'was answered with 500' }),
        answered('GET /account', 302, 2.2, {
          hints: ['is redirected to /login (302), which looks like a login: the redirect is what would be measured'],
        }),
        answered('GET /items/:id', 200, 4.4),
      ],
      failing: 'GET /orders/:id',
      asked: '/orders/1017',
      answer:
        'HTTP 500\ncontent-type: application/json\ncontent-length: 61\n\n{"error":"column \\"tax_rate\\" does not exist","code":"42703"}',
      log: '14:20:31 listening on 38211, pool 2\n14:20:31 GET /orders 200 6 ms\n14:20:31 GET /orders/1017\nerror: column "tax_rate" does not exist\n    at Client.query (pg/lib/client.js:526)\n    at loadOrder (orders.js:28)',
    },
  }),
];

/** The rounds of the plan are over, and one that it does not have follows: what is open is why it is measured. */
const plannedRounds = run.trials.map((trial) => ({ type: 'trial', runId: liveId, trial: { ...trial, valid: true, reasons: [] } }));
const addedRound = {
  type: 'phase',
  runId: liveId,
  phase: 'measure',
  doing: {
    code: 'measuring-several',
    what: 'values',
    count: 3,
    round: {
      code: 'added',
      round: 5,
      open: [
        { target: 'Java', values: ['8', '16'] },
        { target: 'Node', values: ['2'] },
      ],
    },
  },
  step: 21,
  steps: 40,
  elapsedMs: 104_000,
  remainingMs: 61_000,
  surelyMs: 6_000,
  open: [run.trials[2].key, run.trials[3].key, run.trials[5].key],
};

/** A service that ends before it is ready, and says which variable it misses. */
const crashed = [
  { ...events[0], trials: events[0].trials.filter(({ target }) => target === 'node') },
  endedBy({
    code: 'target-exited',
    message: 'Node exited with code 1 before it was ready: STRIPE_API_KEY is missing.',
    cure: 'Give it STRIPE_API_KEY in "env" of benchside.json; if that is the address of its database, in "env" of "postgres".',
    detail: 'Error: STRIPE_API_KEY is not set\n    at config (src/config.js:12:11)',
    variable: { target: 'node', name: 'STRIPE_API_KEY' },
  }),
];

const tuned = tunedRun(run);
const grid = gridRun(run);
const refused = refusedRun(run);
const searching = [...events.filter((event) => event.type !== 'trial'), ...tuningEvents(run, liveId)];
const atLive = kept('live');
const live = (ended) => ({ type: 'liveEvents', events: liveEvents(ended), replay: true });
const reason = { code: 'generator-cpu', value: 95, limit: 90 };
const saturated = {
  ...run,
  valid: false,
  reasons: [reason],
  recommendations: [],
  trials: run.trials.map((trial) => ({
    ...trial,
    valid: false,
    reasons: [reason],
    diagnosis: {
      kind: 'invalid',
      confident: true,
      said: { code: 'says-nothing', finding: reason },
      tells: [reason],
      why: [{ code: 'says-nothing-why' }],
      evidence: [],
      ruledOut: [],
      actions: [{ kind: 'generator', label: { code: 'other-generator', processes: 2 }, processes: 2 }],
      threadDumps: [],
    },
  })),
};

export const scenes = {
  tuned: { messages: [...start({ form: searchForm }), { type: 'run', run: tuned }, noEvents] },
  applied: {
    messages: [
      ...start({ form: searchForm }),
      { type: 'run', run: tuned },
      noEvents,
      { type: 'applied', target: 'java', values: { pool: 8 } },
    ],
    act: async (page) => {
      await page.locator('benchside-figures tbody tr').nth(2).hover();
      await page.getByRole('button', { name: 'Change' }).click();
      await page.locator('benchside-form summary').click();
    },
  },
  tuning: { messages: [...start({ form: searchForm }), { type: 'runEvents', events: searching, replay: true }] },
  grid: {
    messages: [
      ...start({ form: { ...searchForm, targets: ['java'], values: { pool: '4, 8, 16', threads: '16, 50, 100' }, budget: '3 min' } }),
      { type: 'run', run: grid },
      noEvents,
    ],
    act: async (page) => {
      await page.locator('benchside-heat-map td').nth(4).focus();
    },
  },
  refused: { messages: [...start({ form: searchForm }), { type: 'run', run: refused }, noEvents] },
  live: { saved: atLive, messages: [...start(), noEvents, live(null)] },
  liveEnded: { saved: atLive, messages: [...start(), noEvents, live(run.id)] },
  liveEmpty: { saved: atLive, messages: [...start(), noEvents] },
  liveBlocked: { saved: atLive, messages: [...start(), { type: 'runEvents', events, replay: true }] },

  result: { messages: [...start(), { type: 'run', run }, noEvents] },
  invalid: {
    messages: [
      ...start(),
      {
        type: 'run',
        run: { ...run, valid: false, reasons: benchside.recorded('Other processes used 38 % of the machine while it was measured.') },
      },
      noEvents,
    ],
    act: async (page) => {
      await page.locator('.spot').nth(9).focus();
    },
  },
  k6Chosen: {
    messages: [
      ...start({ form: { ...form, k6: '2' }, catalog: { ...catalog, k6Problem: null } }).slice(0, 2),
      { type: 'runs', runs: [] },
      noEvents,
    ],
    act: (page) => page.locator('benchside-form summary').click(),
  },
  k6Offered: { messages: [...start(), { type: 'run', run: saturated }, noEvents] },
  running: { messages: [...start(), { type: 'runEvents', events, replay: true }] },
  undecided: { messages: [...start(), { type: 'runEvents', events: [...events, ...plannedRounds, addedRound], replay: true }] },
  runningElsewhere: { saved: kept('flame'), messages: [...start(), { type: 'runEvents', events, replay: true }] },
  flameEmpty: { saved: kept('flame'), messages: [...start().slice(0, 2), { type: 'runs', runs: [] }, noEvents] },
  crashed: { messages: [...start(), { type: 'runEvents', replay: false, events: crashed }] },
  compare: {
    messages: [...start(), { type: 'run', run }, noEvents, { type: 'comparison', comparison }, { type: 'show', view: 'compare' }],
  },
  raw: { saved: kept('raw', { shownRunId: run.id }), messages: [...start(), { type: 'run', run }, noEvents] },
  empty: {
    messages: [
      ...start({ form: { ...form, values: {}, connections: '', durationS: '', rounds: '' } }).slice(0, 2),
      { type: 'runs', runs: [] },
      noEvents,
    ],
  },
  topology: {
    messages: [
      ...start({
        form: {
          ...form,
          values: { instances: '1, 2, 4' },
          proxy: 'least-conn',
          upstreamKeepAlive: true,
          cpuShare: '0.5',
          raw: true,
          rawShare: '0.1',
        },
      }),
      noEvents,
    ],
    act: (page) => page.locator('benchside-form summary').click(),
  },
  choose: { messages: [...start({ form: { ...form, values: { pool: '2, x' }, rounds: '0' } }), noEvents] },
  failed: {
    messages: [
      ...start(),
      {
        type: 'runEvents',
        replay: false,
        events: [
          ...events.slice(0, 60),
          endedBy({
            code: 'target-exited',
            message: 'Java stopped on its own with exit code 1 while it was measured.',
            cure: 'Look at its last output below, then run again.',
            detail: 'java.lang.OutOfMemoryError: Java heap space\n\tat org.example.ads.AdsHandler.render(AdsHandler.java:41)',
          }),
        ],
      },
    ],
  },
  failingRoute: { messages: [...start(), { type: 'runEvents', replay: false, events: routeFails }] },
  cancelled: {
    messages: [
      ...start({ trusted: false }),
      { type: 'run', run: { ...run, state: 'cancelled', recommendations: [], trials: run.trials.slice(0, 3) } },
      noEvents,
    ],
  },
  single: {
    messages: [
      ...start(),
      { type: 'run', run: { ...run, title: 'Java and Node', recommendations: [], trials: [run.trials[2], run.trials[7]] } },
      noEvents,
    ],
  },
  loading: { messages: [] },
  // As the report reads it: with what a record of an earlier version lacks.
  report: { report: true, run: benchside.runRecordSchema.parse(run) },
  reportWhole: { report: 'whole', run: benchside.runRecordSchema.parse(run) },
};

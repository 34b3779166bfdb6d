// What the extension would send to the Compare view, for each state of it that is worth a picture. Verdicts and curves are the engine's own.
import { benchside, form as baseForm, kept, noEvents, oldestId, opening, otherId, storedRun, summaryOf } from './setting.mjs';

const { compareRuns, latencyCurve, createLatencyHistogram, recordLatency, SeededRandom, timeBudgetOf, runRecordSchema } = benchside;

const random = new SeededRandom(4);
const gauss = () => Math.sqrt(-2 * Math.log(1 - random.nextFraction())) * Math.cos(2 * Math.PI * random.nextFraction());

/** The example run with other figures: `change` by trial, and each block with scatter of its own. */
function variant(id, startedAt, change, extra = {}) {
  const run = storedRun();
  const trials = run.trials.map((trial, index) => {
    const factor = change(trial, index);
    const blocks = trial.blocks.map((block) => {
      const own = factor * Math.exp(0.012 * gauss());
      const latencyMs = Object.fromEntries(
        Object.entries(block.latencyMs).map(([key, ms]) => [key, (ms / own) * Math.exp(0.02 * gauss())]),
      );
      return {
        ...block,
        throughput: block.throughput * own,
        requests: Math.round(block.requests * own),
        latencyMs,
        appCpuUsPerRequest: block.appCpuUsPerRequest * Math.exp(0.01 * gauss()),
      };
    });
    const mean = blocks.reduce((sum, block) => sum + block.throughput, 0) / blocks.length;
    const latencyMs = Object.fromEntries(Object.entries(trial.latencyMs).map(([key, ms]) => [key, ms / factor]));
    const throughput = { mean, ciLow: mean * 0.985, ciHigh: mean * 1.015, blocks: blocks.map((block) => block.throughput) };
    const waits = trial.target === 'java' ? latencyMs.mean * Math.max(0.05, 0.85 - 0.1 * trial.settings.pool) : latencyMs.mean * 0.2;
    const timeBudget = timeBudgetOf({
      meanLatencyMs: latencyMs.mean,
      appCpuMsPerRequest: trial.resources.app.cpuUsPerRequest / 1000,
      poolWaitMs: waits,
      holdMs: latencyMs.mean * 0.12,
      connectionsPerRequest: 1,
    });
    return { ...trial, blocks, throughput, latencyMs, timeBudget };
  });
  return runRecordSchema.parse({ ...run, id, startedAt, trials, ...extra });
}

/** Requests as a lognormal body with a slower tail, around the trial's own median. */
function curveOf(trial) {
  const histogram = createLatencyHistogram();
  for (let index = 0; index < 40_000; index += 1) {
    const tail = random.nextFraction() < 0.02 ? 2.2 : 1;
    recordLatency(histogram, 1000 * trial.latencyMs.p50 * tail * Math.exp(0.35 * gauss()));
  }
  return latencyCurve(histogram);
}

function withCurves(comparison) {
  for (const row of comparison.rows) if (row.a && row.b) row.curves = { a: curveOf(row.a), b: curveOf(row.b) };
  return comparison;
}

const newerId = 'mi8k0000-00112233445566778899aabb';
const older = variant(otherId, '2026-11-21T13:40:02.000Z', () => 1);
const newer = variant(
  newerId,
  '2026-11-21T14:02:09.000Z',
  (trial, index) => [1.31, 1.02, 1.05, 0.99, 0.72, 1.01, 1, 0.99, 1.16, 1][index],
  {
    environment: { ...older.environment, node: 'v20.18.1', git: { commit: '4be1f6c07a31000000000000000000000000aaaa', dirty: true } },
  },
);
const elsewhere = {
  ...newer,
  environment: {
    ...newer.environment,
    cpuModel: 'Other CPU @ 2.10GHz',
    cores: 2,
    postgresSettings: { ...newer.environment.postgresSettings, shared_buffers: '1GB' },
  },
};
const spoilt = {
  ...newer,
  trials: newer.trials.map((trial, index) =>
    index === 2 ? { ...trial, valid: false, reasons: benchside.recorded('Other processes used 38 % of the machine.') } : trial,
  ),
};
const javaOnly = { ...older, trials: older.trials.slice(0, 2) };
const nodeOnly = { ...newer, trials: newer.trials.slice(6, 8) };

const recording = (run, trial, minute) => ({
  id: `${minute}-00112233445566778899aabb`,
  runId: run.id,
  title: 'a recording',
  startedAt: `2026-11-21T14:${minute.slice(-2)}:00.000Z`,
  recorder: 'async-profiler',
  runtime: trial.runtime,
  target: trial.target,
  trialKey: trial.key,
  events: ['cpu', 'wall'],
  durationMs: 10_000,
});

const listed = (run, headline, marks) => summaryOf(run, { headline, recordings: [], marks, againstBaseline: null, tuned: false });
const runs = [
  listed(newer, 'java · pool 8 · 7,885 req/s', { name: null, tags: [], baseline: false }),
  listed(older, 'java · pool 8 · 7,612 req/s', { name: 'before the upgrade', tags: [], baseline: true }),
];
const form = { ...baseForm, durationS: '4', rounds: '4', record: false, slo: '', confirm: false, totalConnections: '' };
const start = (known = runs) => [...opening(form, known), noEvents];
const shown = (comparison) => ({ messages: [...start(), { type: 'comparison', comparison }, { type: 'show', view: 'compare' }] });
function settingsPair() {
  const [a, b] = [newer.trials[1], newer.trials[2]];
  const comparison = withCurves(compareRuns(newer, newer, { trialA: a.key, trialB: b.key }));
  comparison.a.recordings = [recording(newer, a, 'mi8k0001')];
  comparison.b.recordings = [recording(newer, b, 'mi8k0002')];
  return comparison;
}

export const scenes = {
  compareSettings: shown(settingsPair()),
  compareRuns: shown(withCurves(compareRuns(older, newer))),
  compareUndecided: shown(withCurves(compareRuns(older, newer, { trialA: older.trials[2].key, trialB: newer.trials[2].key }))),
  compareElsewhere: shown(withCurves(compareRuns(older, elsewhere))),
  compareInvalid: shown(withCurves(compareRuns(older, spoilt, { trialA: older.trials[2].key, trialB: spoilt.trials[2].key }))),
  compareNothing: shown(compareRuns(javaOnly, nodeOnly)),
  compareSame: {
    saved: kept('compare', { chosen: { a: newerId, b: newerId } }),
    messages: [...start(), { type: 'show', view: 'compare' }],
  },
  compareGone: {
    saved: kept('compare', { chosen: { a: otherId, b: oldestId } }),
    messages: [...start(), { type: 'show', view: 'compare' }],
  },
  compareEmpty: { saved: kept('compare', { chosen: { a: '', b: '' } }), messages: [...start([]), { type: 'show', view: 'compare' }] },
};

// What the extension would send for runs on a machine that others use too. The records are those of the tests.
import { build } from 'esbuild';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const bundle = await build({
  stdin: {
    contents: `export * from './test/support/runRecords.ts'; export * from './test/support/tuningRecords.ts';`,
    resolveDir: root,
    loader: 'ts',
  },
  bundle: true,
  platform: 'node',
  format: 'esm',
  write: false,
  logLevel: 'warning',
});
const { exampleDisturbedRun, exampleDisturbedTuning, exampleTrial } = await import(
  `data:text/javascript;base64,${Buffer.from(bundle.outputFiles[0].text).toString('base64')}`
);

const catalog = JSON.parse(readFileSync(path.join(root, 'test/fixtures/catalogExample.json'), 'utf8'));
const form = {
  targets: ['java', 'node'],
  values: { pool: '2, 4, 8, 16' },
  connections: '32',
  durationS: '',
  rounds: '',
  load: 'steady',
  route: 'GET /ads/:id',
  budget: '',
};
const run = exampleDisturbedRun();
const summary = {
  kind: 'run',
  id: run.id,
  title: run.title,
  startedAt: run.startedAt,
  state: 'complete',
  valid: true,
  reasons: [],
  headline: 'java · pool 8 · 6,308 req/s',
  targets: ['java', 'node'],
  takenPercent: 17,
};
const start = (extra = {}) => [
  { type: 'form', form: { ...form, ...extra }, revision: 1 },
  { type: 'catalog', catalog, trusted: true, hasWorkspace: true },
  { type: 'runs', runs: [summary, { ...summary, id: 'mi8jzz00-00112233445566778899aabb', takenPercent: 3 }] },
];
const noEvents = { type: 'runEvents', events: [], replay: true };
const chip = (page) => page.locator('benchside-header button.chip');

/** The same run while it goes on: two rounds of it. */
const liveId = 'mi8k9999-00112233445566778899aabb';
const soFar = run.trials.map((trial) => ({
  ...trial,
  undisturbed: null,
  blocks: trial.blocks.slice(0, 2),
  throughput: { ...trial.throughput, ciLow: null, ciHigh: null },
}));
const running = [
  {
    type: 'started',
    runId: liveId,
    title: run.title,
    trials: soFar.map((trial) => ({
      ...trial,
      blocks: [],
      throughput: { mean: 0, ciLow: null, ciHigh: null, blocks: [] },
      latencyMs: null,
      requests: 0,
      disturbance: null,
    })),
  },
  ...soFar.map((trial) => ({ type: 'trial', runId: liveId, trial })),
  {
    type: 'phase',
    runId: liveId,
    phase: 'measure',
    message:
      'Measuring java · pool 16, round 3; still open: Java 8 against 16 and Node 2 against 4; at most 41 s more, about 11 s if both are decided after this round',
    step: 18,
    steps: 40,
    elapsedMs: 92_000,
    remainingMs: 41_000,
  },
];

/** Nothing of it counts. */
const spoiled = [2, 4, 8].map((pool) =>
  exampleTrial({
    settings: { pool },
    throughput: pool * 500,
    valid: false,
    reasons: [`The load generator was saturated in round ${pool / 2} (event loop busy 97 %).`],
  }),
);
const nothing = exampleDisturbedRun({
  trials: spoiled,
  recommendations: [],
  valid: false,
  noiseFloorPercent: null,
  reasons: spoiled.flatMap((trial) => trial.reasons),
});

export const scenes = {
  disturbed: { messages: [...start(), { type: 'run', run }, noEvents] },
  disturbedStrip: { messages: [...start(), { type: 'run', run }, noEvents], act: (page) => chip(page).click() },
  disturbedFromRaw: {
    saved: { view: 'raw', shownRunId: run.id, chosen: { a: '', b: '' }, scrollY: 0, moreSettings: false },
    messages: [...start(), { type: 'run', run }, noEvents],
    act: async (page) => {
      await chip(page).focus();
      await page.keyboard.press('Enter');
      await page.locator('benchside-disturbance .drawing svg').waitFor();
    },
  },
  disturbedTuned: { messages: [...start({ budget: '2 min' }), { type: 'run', run: exampleDisturbedTuning() }, noEvents] },
  disturbedRunning: { messages: [...start(), { type: 'runEvents', events: running, replay: true }] },
  allVoid: { messages: [...start(), { type: 'run', run: nothing }, noEvents] },
  disturbedChoose: { messages: [...start(), noEvents] },
  disturbedReport: { report: true, run },
};

// What the extension would send for runs on a machine that others use too. The records are those of the tests.
import { benchside, form as baseForm, kept, liveId, noEvents, opening, otherId, summaryOf } from './setting.mjs';

const { exampleAnswer, exampleDisturbedRun, exampleTrial, exampleTuned, exampleTuning } = benchside;

const form = { ...baseForm, values: { pool: '2, 4, 8, 16' } };
const run = exampleDisturbedRun();
const summary = summaryOf(run, { headline: 'java · pool 8 · 6,308 req/s', takenPercent: 17 });
const start = (ownForm = {}) => opening({ ...form, ...ownForm }, [summary, { ...summary, id: otherId, takenPercent: 3 }]);
const chip = (page) => page.locator('benchside-header button.chip');

/** The same run while it goes on: two rounds of it. */
const soFar = run.trials.map((trial) => ({
  ...trial,
  noiseAdjusted: null,
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
      interference: null,
    })),
  },
  ...soFar.map((trial) => ({ type: 'trial', runId: liveId, trial })),
  {
    type: 'phase',
    runId: liveId,
    phase: 'measure',
    doing: {
      code: 'measuring-several',
      what: 'values',
      count: 6,
      round: {
        code: 'added',
        round: 3,
        open: [
          { target: 'Java', values: ['8', '16'] },
          { target: 'Node', values: ['2', '4'] },
        ],
      },
    },
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
    reasons: benchside.recorded(`The load generator was saturated in round ${pool / 2} (event loop busy 97 %).`),
  }),
);
const nothing = exampleDisturbedRun({
  trials: spoiled,
  recommendations: [],
  valid: false,
  noiseFloorPercent: null,
  reasons: spoiled.flatMap((trial) => trial.reasons),
});

/** A tuning of the Java sample on a busy machine: decided by the mechanism, while the figures are still open. */
function disturbedTuning() {
  const trials = run.trials.filter((trial) => trial.target === 'java');
  const ratios = [
    { mean: 0.24, ciLow: 0.22, ciHigh: 0.26 },
    { mean: 0.5, ciLow: 0.47, ciHigh: 0.53 },
    { mean: 0.97, ciLow: 0.9, ciHigh: 1.04 },
    { mean: 1, ciLow: 1, ciHigh: 1 },
  ];
  const answer = exampleAnswer({
    status: 'plausible',
    plausible: [8, 16],
    moreSeconds: 34,
    gates: [],
    settings: trials.map((trial, index) =>
      exampleTuned(trial.settings.pool, trial.throughput.mean, ratios[index].mean, { trialKey: trial.key, ratioToBest: ratios[index] }),
    ),
    evidence: [
      {
        kind: 'figures',
        says: 'open',
        code: 'recorded',
        sentence: '8 is 3 % below 16 [−4 – 10 %]: the machine was too busy to tell whether it is within 5 %. 4 loses 50 %.',
      },
      {
        kind: 'mechanism',
        says: 'for',
        code: 'recorded',
        sentence: 'at 8, requests wait for a connection 2 % of their time, so that a larger pool can gain at most 2 %.',
      },
    ],
  });
  return exampleTuning([answer], { trials, noiseFloorPercent: 9.1, notes: [] });
}

export const scenes = {
  disturbed: { messages: [...start(), { type: 'run', run }, noEvents] },
  disturbedStrip: { messages: [...start(), { type: 'run', run }, noEvents], act: (page) => chip(page).click() },
  disturbedFromRaw: {
    saved: kept('raw', { shownRunId: run.id }),
    messages: [...start(), { type: 'run', run }, noEvents],
    act: async (page) => {
      await chip(page).focus();
      await page.keyboard.press('Enter');
      await page.locator('benchside-interference .drawing svg').waitFor();
    },
  },
  disturbedTuned: { messages: [...start({ budget: '2 min' }), { type: 'run', run: disturbedTuning() }, noEvents] },
  disturbedRunning: { messages: [...start(), { type: 'runEvents', events: running, replay: true }] },
  allVoid: { messages: [...start(), { type: 'run', run: nothing }, noEvents] },
  disturbedChoose: { messages: [...start(), noEvents] },
  disturbedReport: { report: true, run },
};

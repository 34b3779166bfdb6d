// What the extension would send for published experiments and verdicts, for each state that is worth a picture. The records are those of the tests.
import { benchside, form as baseForm, kept, liveId, noEvents, opening, otherId, summaryOf } from './setting.mjs';

const { exampleExperiment, exampleLadderExperiment, exampleTimeExperiment, exampleListedExperiments, exampleDiagnosis, exampleRun } =
  benchside;

const form = { ...baseForm, targets: ['java'], values: { pool: '2, 4, 8' }, route: '', budget: '2 min' };
const last = { id: otherId, title: 'C1', startedAt: '2026-11-21T13:40:02.000Z' };
const saved = kept('experiments');
const start = opening(form, [summaryOf(last, { headline: 'C1 agrees', targets: ['java'] })]);
const experiments = { type: 'experiments', experiments: exampleListedExperiments(otherId), problems: [] };
const runOf = ({ record, trials }) => ({
  ...exampleRun({
    recommendations: [],
    trials,
    notes: [{ code: 'recorded', sentence: 'The first block of each process is preceded by its warm-up.' }],
  }),
  title: `${record.experiment.id} · ${record.experiment.title}`,
  result: record,
});
const page = (experiment) => ({ saved, messages: [...start, experiments, { type: 'run', run: runOf(experiment) }, noEvents] });

function underWay() {
  const { record, trials } = exampleExperiment();
  const runId = liveId;
  const known = {
    ...record,
    points: record.points.slice(0, 2),
    shape: [],
    ladders: [],
    agrees: null,
    summary: 'Two of four levels are measured.',
  };
  const events = [{ type: 'started', runId, title: 'C1 · The document servlet as it was', trials: trials.slice(0, 2) }];
  for (let timeMs = 500; timeMs <= 24_000; timeMs += 500)
    events.push({
      type: 'tick',
      runId,
      tick: {
        timeMs,
        windowMs: 500,
        trialKey: trials[timeMs < 12_000 ? 0 : 1].key,
        stage: timeMs % 12_000 < 2000 ? 'settle' : 'measure',
        throughput: 405 + 9 * Math.sin(timeMs / 900),
        p50Ms: 24,
        p99Ms: 31,
        errors: 0,
      },
    });
  events.push({ type: 'experiment', runId, doing: { code: 'blocks', count: 1 }, record: known });
  events.push({
    type: 'phase',
    runId,
    phase: 'measure',
    doing: { code: 'measuring', name: 'Java, 100 connections', round: { code: 'planned', round: 1, of: 2, more: false } },
    step: 5,
    steps: 8,
    elapsedMs: 24_000,
    remainingMs: 31_000,
  });
  return events;
}

/** A run of the Workbench with verdicts: one recommended and limited, one healthy, one in doubt, one not valid. */
function diagnosedRun() {
  const run = exampleRun();
  const healthy = exampleDiagnosis({
    kind: 'healthy',
    headline: 'Nothing limits Node at this load: there is room in every resource.',
    explanation: 'The event loop is busy 61 % of the time, and no request waits for a connection.',
    evidence: [{ what: 'event loop utilisation', value: '0.61', threshold: '< 0.9', met: true, source: null }],
    ruledOut: [],
    actions: [{ kind: 'connections', label: 'Try more load', connections: 128 }],
  });
  const pool = exampleDiagnosis({
    kind: 'pool-limited',
    headline: 'The connection pool is the limit: all of its 8 connections were busy and 23 requests waited.',
    actions: [
      { kind: 'tune', label: 'Find the pool size that is enough', setting: 'pool', values: [8, 16, 32] },
      { kind: 'record', label: 'Record who waits for the pool', event: 'pool-wait' },
    ],
  });
  const diagnoses = [
    exampleDiagnosis({ confident: false, headline: 'The connection pool seems to be the limit.' }),
    exampleDiagnosis(),
    pool,
    null,
    exampleDiagnosis({
      kind: 'invalid',
      headline: 'Nothing can be said: the figures are not valid.',
      explanation: '',
      evidence: [],
      ruledOut: [],
      actions: [{ kind: 'advice', label: 'Close what else uses the CPU and run it again.' }],
    }),
    healthy,
    healthy,
    null,
  ];
  return {
    ...run,
    trials: run.trials.map((trial, index) => ({
      ...trial,
      diagnosis: diagnoses[index] ?? null,
      ...(index === 4 ? { valid: false, reasons: benchside.recorded('Other processes used 38 % of the machine.') } : {}),
    })),
  };
}

/** One that agrees over intervals that could hold anything. */
function wideExperiment() {
  const { record, trials } = exampleExperiment();
  const wide = (throughput) => throughput && { ...throughput, ciLow: -4.9 * throughput.mean, ciHigh: 5.9 * throughput.mean };
  return {
    record: { ...record, points: record.points.map((point) => ({ ...point, throughput: wide(point.throughput) })) },
    trials: trials.map((trial) => ({ ...trial, throughput: wide(trial.throughput) })),
  };
}

/** Unfolds whatever is folded below `selector`, what that shows included. */
const openAll = (selector) => async (shown) => {
  const folded = shown.locator(`${selector} details:not([open]) > summary:visible`);
  await folded.first().waitFor();
  while ((await folded.count()) > 0) await folded.first().click();
};

export const scenes = {
  experiments: { saved, messages: [...start, noEvents, experiments] },
  experimentsLoading: { saved, messages: [...start, noEvents] },
  experimentsProblem: {
    saved,
    messages: [
      ...start,
      noEvents,
      {
        type: 'experiments',
        experiments: [],
        problems: [
          {
            code: 'published-file',
            message: 'profiles/experiments/published/C1.json is not valid.',
            cure: 'Install the extension again.',
            detail: 'shape.0.rule: invalid',
          },
        ],
      },
    ],
  },
  experimentsBusy: {
    saved,
    messages: [...start, experiments, { type: 'runEvents', events: underWay(), replay: true }],
    act: async (shown) => shown.getByText('← All experiments').click(),
  },
  experimentAgrees: page(exampleExperiment()),
  experimentNot: page(exampleLadderExperiment()),
  experimentTime: page(exampleTimeExperiment()),
  experimentWide: page(wideExperiment()),
  experimentRunning: { saved, messages: [...start, experiments, { type: 'runEvents', events: underWay(), replay: true }] },
  verdicts: { saved: kept('tune'), messages: [...start, { type: 'run', run: diagnosedRun() }, noEvents] },
  verdictsOpen: {
    saved: kept('tune'),
    messages: [...start, { type: 'run', run: diagnosedRun() }, noEvents],
    act: openAll('benchside-verdicts'),
  },
  reportExperiment: { report: true, run: runOf(exampleLadderExperiment()) },
};

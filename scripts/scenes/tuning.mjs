// What the extension would send while a search runs and after it, and during a live session.

const openRates = { java: 6000, node: 6600 };

/** The run of the example, as a search would have stored it. */
export function tunedRun(run) {
  const answers = ['java', 'node'].map((target) => answerOf(run, target));
  const trials = run.trials.map((trial) => {
    const answer = answers.find((one) => one.target === trial.target);
    const tuned = answer.settings.find((setting) => setting.trialKey === trial.key);
    const pool = trial.settings.pool;
    const busy = Math.min(pool, (trial.throughput.mean * answer.holdMs) / 1000);
    const totalMs = trial.latencyMs?.mean ?? 4;
    const cpuMs = trial.target === 'java' ? 0.6 : 0.9;
    const databaseMs = Math.min(answer.holdMs, totalMs - cpuMs);
    const poolWaitMs = Math.max(0, totalMs - cpuMs - databaseMs - 0.6);
    const p99 = trial.latencyMs?.p99 ?? 0;
    return {
      ...trial,
      openLoop: tuned.openLoop,
      pool: {
        kind: 'hikari',
        name: 'main',
        max: pool,
        busy,
        pending: Math.max(0, 32 - pool),
        waitMs: poolWaitMs,
        waitP99Ms: poolWaitMs * 2,
        holdMs: answer.holdMs,
        perRequest: 1,
      },
      timeBudget: { totalMs, cpuMs, poolWaitMs, databaseMs, otherMs: Math.max(0, totalMs - cpuMs - databaseMs - poolWaitMs) },
      slo: {
        passed: trial.valid ? p99 <= 15 : null,
        rows: [{ what: 'p99', limit: '≤ 15 ms', value: `${p99.toFixed(1)} ms`, passed: trial.valid ? p99 <= 15 : null }],
      },
    };
  });
  const request = {
    targets: ['java', 'node'],
    settings: { pool: [2, 4, 8, 16, 32] },
    load: 'steady',
    route: 'GET /ads/:id',
    connections: 32,
    budgetS: 120,
    delta: 0.05,
    mode: 'auto',
    confirm: false,
    slo: { p99Ms: 15 },
  };
  return {
    ...run,
    trials,
    result: {
      kind: 'tune',
      request,
      spentS: 111,
      stage: { code: 'ended', decided: true, rounds: 6 },
      probeCost: { code: 'recorded', sentence: 'The probe costs 1.1 % of CPU per request (0.4 – 1.8 %).' },
      answers,
    },
  };
}

function answerOf(run, target) {
  const own = run.trials.filter((trial) => trial.target === target);
  const java = target === 'java';
  const valid = own.filter((trial) => trial.valid);
  const best = Math.max(...valid.map((trial) => trial.throughput.mean));
  const holdMs = java ? 1 : 0.72;
  const rate = openRates[target];
  const settings = own.map((trial) => {
    const ratio = trial.throughput.mean / best;
    const carried = trial.throughput.mean > rate;
    const p99 = trial.latencyMs.p99 * 0.72;
    return {
      trialKey: trial.key,
      values: { pool: trial.settings.pool },
      throughput: { mean: trial.throughput.mean, ciLow: trial.throughput.ciLow, ciHigh: trial.throughput.ciHigh },
      ratioToBest: { mean: ratio, ciLow: ratio * 0.98, ciHigh: ratio * 1.02 },
      openLoop: {
        rate,
        p99Ms: p99,
        ciLow: p99 * 0.9,
        ciHigh: p99 * 1.12,
        ratioToBest: { mean: p99 / 6, ciLow: null, ciHigh: null },
        blocks: 4,
        carried,
      },
      predicted: Math.min((trial.settings.pool / holdMs) * 1000, best),
      blocks: 6,
      valid: trial.valid,
      reasons: trial.reasons,
    };
  });
  return {
    target,
    targetLabel: java ? 'Java' : 'Node',
    mode: 'live',
    modeReasons: [{ code: 'one-process' }],
    settingNames: ['pool'],
    settingLabels: { pool: 'Pool size' },
    status: java ? 'confirmed' : 'plausible',
    values: { pool: java ? 8 : 2 },
    plausible: java ? [8, 8] : [2, 4],
    best: { values: { pool: 16 }, throughput: best },
    facts: { code: 'use', values: { pool: java ? 8 : 2 }, proven: java, smaller: null, today: null, what: 'pool' },
    why: reasonsOf(java, settings, best),
    moreSeconds: java ? null : 36,
    evidence: [],
    noiseFloorPercent: 2.6,
    holdMs,
    openRate: rate,
    settings,
    gates: [],
    confirmation: java
      ? { code: 'fresh-compared', name: 'pool 8', best: 'pool 16', ratio: 0.96, ciLow: 0.953, ciHigh: 0.99, says: 'confirms' }
      : null,
    where: java ? [{ setting: 'pool', value: 8, how: 'Environment variable POOL_SIZE=8.', file: '/srv/benchside.json', line: 14 }] : [],
  };
}

/** What the answer of a target rests on: figures first, then the mechanism. */
function reasonsOf(java, settings, best) {
  const carried = (pool) => ({ name: String(pool), throughput: settings.find(({ values }) => values.pool === pool)?.throughput ?? null });
  const near = { code: 'near', of: carried(java ? 8 : 2), best: { name: '16', throughput: { mean: best, ciLow: null, ciHigh: null } } };
  const common = [{ ...near, delta: 0.05, proven: java, waitsOnly: false }];
  if (!java)
    return [
      ...common,
      { code: 'more-time', between: 'two', seconds: 36 },
      { code: 'limit', beyond: '2', verdict: { code: 'recorded', sentence: 'The event loop is the limit: it was busy 98 % of the time.' } },
    ];
  return [
    ...common,
    {
      code: 'below',
      name: '4',
      ratio: { mean: 0.51, ciLow: 0.49, ciHigh: 0.53 },
      isBest: false,
      open: null,
      worse: null,
    },
    { code: 'hold', holdMs: 1, throughput: 7_940, busy: 7.94, isFull: true, processes: 1 },
    { code: 'limit', beyond: '8', verdict: { code: 'recorded', sentence: 'PostgreSQL’s CPU is the limit (93 % of a core).' } },
  ];
}

/** A search in progress: the same answers, with less behind them. */
export function tuningEvents(run, runId) {
  const tuned = tunedRun(run);
  const answers = tuned.result.answers.map((answer) => ({
    ...answer,
    status: answer.target === 'java' ? 'plausible' : 'undecided',
    values: answer.target === 'java' ? { pool: 8 } : null,
    facts: {
      code: 'open',
      candidates: answer.target === 'java' ? [{ pool: 4 }, { pool: 8 }, { pool: 16 }] : [{ pool: 2 }, { pool: 4 }, { pool: 8 }],
    },
    plausible: answer.target === 'java' ? [4, 16] : [2, 8],
    moreSeconds: 40,
    confirmation: null,
    why: [{ code: 'more-time', between: 'all', seconds: 40 }],
    settings: answer.settings.map((setting) => ({
      ...setting,
      openLoop: null,
      valid: true,
      reasons: [],
      throughput: { ...setting.throughput, ciLow: setting.throughput.mean * 0.94, ciHigh: setting.throughput.mean * 1.06 },
    })),
  }));
  const trials = run.trials.map((trial) => ({
    ...trial,
    valid: true,
    reasons: [],
    blocks: trial.blocks.slice(0, 3),
    throughput: { ...trial.throughput, ciLow: trial.throughput.mean * 0.94, ciHigh: trial.throughput.mean * 1.06 },
  }));
  const round = { code: 'search', target: null, round: 3, values: ['4', '8', '16'], count: 4, best: true };
  return [
    ...trials.map((trial) => ({ type: 'trial', runId, trial })),
    { type: 'tuning', runId, doing: { code: 'round', round, name: null, route: null }, spentS: 48, budgetS: 120, answers },
  ];
}

/** A search over two settings of one target. */
export function gridRun(run) {
  const base = run.trials[2];
  const trials = [4, 8, 16].flatMap((pool) =>
    [16, 50, 100].map((threads) => {
      const mean = 8300 * Math.min(1, pool / 8.4) * Math.min(1, threads / 20) * (threads === 100 ? 0.985 : 1);
      const bad = pool === 16 && threads === 100;
      return {
        ...base,
        key: `java pool=${pool} threads=${threads} c=64`,
        settings: { pool, threads, poolTimeoutMs: 5000 },
        connections: 64,
        valid: !bad,
        reasons: bad ? [{ code: 'recorded', sentence: 'The load generator was saturated in round 2 (event loop busy 97 %).' }] : [],
        throughput: { mean, ciLow: mean * 0.98, ciHigh: mean * 1.02, blocks: base.throughput.blocks },
        blocks: base.blocks.map((block, index) => ({ ...block, throughput: mean * (0.985 + index * 0.01) })),
        latencyMs: { ...base.latencyMs, p99: 80000 / mean },
      };
    }),
  );
  const best = Math.max(...trials.filter((trial) => trial.valid).map((trial) => trial.throughput.mean));
  const answer = {
    ...answerOf(run, 'java'),
    settingNames: ['pool', 'threads'],
    settingLabels: { pool: 'Pool size', threads: 'Thread pool' },
    facts: { code: 'use', values: { pool: 8, threads: 50 }, proven: true, smaller: null, today: null, what: null },
    values: { pool: 8, threads: 50 },
    plausible: null,
    best: { values: { pool: 16, threads: 50 }, throughput: best },
    why: [
      {
        code: 'near',
        of: { name: '8 × 50', throughput: { mean: 0.97 * best, ciLow: null, ciHigh: null } },
        best: { name: '16 × 50', throughput: { mean: best, ciLow: null, ciHigh: null } },
        delta: 0.05,
        proven: true,
        waitsOnly: false,
      },
    ],
    confirmation: null,
    where: [
      { setting: 'pool', value: 8, how: 'Environment variable POOL_SIZE=8.', file: '/srv/benchside.json', line: 14 },
      { setting: 'threads', value: 50, how: 'Environment variable HTTP_THREADS=50.', file: '/srv/benchside.json', line: 21 },
    ],
    settings: trials.map((trial) => {
      const ratio = trial.throughput.mean / best;
      return {
        trialKey: trial.key,
        values: { pool: trial.settings.pool, threads: trial.settings.threads },
        throughput: { mean: trial.throughput.mean, ciLow: trial.throughput.ciLow, ciHigh: trial.throughput.ciHigh },
        ratioToBest: { mean: ratio, ciLow: ratio * 0.98, ciHigh: ratio * 1.02 },
        openLoop: {
          rate: 6000,
          p99Ms: 60000 / trial.throughput.mean,
          ciLow: 54000 / trial.throughput.mean,
          ciHigh: 66000 / trial.throughput.mean,
          ratioToBest: { mean: best / trial.throughput.mean, ciLow: null, ciHigh: null },
          blocks: 4,
          carried: trial.throughput.mean > 6000,
        },
        predicted: null,
        blocks: 6,
        valid: trial.valid,
        reasons: trial.reasons,
      };
    }),
  };
  const request = {
    targets: ['java'],
    settings: { pool: [4, 8, 16], threads: [16, 50, 100] },
    load: 'steady',
    budgetS: 180,
    delta: 0.05,
    mode: 'auto',
    confirm: false,
  };
  return {
    ...run,
    title: 'Pool size and thread pool, Java',
    recommendations: [],
    notes: [],
    trials,
    result: { kind: 'tune', request, spentS: 168, stage: { code: 'ended', decided: true, rounds: 5 }, probeCost: null, answers: [answer] },
  };
}

/** A search that refuses to rank. */
export function refusedRun(run) {
  const tuned = tunedRun(run);
  const answers = tuned.result.answers.slice(0, 1).map((answer) => ({
    ...answer,
    status: 'undecided',
    values: null,
    plausible: null,
    moreSeconds: null,
    confirmation: null,
    facts: { code: 'refused', by: 'other' },
    why: [],
    gates: [
      {
        code: 'concurrency',
        severity: 'refuse',
        connections: 8,
        used: 8,
        largest: 32,
        needed: 64,
      },
      { code: 'recorded', was: 'steal', severity: 'flag', sentence: 'The host took 4 % of the processor away in round 2.' },
    ],
    where: [],
  }));
  return { ...tuned, trials: tuned.trials.filter((trial) => trial.target === 'java'), result: { ...tuned.result, answers } };
}

const controls = [
  { setting: 'pool', label: 'Pool size', unit: null, min: 1, max: 256, value: 4, problem: null },
  { setting: 'threads', label: 'Thread pool', unit: null, min: 4, max: 512, value: 50, problem: null },
  {
    setting: 'poolTimeoutMs',
    label: 'Pool time-out',
    unit: 'ms',
    min: 1,
    max: 60000,
    value: 5000,
    problem: 'It is read when the app starts, so that it cannot be moved while it runs.',
  },
];

/** A live session of some ninety seconds in which the pool was moved three times. */
export function liveEvents(ended) {
  const events = [
    { type: 'starting', target: 'java', targetLabel: 'Java', doing: { code: 'starting', name: 'Java · pool 4 · 50 threads' } },
    {
      type: 'running',
      target: 'java',
      targetLabel: 'Java',
      controls,
      connections: 32,
      routes: ['GET /ads/:id'],
      notes: [{ code: 'recorded', sentence: 'Loaded latencies are of a closed loop: they follow throughput.' }],
    },
  ];
  const moves = [
    { at: 41_000, from: 4, to: 8 },
    { at: 62_000, from: 8, to: 32 },
    { at: 78_000, from: 32, to: 16 },
  ];
  let pool = 4;
  let since = 0;
  for (let timeMs = 1000; timeMs <= 92_000; timeMs += 1000) {
    const move = moves.find((one) => one.at === timeMs);
    if (move) {
      events.push({
        type: 'change',
        change: { timeMs, setting: 'pool', from: move.from, to: move.to, ok: true, effectiveMs: 420, message: null },
      });
      const throughput = Math.min(pool * 1000, 8200);
      events.push({
        type: 'segment',
        segment: {
          fromMs: since,
          toMs: timeMs,
          settings: { pool, threads: 50 },
          throughput,
          p50Ms: 31_000 / throughput,
          p99Ms: 76_000 / throughput,
          requests: throughput * 20,
          errors: 0,
        },
      });
      pool = move.to;
      since = timeMs;
    }
    const wave = 1 + 0.025 * Math.sin(timeMs / 1700) + 0.015 * Math.sin(timeMs / 430);
    const throughput = Math.min(pool * 1000, 8200 - (pool > 16 ? 250 : 0)) * wave;
    events.push({
      type: 'sample',
      sample: {
        timeMs,
        throughput,
        p50Ms: 31_000 / throughput,
        p99Ms: (76_000 / throughput) * (1 + 0.08 * Math.sin(timeMs / 900)),
        errors: 0,
        appCpuPercent: throughput / 95,
        postgresCpuPercent: throughput / 88,
        generatorCpuPercent: throughput / 130,
        pool: { busy: Math.min(pool, throughput / 1000 + 0.4), pending: Math.max(0, 31 - pool), total: pool, max: pool },
        threads: { busy: 33, queue: 0, max: 50 },
        eventLoopUtilisation: null,
      },
    });
  }
  events.push({
    type: 'change',
    change: {
      timeMs: 88_000,
      setting: 'threads',
      from: 50,
      to: 4,
      ok: false,
      effectiveMs: 3000,
      message: 'Jetty needs 6 threads for itself: the least that it takes is 7.',
    },
  });
  if (ended) events.push({ type: 'ended', reason: { code: 'stopped' }, failure: null, runId: ended });
  return events;
}

import type { Finding } from '../../src/model/domain/findingKinds.ts';
import { recorded } from './recorded.ts';
import { type Interference, meanInterference } from '../../src/model/domain/interference.ts';
import {
  type Block,
  type Environment,
  type Recommendation,
  type RunRecord,
  type Trial,
  noErrors,
  runSchemaVersion,
} from '../../src/model/domain/run.ts';
import type { SettingValues } from '../../src/model/domain/setting.ts';

/** A run id that is valid and the same in every test. */
export const exampleRunId = 'mb2k9x1a-0123456789abcdef01234567';

/** What may be chosen of an example trial; the rest follows from it. */
export interface ExampleTrialOptions {
  target?: 'node' | 'java';
  settings?: SettingValues;
  connections?: number;
  throughput?: number;
  p99Ms?: number;
  rounds?: number;
  valid?: boolean;
  reasons?: readonly (string | Finding)[];
  /** What was taken in each round, the last one for all later rounds; hardly anything by default. */
  disturbances?: readonly Interference[];
  /** An estimate of the machine left alone, in requests/s. */
  noiseAdjusted?: number;
}

/** What a machine at rest loses to its own housekeeping. */
export const quiet: Interference = { takenPercent: 1.5, stealPercent: 0.1, otherPercent: 1.4 };

function exampleLatency(p99Ms: number): NonNullable<Trial['latencyMs']> {
  return {
    mean: p99Ms * 0.45,
    stddev: p99Ms * 0.2,
    min: p99Ms * 0.1,
    p50: p99Ms * 0.38,
    p75: p99Ms * 0.55,
    p90: p99Ms * 0.7,
    p95: p99Ms * 0.8,
    p99: p99Ms,
    p999: p99Ms * 1.9,
    max: p99Ms * 3,
  };
}

function exampleBlock(round: number, throughput: number, p99Ms: number, interference: Interference): Block {
  return {
    round,
    startMs: 20_000 + round * 15_000,
    windowMs: 4_000,
    requests: Math.round(throughput * 4),
    throughput,
    bytesPerSecond: throughput * 312,
    latencyMs: exampleLatency(p99Ms),
    errors: { ...noErrors },
    generator: { cpuPercent: 41.5, eventLoopUtilisation: 0.44, littleRatio: 0.995 },
    appCpuUsPerRequest: 109.4,
    valid: true,
    reasons: [],
    interference,
    waits: null,
  };
}

/** A trial as the engine writes it: three blocks within 1 % of `throughput`. */
export function exampleTrial(options: ExampleTrialOptions = {}): Trial {
  const {
    target = 'java',
    settings = { pool: 8 },
    connections = 32,
    throughput = 7_940,
    p99Ms = 9.81,
    rounds = 3,
    valid = true,
    reasons = [],
    disturbances = [quiet],
    noiseAdjusted,
  } = options;
  const blocks = Array.from({ length: rounds }, (_, index) =>
    exampleBlock(
      index + 1,
      throughput * (1 + (index - (rounds - 1) / 2) * 0.01),
      p99Ms,
      disturbances[Math.min(index, disturbances.length - 1)] ?? quiet,
    ),
  );
  const setting = Object.entries(settings)
    .map(([name, value]) => `${name}=${value}`)
    .join(',');
  return {
    key: `${target}|${setting}|c=${connections}`,
    target,
    targetLabel: target === 'java' ? 'Java' : 'Node',
    runtime: target === 'java' ? 'jvm' : 'node',
    settings,
    connections,
    valid,
    reasons: reasons.flatMap((reason) => (typeof reason === 'string' ? recorded(reason) : [reason])),
    notes: [],
    throughput: { mean: throughput, ciLow: throughput * 0.98, ciHigh: throughput * 1.02, blocks: blocks.map((block) => block.throughput) },
    bytesPerSecond: throughput * 312,
    latencyMs: exampleLatency(p99Ms),
    requests: blocks.reduce((sum, block) => sum + block.requests, 0),
    errors: { ...noErrors },
    resources: {
      app: {
        cpuPercent: 86.9,
        rssBytes: 312 * 1024 ** 2,
        cpuUsPerRequest: 109.4,
        contextSwitchesPerSecond: 18_200,
        threads: 61,
        wantedCpuPercent: 95.2,
      },
      postgres: {
        cpuPercent: 74.2,
        rssBytes: 148 * 1024 ** 2,
        cpuUsPerRequest: 93.1,
        contextSwitchesPerSecond: 15_400,
        threads: 14,
        wantedCpuPercent: null,
      },
      generator: {
        cpuPercent: 41.5,
        rssBytes: 92 * 1024 ** 2,
        cpuUsPerRequest: 52.3,
        contextSwitchesPerSecond: 2_100,
        wantedCpuPercent: null,
        threads: 11,
        eventLoopUtilisation: 0.44,
        littleRatio: 0.995,
      },
      host: { stealPercent: 0.1, otherPercent: 1.4 },
      sessions: { active: 5.2, idle: 2.8, 'Client:ClientRead': 1.1 },
    },
    warmUp: { durationMs: 9_000, steady: true, throughput: [3_100, 6_900, 7_800, 7_900], tickMs: 500 },
    blocks,
    histogram: null,
    pool: null,
    threadPool: null,
    eventLoopUtilisation: null,
    timeBudget: null,
    openLoop: null,
    slo: null,
    diagnosis: null,
    steps: [],
    interference: meanInterference(blocks),
    noiseAdjusted: noiseAdjusted === undefined ? null : { throughput: noiseAdjusted },
  };
}

/** A machine that nobody has. */
export function exampleEnvironment(overrides: Partial<Environment> = {}): Environment {
  return {
    benchside: '0.1.0',
    platform: 'linux-x64',
    kernel: '6.1.0-18-amd64',
    cpuModel: 'Example CPU @ 3.20GHz',
    cores: 8,
    memoryBytes: 16 * 1024 ** 3,
    node: '20.20.0',
    java: '17.0.12',
    postgres: '18.4',
    postgresSettings: { shared_buffers: '128MB', max_connections: '200', fsync: 'off' },
    samples: '1',
    git: { commit: '3f1c2ab4d5e6f708192a3b4c5d6e7f8091a2b3c4', dirty: false },
    loadAverageBefore: [0.21, 0.35, 0.3],
    loadAverageAfter: [2.4, 1.1, 0.6],
    virtualised: null,
    ...overrides,
  };
}

/** The recommendation that goes with {@link exampleRun}'s Java trials. */
export function exampleRecommendation(overrides: Partial<Recommendation> = {}): Recommendation {
  return {
    target: 'java',
    targetLabel: 'Java',
    setting: 'pool',
    settingLabel: 'Pool size',
    status: 'confirmed',
    value: 8,
    plausible: null,
    best: { value: 16, throughput: 8_321 },
    facts: { code: 'recorded', sentence: 'Use pool size 8' },
    why: recorded('Within 5 % of the best (16): 7,885 req/s [7,797 – 7,973], p99 9.8 ms. Size 4 loses 50 %.'),
    trialKey: exampleTrial({ settings: { pool: 8 } }).key,
    evidence: [],
    moreSeconds: null,
    ...overrides,
  };
}

/** A whole, valid run: Node and Java at pool sizes 2, 4, 8 and 16. `overrides` replace whole members. */
export function exampleRun(overrides: Partial<RunRecord> = {}): RunRecord {
  const java = [
    [2, 2_012, 41],
    [4, 4_172, 17.5],
    [8, 7_885, 9.8],
    [16, 8_321, 10.4],
  ] as const;
  const node = [
    [2, 8_472, 6.1],
    [4, 8_696, 6],
    [8, 8_789, 6.3],
    [16, 8_794, 6.9],
  ] as const;
  const trials = [
    ...java.map(([pool, throughput, p99Ms]) => exampleTrial({ target: 'java', settings: { pool }, throughput, p99Ms })),
    ...node.map(([pool, throughput, p99Ms]) => exampleTrial({ target: 'node', settings: { pool }, throughput, p99Ms })),
  ];
  const keys = trials.map((trial) => trial.key);
  return {
    schemaVersion: runSchemaVersion,
    id: exampleRunId,
    title: 'Pool size, Java and Node',
    state: 'complete',
    failure: null,
    startedAt: '2025-06-02T14:02:09.000Z',
    durationMs: 111_000,
    valid: true,
    reasons: [],
    notes: recorded('The first block of each process is preceded by its warm-up.'),
    recordings: [],
    result: { kind: 'run' },
    request: {
      targets: ['java', 'node'],
      settings: { pool: [2, 4, 8, 16] },
      load: 'steady',
      route: '/ads/:id',
      connections: [32],
      rounds: 3,
      seed: 7,
    },
    load: {
      name: 'steady',
      description: 'A closed loop over the target’s own mix.',
      connections: [32],
      durationS: 4,
      settleS: 1,
      rounds: 3,
      warmUp: { minS: 5, maxS: 20, jvmMinS: 10, jvmMaxS: 45 },
      timeoutMs: 10_000,
      seed: 7,
    },
    routes: { java: ['GET /ads/:id 100 %'], node: ['GET /ads/:id 100 %'] },
    environment: exampleEnvironment(),
    plan: {
      mode: 'process-per-setting',
      modeReasons: recorded('All processes fit into memory and connections.'),
      order: [keys, [...keys].reverse(), keys],
      commands: Object.fromEntries(
        trials.map((trial) => [
          trial.key,
          {
            argv: trial.target === 'java' ? ['java', '-jar', 'board.jar'] : ['node', 'server.mjs'],
            cwd: `samples/${trial.target}`,
            env: ['PORT', 'POOL_SIZE'],
          },
        ]),
      ),
    },
    trials,
    recommendations: [
      exampleRecommendation(),
      exampleRecommendation({
        target: 'node',
        targetLabel: 'Node',
        status: 'plausible',
        value: 2,
        plausible: [2, 4],
        best: { value: 16, throughput: 8_794 },
        facts: { code: 'recorded', sentence: 'Use pool size 2' },
        why: recorded('Within 5 % of the best (16): 8,472 req/s [8,303 – 8,641], p99 6.1 ms. Size 4 cannot be distinguished.'),
        trialKey: exampleTrial({ target: 'node', settings: { pool: 2 } }).key,
      }),
    ],
    delta: 0.05,
    noiseFloorPercent: 2.6,
    files: [],
    ...overrides,
  };
}

/** What a busy shared machine takes in three rounds: 17 % in the mean, most of it by other machines. */
export const busy: readonly Interference[] = [
  { takenPercent: 12, stealPercent: 7, otherPercent: 5 },
  { takenPercent: 30, stealPercent: 24, otherPercent: 6 },
  { takenPercent: 9, stealPercent: 4, otherPercent: 5 },
];

/** {@link exampleRun} on a busy machine: every trial counts, their intervals are wider, one block is discarded, and the answer has two kinds of evidence that agree. */
export function exampleDisturbedRun(overrides: Partial<RunRecord> = {}): RunRecord {
  const calm = exampleRun();
  const turns = calm.trials.length;
  const trials = calm.trials.map((trial, place): Trial => {
    const disturbances = busy.map((one, round) => {
      const share = 0.7 + ((place * 3 + round) % turns) / turns;
      return { takenPercent: one.takenPercent * share, stealPercent: one.stealPercent * share, otherPercent: one.otherPercent * share };
    });
    const throughput = trial.throughput.mean * 0.8;
    const { p99 = 10 } = trial.latencyMs ?? {};
    const made = exampleTrial({
      target: trial.runtime === 'jvm' ? 'java' : 'node',
      settings: trial.settings,
      throughput,
      p99Ms: p99 * 1.3,
      disturbances,
      noiseAdjusted: trial.throughput.mean,
    });
    const blocks = made.blocks.map((block): Block => ({
      ...block,
      startMs: 20_000 + ((block.round - 1) * turns + place) * 4_500,
      throughput: block.throughput * (1 - ((block.round + place) % 3) * 0.05),
    }));
    return { ...made, blocks, throughput: { ...made.throughput, ciLow: throughput * 0.93, ciHigh: throughput * 1.07 } };
  });
  const [, second] = trials;
  const spoiled = second?.blocks[1];
  if (spoiled) {
    spoiled.valid = false;
    spoiled.reasons = recorded('the load generator was saturated (event loop busy 97 %)');
  }
  return {
    ...calm,
    trials,
    noiseFloorPercent: 7.2,
    recommendations: [
      exampleRecommendation({
        evidence: [
          {
            kind: 'figures',
            says: 'for',
            code: 'recorded',
            sentence: 'it is 2.0 % below the best (16) [0.3 – 4.1 %], within the 5 % asked for; 4 loses 50 %.',
          },
          {
            kind: 'mechanism',
            says: 'for',
            code: 'recorded',
            sentence: 'at 8, requests wait for a connection 2 % of their time, so that a larger pool can gain at most 2 %.',
          },
        ],
      }),
      exampleRecommendation({
        target: 'node',
        targetLabel: 'Node',
        status: 'undecided',
        value: null,
        plausible: [2, 4],
        best: { value: 16, throughput: 7_035 },
        facts: { code: 'recorded', sentence: '2 to 4: more likely 2' },
        why: recorded('Within 5 % of the best (16) as far as three rounds can tell.'),
        trialKey: null,
        evidence: [
          { kind: 'figures', says: 'for', code: 'recorded', sentence: '2 is 3.6 % below the best (16) [1.6 – 4.7 %].' },
          {
            kind: 'mechanism',
            says: 'against',
            code: 'recorded',
            sentence: 'at 2, requests wait for a connection 7 % of their time: more than the 5 % that would be enough.',
          },
        ],
        moreSeconds: 38,
      }),
    ],
    ...overrides,
  };
}

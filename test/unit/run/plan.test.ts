import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FailureError } from '../../../src/model/domain/failure.ts';
import { loadProfileSchema } from '../../../src/model/domain/loadProfile.ts';
import { type RunRequest, runRequestSchema } from '../../../src/model/domain/run.ts';
import { type RunPlan, choosePlanMode, combinations, planRun, shuffledRounds, titleWithAdded } from '../../../src/engine/run/plan.ts';
import { leaveOut, trialWith } from '../../../src/engine/run/furtherTrials.ts';
import { reservedSessions } from '../../../src/engine/limits/reservedSessions.ts';
import { declared } from '../../support/declaredTarget.ts';

const load = loadProfileSchema.parse({ name: 'mine', connections: 8, rounds: 4 });
const node = declared('node');
const java = declared('java', {
  runtime: 'jvm',
  settings: { pool: { default: 10, env: 'POOL' }, threads: { default: 50, env: 'THREADS' } },
});

function request(more: Record<string, unknown> = {}): RunRequest {
  return runRequestSchema.parse({ targets: ['node', 'java'], ...more });
}

function plan(more: Record<string, unknown> = {}, targets = [node, java]): RunPlan {
  return planRun(targets, load, request(more));
}

function refusal(more: Record<string, unknown>): unknown {
  try {
    return plan(more);
  } catch (error) {
    return error instanceof FailureError ? error.failure : error;
  }
}

describe('instances', () => {
  const shared = { proxy: null, cpuShare: 0.5, totalConnections: 16 };
  const planned = (settings: Record<string, unknown>, targets = [node]): RunPlan =>
    planRun(targets, load, request({ targets: ['node'], settings, topology: shared }), shared);

  it('share the connections of all together, and each has its share of the CPU', () => {
    expect(
      planned({ instances: [1, 2, 4] }).processes.map(({ instances, settings, cpuShare }) => [instances, settings['pool'], cpuShare]),
    ).toEqual([
      [1, 16, 0.5],
      [2, 8, 0.5],
      [4, 4, 0.5],
    ]);
  });
  it('take no pool beside that, and no fixed port', () => {
    expect(() => planned({ instances: [2], pool: [4] })).toThrow(/pool of each instance follows/);
    expect(() => planned({ instances: [2] }, [declared('fixed', { port: { fixed: 4000 } })])).toThrow(/always uses port 4000/);
    expect(planned({ instances: [1] }, [declared('fixed', { port: { fixed: 4000 } })]).trials).toHaveLength(1);
  });
});

describe('a think time', () => {
  it('is what the request says, over the load profile', () => {
    expect(plan({ thinkTimeMs: 50 }).load.thinkTimeMs).toBe(50);
    expect(plan().load).not.toHaveProperty('thinkTimeMs');
  });
  it('leaves the word to a fixed rate and to roles, which say themselves when requests are sent', () => {
    expect(refusal({ thinkTimeMs: 50, ratePerS: 100 })).toMatchObject({ code: 'rate-and-think-time' });
    const roles = [{ name: 'reader', weight: 1, steps: [{ name: 'read', path: '/' }] }];
    const walked = loadProfileSchema.parse({ name: 'walked', connections: 8, roles });
    expect(() => planRun([node], walked, request({ targets: ['node'], thinkTimeMs: 50 }))).toThrow(/have roles/);
  });
});

describe('a plan', () => {
  it('has a process for every target and combination of the settings it has, and the defaults for the rest', () => {
    const { processes, trials, title } = plan({ settings: { pool: [2, 4], threads: [10, 20] } });
    expect(processes.map(({ key }) => key)).toEqual([
      'node|pool=2',
      'node|pool=4',
      'java|pool=2|threads=10',
      'java|pool=2|threads=20',
      'java|pool=4|threads=10',
      'java|pool=4|threads=20',
    ]);
    expect(processes.at(-1)).toMatchObject({ name: 'java · pool 4 · threads 20', settings: { pool: 4, threads: 20 } });
    expect(trials.map(({ key }) => key)).toEqual(processes.map(({ key }) => `${key}|c=8`));
    expect(title).toBe('node and java: pool 2, 4; threads 10, 20');
  });

  it('names a trial by its pool when nothing was asked for', () => {
    expect(plan().trials.map(({ key, name, process }) => ({ key, name, settings: process.settings }))).toEqual([
      { key: 'node|pool=4|c=8', name: 'node · pool 4', settings: { pool: 4 } },
      { key: 'java|pool=10|c=8', name: 'java · pool 10', settings: { pool: 10, threads: 50 } },
    ]);
  });

  it('makes a trial of each step of a ladder, on one process', () => {
    const { processes, trials } = plan({ targets: ['node'], settings: { pool: [2, 4] }, connections: [1, 16, 1] }, [node]);
    expect(processes).toHaveLength(2);
    expect(trials.map(({ name }) => name)).toEqual([
      'node · pool 2 · 1 connections',
      'node · pool 2 · 16 connections',
      'node · pool 4 · 1 connections',
      'node · pool 4 · 16 connections',
    ]);
    expect(trials[0]?.process).toBe(trials[1]?.process);
  });

  it('takes length, rounds, connections and seed from the request before the profile', () => {
    expect(plan({ durationS: 2, rounds: 5, connections: [3], seed: 9 }).load).toMatchObject({
      durationS: 2,
      rounds: 5,
      connections: 3,
      seed: 9,
      settleS: load.settleS,
    });
    expect(plan({ rounds: 5 }).order).toHaveLength(5);
  });

  it('has keys that differ from each other, and every trial once in every round', () => {
    const sizes = fc.uniqueArray(fc.integer({ min: 1, max: 256 }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(sizes, sizes, sizes, fc.integer({ min: 1, max: 6 }), (pool, threads, connections, rounds) => {
        fc.pre((pool.length + pool.length * threads.length) * connections.length <= 200);
        const { trials, order, processes } = plan({ settings: { pool, threads }, connections, rounds });
        const keys = trials.map(({ key }) => key);
        expect(new Set(keys).size).toBe(keys.length);
        expect(new Set(processes.map(({ key }) => key)).size).toBe(processes.length);
        expect(keys).toHaveLength((pool.length + pool.length * threads.length) * connections.length);
        for (const round of order) expect(round.map(({ key }) => key).sort()).toEqual([...keys].sort());
      }),
      { numRuns: 40 },
    );
  });

  it('that makes no sense fails with what would', () => {
    expect(refusal({ settings: { heap: [1] } })).toMatchObject({ code: 'setting-unknown', cure: 'They have: pool, threads.' });
    expect(refusal({ settings: { pool: [4, 8, 4] } })).toMatchObject({
      code: 'setting-value',
      message: expect.stringContaining('4') as string,
    });
    expect(refusal({ settings: { pool: [0] } })).toMatchObject({ code: 'setting-value', message: 'node: pool cannot be 0.' });
    expect(refusal({ settings: { pool: Array.from({ length: 101 }, (_value, index) => index + 1) } })).toMatchObject({
      code: 'too-many-trials',
      message: expect.stringContaining('202') as string,
    });
    expect(refusal({ route: '/nowhere/:id' })).toMatchObject({ code: 'unknown-route' });
  });
});

describe('the order of a run', () => {
  it('is the mirror of the round before in every second round, a permutation in each, and the same for the same seed', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.nat(), { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 1, max: 9 }),
        fc.nat(),
        (items, rounds, seed) => {
          const order = shuffledRounds(items, rounds, seed);
          expect(order).toHaveLength(rounds);
          for (const [index, round] of order.entries()) {
            expect([...round].sort((a, b) => a - b)).toEqual([...items].sort((a, b) => a - b));
            if (index % 2 === 1) expect(round).toEqual([...(order[index - 1] ?? [])].reverse());
          }
          expect(shuffledRounds(items, rounds, seed)).toEqual(order);
        },
      ),
    );
  });

  it('differs from seed to seed and from pair of rounds to pair', () => {
    const items = [1, 2, 3, 4, 5, 6, 7, 8];
    const firsts = new Set(Array.from({ length: 20 }, (_value, seed) => JSON.stringify(shuffledRounds(items, 1, seed))));
    expect(firsts.size).toBeGreaterThan(15);
    const order = shuffledRounds(items, 9, 1);
    expect(new Set([0, 2, 4, 6, 8].map((round) => JSON.stringify(order[round]))).size).toBeGreaterThan(3);
  });

  it('gives every place to every trial equally often over two rounds', () => {
    const [first = [], second = []] = shuffledRounds(['a', 'b', 'c', 'd'], 2, 5);
    for (const item of first) expect(first.indexOf(item) + second.indexOf(item)).toBe(3);
  });
});

describe('combinations', () => {
  it('vary the last name fastest, and are one empty set of nothing', () => {
    expect(combinations({ a: [1, 2], b: ['x', 'y'] })).toEqual([
      { a: 1, b: 'x' },
      { a: 1, b: 'y' },
      { a: 2, b: 'x' },
      { a: 2, b: 'y' },
    ]);
    expect(combinations({})).toEqual([{}]);
  });
});

describe('how a plan is carried out', () => {
  const ample = { maxConnections: 400, freeMemoryBytes: 64 * 1024 ** 3 };
  const mode = (targets: Parameters<typeof plan>[1], more: Record<string, unknown>, limits = ample): ReturnType<typeof choosePlanMode> =>
    choosePlanMode(plan({ targets: ['x'], ...more }, targets).processes, limits);

  it('is side by side where everything fits', () => {
    expect(mode([node, java], { settings: { pool: [2, 4, 8] } })).toMatchObject({ mode: 'process-per-setting' });
  });

  it('is one after the other when two processes would want the same port, of whichever target', () => {
    const one = declared('one', { port: { fixed: 8080 } });
    const two = declared('two', { port: { fixed: 9090 }, settings: { size: { default: 1, env: 'SIZE' } }, label: 'Two' });
    expect(mode([one], { settings: { pool: [2, 4] } })).toMatchObject({
      mode: 'restart-per-block',
      reason: { code: 'fixed-port', port: 8080 },
    });
    expect(mode([one, two], { settings: { size: [1, 2] } })).toMatchObject({
      mode: 'restart-per-block',
      reason: { code: 'fixed-port', name: 'Two', port: 9090 },
    });
    expect(mode([one, two], {})).toMatchObject({ mode: 'process-per-setting' });
    expect(mode([one, declared('other', { port: { fixed: 8080 } })], {})).toMatchObject({ mode: 'restart-per-block' });
    expect(mode([one], {})).toMatchObject({ mode: 'process-per-setting' });
  });

  it('is one after the other when the pools together want more connections than PostgreSQL has', () => {
    const stored = declared('stored', { postgres: { env: { url: 'DATABASE_URL' } } });
    const settings = { pool: [128, 256] };
    expect(mode([stored], { settings }, { ...ample, maxConnections: 384 + reservedSessions })).toMatchObject({
      mode: 'process-per-setting',
    });
    expect(mode([stored], { settings }, { ...ample, maxConnections: 384 + reservedSessions - 1 })).toMatchObject({
      mode: 'restart-per-block',
      reason: { code: 'many-connections', connections: 384 },
    });
    // A pool that is not PostgreSQL's, and a server that is not known, set no limit.
    expect(mode([node], { settings }, { ...ample, maxConnections: 10 })).toMatchObject({ mode: 'process-per-setting' });
  });

  it('is one after the other when memory is short, by the heap that is asked for where it is known', () => {
    const heap = declared('heap', {
      settings: { pool: { default: 4, env: 'POOL' }, heapMb: { default: 256, max: 16384, arguments: ['-Xmx{value}m'] } },
    });
    const gibibyte = 1024 ** 3;
    expect(mode([heap], { settings: { heapMb: [512, 1024] } }, { ...ample, freeMemoryBytes: 4 * gibibyte })).toMatchObject({
      mode: 'process-per-setting',
    });
    expect(mode([heap], { settings: { heapMb: [4096, 8192] } }, { ...ample, freeMemoryBytes: 4 * gibibyte })).toMatchObject({
      mode: 'restart-per-block',
      reason: { code: 'much-memory', processes: 2, mebibytes: 12588 },
    });
    expect(mode([heap], { settings: { heapMb: [16384] } }, { ...ample, freeMemoryBytes: gibibyte })).toMatchObject({
      mode: 'process-per-setting',
    });
  });
});

describe('what is in use today', () => {
  const pools = (settings: Record<string, number[]>, specs = [java]): unknown[] =>
    planRun(specs, load, request({ targets: specs.map(({ target }) => target.id), settings }), { withToday: true }).processes.map(
      ({ asked, onlyToday }) => [...Object.values(asked), ...(onlyToday === true ? ['today'] : [])],
    );

  it('is one of the values that are compared, by each target’s own default', () => {
    expect(pools({ pool: [2, 16] })).toEqual([[2], [10, 'today'], [16]]);
    expect(pools({ pool: [2, 8] })).toEqual([[2], [8], [10, 'today']]);
    expect(pools({ pool: [2, 10] })).toEqual([[2], [10]]);
    expect(pools({ pool: [2, 10] }, [node, java])).toEqual([[2], [4, 'today'], [10], [2], [10]]);
  });

  it('is one combination of a grid, and none where a single value is asked for or nothing is declared', () => {
    expect(pools({ pool: [2, 4], threads: [20, 40] })).toEqual([
      [2, 20],
      [2, 40],
      [4, 20],
      [4, 40],
      [10, 50, 'today'],
    ]);
    expect(pools({ pool: [4], threads: [20, 40] })).toEqual([
      [4, 20],
      [4, 40],
      [4, 50, 'today'],
    ]);
    expect(pools({ pool: [4] })).toEqual([[4]]);
    expect(pools({ instances: [1, 2] })).toHaveLength(2);
    expect(plan({ settings: { pool: [2, 3] } }).trials).toHaveLength(4);
  });

  it('has a title that names the values that were added while it was measured', () => {
    const planned = planRun([java], load, request({ targets: ['java'], settings: { pool: [2, 8] } }), { withToday: true });
    expect(titleWithAdded(planned)).toBe('java: pool 2, 8, 10 (today)');
    const [first] = planned.trials;
    if (first === undefined) throw new Error('no trial');
    planned.trials.push(trialWith(first, 'pool', 20), trialWith(first, 'pool', 32));
    expect(titleWithAdded(planned)).toBe('java: pool 2, 8, 10 (today); then 20, 32');
  });

  it('can be taken out of a plan again, and nothing else goes with it', () => {
    const planned = planRun([java], load, request({ targets: ['java'], settings: { pool: [2, 16] } }), { withToday: true });
    const today = planned.trials.find(({ process }) => process.onlyToday === true);
    if (today === undefined) throw new Error('nothing of today');
    leaveOut(planned, today);
    expect(planned.trials.map(({ process }) => process.asked['pool'])).toEqual([2, 16]);
    expect(planned.processes).toHaveLength(2);
    expect(planned.order.every((round) => round.length === 2 && !round.includes(today))).toBe(true);
  });
});

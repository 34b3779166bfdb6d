import { describe, expect, it } from 'vitest';
import type { OpenValues, RoundKind } from '../../../src/model/domain/progress/roundKinds.ts';
import { loadProfileSchema } from '../../../src/model/domain/loadProfile.ts';
import { type Block, runRequestSchema } from '../../../src/model/domain/run.ts';
import { type PlannedTrial, type RunPlan, planRun } from '../../../src/engine/run/plan.ts';
import { type ScheduleOptions, RunSchedule } from '../../../src/engine/strategies/rounds/runSchedule.ts';
import type { Round } from '../../../src/engine/strategies/strategy.ts';
import { trialWith } from '../../../src/engine/run/furtherTrials.ts';
import { declared } from '../../support/declaredTarget.ts';
import { exampleTrial } from '../../support/runRecords.ts';

const blockMs = 2000;
const wobble = [0, 0.004, -0.003, 0.002, -0.004, 0.003, -0.002];

function planOf(settings: Record<string, unknown>, more: { targets?: string[]; rounds?: number; connections?: number[] } = {}): RunPlan {
  const { targets = ['node'], rounds = 3, connections = [32] } = more;
  const load = loadProfileSchema.parse({ name: 'mine', connections: 32, rounds });
  return planRun(
    targets.map((id) => declared(id)),
    load,
    runRequestSchema.parse({ targets, settings, connections, rounds }),
  );
}

function blockOf(round: number, throughput: number, more: Partial<Block> = {}): Block {
  const [block] = exampleTrial().blocks;
  if (block === undefined) throw new Error('no block');
  return { ...block, round, throughput, ...more };
}

const poolOf = ({ process }: PlannedTrial): number => Number(process.settings['pool']);
/** Throughput follows the pool up to eight. */
const kneeAt8 = (planned: PlannedTrial, round: number): Block =>
  blockOf(round, 1000 * Math.min(8, poolOf(planned)) * (1 + (wobble[(3 * round + poolOf(planned)) % wobble.length] ?? 0)));

/** Plays a schedule to its end; gives its rounds and the milliseconds that they took. */
function play(
  schedule: RunSchedule<PlannedTrial>,
  measure: (planned: PlannedTrial, round: number) => Block | null,
  eachMs = blockMs,
): { rounds: Round<PlannedTrial>[]; spentMs: number } {
  const rounds: Round<PlannedTrial>[] = [];
  let spentMs = 0;
  for (let round = schedule.next(0); round !== null; round = schedule.next(spentMs)) {
    rounds.push(round);
    for (const planned of round.trials) {
      schedule.observe(planned, round.round, measure(planned, round.round));
      spentMs += eachMs;
    }
  }
  return { rounds, spentMs };
}

const schedule = (plan: RunPlan, more: Partial<ScheduleOptions<PlannedTrial>> = {}): RunSchedule<PlannedTrial> =>
  new RunSchedule(plan, { adaptive: true, budgetMs: 200_000, delta: 0.05, blockMs: () => blockMs, ...more });

/** What is open in an added round. */
const openOf = (round: Round<PlannedTrial> | undefined): readonly OpenValues[] => (round?.what.code === 'added' ? round.what.open : []);
/** An added round of the one target of a plan, in which these values are open. */
const open = (...values: string[]) => ({ code: 'added', open: [{ target: null, values }] });
const keysOf = (round: Round<PlannedTrial> | undefined): string[] => (round?.trials ?? []).map(({ key }) => key);

describe('the schedule of a run', () => {
  it('is exactly the rounds of its plan where they are fixed, whatever they show', () => {
    const plan = planOf({ pool: [4, 8, 16] });
    const fixed = schedule(plan, { adaptive: false });
    expect(fixed.remainingMs(0)).toBe(9 * blockMs);
    const { rounds } = play(fixed, (planned, round) => blockOf(round, 5000 + 3000 * Math.sin(round * 5 + poolOf(planned))));
    expect(rounds.map(({ what }) => what)).toEqual([1, 2, 3].map((round) => ({ code: 'planned', round, of: 3, more: false })));
    expect(rounds.map(keysOf)).toEqual(plan.order.map((round) => round.map(({ key }) => key)));
    expect(fixed.remainingMs(9 * blockMs)).toBe(0);
  });

  it('goes on after its plan until the answer is decided, and ends long before the budget', () => {
    const plan = planOf({ pool: [2, 4, 8, 16] });
    const adaptive = schedule(plan);
    const { rounds, spentMs } = play(adaptive, kneeAt8);
    expect(rounds.slice(0, 2).map(keysOf)).toEqual(plan.order.slice(0, 2).map((round) => round.map(({ key }) => key)));
    expect(rounds[0]?.what).toEqual({ code: 'planned', round: 1, of: 2, more: true });
    expect(rounds).toHaveLength(6);
    expect(rounds.map(({ round }) => round)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(spentMs).toBeLessThan(60_000);
  });

  it('decides by what may be given up', () => {
    // 4 reaches 93 % of the others: not enough with a δ of 5 %, enough with 15 %.
    const close = (planned: PlannedTrial, round: number): Block => {
      const throughput = poolOf(planned) === 4 ? 7440 : 8000;
      return blockOf(round, throughput * (1 + (wobble[(3 * round + poolOf(planned)) % wobble.length] ?? 0)));
    };
    const last = (delta: number): RoundKind | undefined => {
      const { rounds } = play(schedule(planOf({ pool: [4, 8, 16] }), { delta }), close);
      expect(rounds.length).toBeGreaterThan(3);
      return rounds.at(-1)?.what;
    };
    expect(last(0.05)).toMatchObject(open('8'));
    expect(last(0.15)).toMatchObject(open('4'));
  });

  it('says why a round was added: what is open', () => {
    const { rounds } = play(schedule(planOf({ pool: [2, 4, 8, 16] })), kneeAt8);
    expect(rounds[3]?.what).toEqual({ round: 4, ...open('8') });
    const close = (planned: PlannedTrial, round: number): Block => {
      const throughput = poolOf(planned) === 4 ? 7610 : 8000;
      return blockOf(round, throughput * (1 + (wobble[(3 * round + poolOf(planned)) % wobble.length] ?? 0)));
    };
    const { rounds: more } = play(schedule(planOf({ pool: [4, 8, 16] }), { budgetMs: 40_000 }), close);
    expect(more[3]?.what).toEqual({ round: 4, ...open('4', '8') });
  });

  it('says that there were too few rounds where the plan has fewer than a claim needs', () => {
    const { rounds } = play(schedule(planOf({ pool: [4, 8] }, { rounds: 1 })), kneeAt8);
    expect(rounds[1]?.what).toEqual({ code: 'added', round: 2, open: [{ target: null, values: null }] });
    expect(rounds.length).toBeGreaterThanOrEqual(5);
  });

  it('uses its budget up while nothing is decided, and no more than that', () => {
    const noisy = (planned: PlannedTrial, round: number): Block =>
      blockOf(round, 8000 * (1 + 0.3 * Math.sin(7.3 * round * poolOf(planned))));
    const { spentMs } = play(schedule(planOf({ pool: [4, 8, 16] }), { budgetMs: 60_000 }), noisy);
    expect(spentMs).toBeLessThanOrEqual(60_000);
    expect(spentMs).toBeGreaterThan(60_000 - 4 * blockMs);
  });

  it('reckons with what a block was seen to take, not with what was expected of it', () => {
    const noisy = (planned: PlannedTrial, round: number): Block =>
      blockOf(round, 8000 * (1 + 0.3 * Math.sin(7.3 * round * poolOf(planned))));
    for (const eachMs of [blockMs / 2, 1.5 * blockMs]) {
      const { spentMs } = play(schedule(planOf({ pool: [4, 8, 16] }), { budgetMs: 60_000 }), noisy, eachMs);
      expect(spentMs).toBeLessThanOrEqual(60_000);
      expect(spentMs).toBeGreaterThan(60_000 - 4 * eachMs);
    }
  });

  it('measures the rounds of its plan even where they alone are more than the budget', () => {
    const { rounds } = play(schedule(planOf({ pool: [4, 8, 16] }), { budgetMs: 1000 }), kneeAt8);
    expect(rounds).toHaveLength(3);
  });

  it('tells what is left: the plan at least, the budget at most', () => {
    const own = schedule(planOf({ pool: [4, 8, 16] }), { budgetMs: 60_000 });
    expect(own.remainingMs(0)).toBe(60_000);
    expect(own.remainingMs(25_000)).toBe(35_000);
    expect(own.remainingMs(59_000)).toBe(9 * blockMs);
    expect(own.surelyMs()).toBe(9 * blockMs);
  });

  it('names the trials between which an answer is open, once rounds are added for them', () => {
    const { rounds } = play(schedule(planOf({ pool: [4, 8, 16] })), kneeAt8);
    expect(rounds.slice(0, 2).map(({ open }) => open)).toEqual([undefined, undefined]);
    // Two rounds are too few for a claim: nothing is open yet.
    expect(rounds[2]?.open).toEqual([]);
    expect(rounds[3]?.open).toHaveLength(1);
  });

  it('goes on with what is open of several targets, each by its name, and leaves the decided one alone', () => {
    const plan = planOf({ pool: [4, 8, 16] }, { targets: ['clear', 'noisy'] });
    const { rounds } = play(schedule(plan, { budgetMs: 120_000 }), (planned, round) =>
      planned.process.declared.target.id === 'clear'
        ? kneeAt8(planned, round)
        : blockOf(round, 8000 * (1 + 0.3 * Math.sin(7.3 * round * poolOf(planned)))),
    );
    const targetsOf = (round: Round<PlannedTrial> | undefined): string[] => [
      ...new Set((round?.trials ?? []).map(({ process }) => process.declared.target.id)),
    ];
    expect(targetsOf(rounds[3]).sort()).toEqual(['clear', 'noisy']);
    const [clear, noisy] = openOf(rounds[3]);
    expect([clear, noisy?.target]).toEqual([{ target: 'clear', values: ['8'] }, 'noisy']);
    expect(targetsOf(rounds.at(-1))).toEqual(['noisy']);
    expect(openOf(rounds.at(-1)).map(({ target }) => target)).toEqual(['noisy']);
  });

  it('leaves the last of the time to one target where it is too little for a round of each', () => {
    const plan = planOf({ pool: [4, 8, 16] }, { targets: ['one', 'other'] });
    const noisy = (planned: PlannedTrial, round: number): Block =>
      blockOf(round, 8000 * (1 + 0.3 * Math.sin(7.3 * round * poolOf(planned))));
    // Three rounds of all, and two blocks more.
    const { rounds, spentMs } = play(schedule(plan, { budgetMs: 20 * blockMs }), noisy);
    const last = rounds.at(-1)?.trials ?? [];
    expect(last).toHaveLength(2);
    expect(new Set(last.map(({ process }) => process.declared.target.id)).size).toBe(1);
    expect(spentMs).toBe(20 * blockMs);
  });

  it('has only its plan where nothing competes: one value, or words, or two settings at once', () => {
    for (const settings of [{ pool: [4] }, {}]) expect(play(schedule(planOf(settings)), kneeAt8).rounds).toHaveLength(3);
    const two = planRun(
      [declared('java', { settings: { pool: { default: 4, env: 'POOL' }, threads: { default: 8, env: 'THREADS' } } })],
      loadProfileSchema.parse({ name: 'mine', connections: 32, rounds: 3 }),
      runRequestSchema.parse({ targets: ['java'], settings: { pool: [4, 8], threads: [8, 16] } }),
    );
    expect(play(schedule(two), kneeAt8).rounds).toHaveLength(3);
  });

  it('looks further at the largest number of connections only: there a setting binds', () => {
    const plan = planOf({ pool: [2, 4, 8, 16] }, { connections: [1, 64] });
    const { rounds } = play(schedule(plan), kneeAt8);
    expect(rounds.length).toBeGreaterThan(3);
    const further = rounds.slice(3).flatMap(({ trials }) => trials.map(({ connections }) => connections));
    expect([...new Set(further)]).toEqual([64]);
  });

  it('does without a value that cannot be measured, and decides about the rest', () => {
    const { rounds, spentMs } = play(schedule(planOf({ pool: [2, 4, 8, 16] })), (planned, round) =>
      poolOf(planned) === 4 ? null : kneeAt8(planned, round),
    );
    expect(rounds.slice(3).flatMap(keysOf)).not.toContain('node|pool=4|c=32');
    expect(rounds.at(-1)?.what).toMatchObject(open('8'));
    expect(spentMs).toBeLessThan(100_000);
  });

  it('measures all values in two rounds, and in the others of its plan only what can still be the answer', () => {
    const longer = planOf({ pool: [2, 4, 8, 16] }, { rounds: 6 });
    const { rounds } = play(schedule(longer), kneeAt8);
    expect(rounds.slice(0, 2).map((round) => keysOf(round).length)).toEqual([4, 4]);
    expect(rounds[1]?.what).toEqual({ code: 'planned', round: 2, of: 2, more: true });
    expect(rounds.slice(2).flatMap(keysOf)).not.toContain('node|pool=2|c=32');
    expect(play(schedule(longer, { adaptive: false }), kneeAt8).rounds).toHaveLength(6);
    // Another number of connections competes with nothing: its rounds are those of the plan.
    expect(
      play(schedule(planOf({ pool: [2, 4, 8, 16] }, { rounds: 6, connections: [1, 64] })), kneeAt8).rounds.length,
    ).toBeGreaterThanOrEqual(6);
  });

  it('ends when no value can be measured at all', () => {
    const { rounds } = play(schedule(planOf({ pool: [4, 8, 16] })), () => null);
    expect(rounds).toHaveLength(3);
  });

  it('counts a disturbed block, and not a discarded one', () => {
    const interference = { takenPercent: 60, stealPercent: 60, otherPercent: 0 };
    const left = (round: number): number => (round % 2 === 0 ? 0.4 : 1);
    const disturbed = play(schedule(planOf({ pool: [2, 8] })), (planned, round) => {
      const { throughput } = kneeAt8(planned, round);
      return blockOf(
        round,
        throughput * left(round),
        round % 2 === 0 ? { interference } : { interference: { ...interference, takenPercent: 0 } },
      );
    });
    const spoilt = play(schedule(planOf({ pool: [2, 8] })), (planned, round) => ({ ...kneeAt8(planned, round), valid: round % 2 !== 0 }));
    expect(disturbed.rounds.length).toBeLessThan(spoilt.rounds.length);
  });

  it('ends after its three rounds where the mechanism says which size is enough', () => {
    const { rounds } = play(schedule(planOf({ pool: [2, 4, 8, 16] })), (planned, round) => ({
      ...kneeAt8(planned, round),
      waits: { pool: poolOf(planned) < 8 ? 0.6 : 0, threads: null },
    }));
    expect(rounds).toHaveLength(3);
  });
});

describe('the schedule of a run at a fixed rate', () => {
  const rated = (values: readonly number[]): RunPlan => {
    const plan = planOf({ pool: values }, { rounds: 6 });
    return { ...plan, load: { ...plan.load, ratePerS: 500 } };
  };
  /** A block of 750 requests, of which so many were answered in time. */
  const at = (round: number, p99: number, answered = 750): Block => {
    const [block] = exampleTrial().blocks;
    if (block === undefined || block.latencyMs === null) throw new Error('no block');
    const open = { intended: 750, sent: 750, late: 0, dropped: 0 };
    return { ...block, round, windowMs: 1500, requests: answered, open, latencyMs: { ...block.latencyMs, p99 } };
  };
  /** The noise of a round, the same for all values, and what a value has of its own. */
  const noise = (round: number, pool: number, own: number): number => 1 + own * (wobble[(3 * round + pool) % wobble.length] ?? 0);

  it('takes further rounds of what is open, and ends when nothing is', () => {
    const plan = rated([1, 2, 4, 8]);
    const p99 = new Map([
      [1, 80],
      [2, 40],
      [4, 10],
      [8, 10.2],
    ]);
    const wild = play(schedule(plan), (planned, round) => at(round, (p99.get(poolOf(planned)) ?? 0) * noise(round, poolOf(planned), 100)));
    const calm = play(schedule(plan), (planned, round) => at(round, (p99.get(poolOf(planned)) ?? 0) * noise(round, poolOf(planned), 1)));
    expect(calm.rounds.length).toBeGreaterThanOrEqual(6);
    expect(calm.rounds.length).toBeLessThanOrEqual(8);
    expect(wild.rounds.length).toBeGreaterThan(calm.rounds.length);
    // What is known to be worse takes no more of the time.
    const last = wild.rounds.at(-1);
    expect(keysOf(last)).not.toContain(plan.trials[0]?.key);
    expect(wild.spentMs).toBeLessThan(200_000);
  });

  it('spends no more than its budget on what stays open', () => {
    const { spentMs, rounds } = play(schedule(rated([4, 8]), { budgetMs: 60_000 }), (planned, round) =>
      at(round, 10 * noise(round, poolOf(planned), 150)),
    );
    expect(spentMs).toBeLessThanOrEqual(60_000);
    expect(spentMs).toBeGreaterThan(50_000);
    expect([['4', '8'], ['8']]).toContainEqual(openOf(rounds.at(-1))[0]?.values);
  });

  it('does not go on where no value carries the rate', () => {
    const { rounds } = play(schedule(rated([2, 4])), (_planned, round) => at(round, 900, 300));
    expect(rounds).toHaveLength(6);
  });

  it('is exactly its rounds where those are fixed', () => {
    const { rounds } = play(schedule(rated([4, 8]), { adaptive: false }), (planned, round) =>
      at(round, 10 * noise(round, poolOf(planned), 150)),
    );
    expect(rounds).toHaveLength(6);
  });

  it('goes on by itself with larger values while the largest is the best, and ends on one that is not', () => {
    const plan = planOf({ pool: [1, 2] });
    const added: number[] = [];
    const own = schedule(plan, {
      beyond: (largest) => {
        const pool = 2 * poolOf(largest);
        added.push(pool);
        return pool > 32 ? null : trialWith(largest, 'pool', pool);
      },
    });
    const { rounds } = play(own, kneeAt8);
    expect(added).toEqual([4, 8, 16]);
    expect(own.found.map(({ answer }) => poolOf(answer))).toEqual([8]);
    expect(rounds.length).toBeLessThan(30);
    // Nothing larger is asked for where a smaller one is enough.
    const none: number[] = [];
    play(schedule(planOf({ pool: [4, 8, 16] }), { beyond: (largest) => (none.push(poolOf(largest)), null) }), kneeAt8);
    expect(none).toEqual([]);
  });
});

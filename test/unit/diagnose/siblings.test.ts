import { describe, expect, it } from 'vitest';
import { diagnosisSchema } from '../../../src/model/domain/diagnosis.ts';
import type { PoolUse, Trial } from '../../../src/model/domain/run.ts';
import { diagnose } from '../../../src/engine/diagnose/diagnose.ts';
import { judgeTogether } from '../../../src/engine/diagnose/siblings.ts';
import type { Signals } from '../../../src/engine/diagnose/signals.ts';
import { exampleTrial } from '../../support/runRecords.ts';
import { type WordedVerdict, wordedVerdict } from '../../support/wordedVerdict.ts';
import { knob, pool, sampleKnobs, signals } from './exampleSignals.ts';

interface Seen {
  size: number;
  connections?: number;
  throughput: number;
  meanMs: number;
  use: Pick<PoolUse, 'busy' | 'pending' | 'waitMs' | 'holdMs'>;
  sessions: NonNullable<Signals['sessions']>;
}

const idleSessions = { active: 0, onCpu: 0, lock: 0, io: 0, idleInTransaction: 0, samples: 8 };

/** A trial with the verdict that it gets alone. */
function trial({ size, connections = 16, throughput, meanMs, use, sessions }: Seen, more: Partial<Signals> = {}): Trial {
  const knobs = { ...sampleKnobs, pool: knob('pool', size) };
  const of = {
    appCpuPercent: 10,
    pgCpuPercent: 4,
    connections,
    throughput,
    meanMs,
    sessions,
    knobs,
    pool: pool({ max: size, ...use }),
    ...more,
  };
  return {
    ...exampleTrial({ target: 'java', connections, throughput }),
    key: `java|pool=${size}|${connections}`,
    settings: { pool: size },
    runtime: 'jvm',
    pool: { kind: 'hikari', name: 'main', max: size, waitP99Ms: null, perRequest: 1, ...use },
    resources: {
      ...exampleTrial({ target: 'java' }).resources,
      sessions: { active: sessions.active, 'Lock:transactionid': sessions.lock, 'idle in transaction': sessions.idleInTransaction },
    },
    diagnosis: diagnose(signals(of)),
  };
}

/** A lock of the app that is held for 5 ms by a thread that works on its connection meanwhile: half of two connections idle, which looks like a pool that is too small. */
const two = trial({
  size: 2,
  throughput: 190,
  meanMs: 84,
  sessions: { ...idleSessions, active: 1.1 },
  use: { busy: 1.99, pending: 14, waitMs: 73.5, holdMs: 10.5 },
});
const eight = trial({
  size: 8,
  throughput: 191,
  meanMs: 84,
  sessions: { ...idleSessions, active: 1 },
  use: { busy: 7.98, pending: 8, waitMs: 42, holdMs: 42 },
});
const sixteen = trial({
  size: 16,
  throughput: 189,
  meanMs: 84,
  sessions: { ...idleSessions, active: 1.1 },
  use: { busy: 15.9, pending: 0, waitMs: 0.02, holdMs: 83.7 },
});

function worded(trial: Trial | undefined): Partial<WordedVerdict> {
  return trial?.diagnosis == null ? {} : wordedVerdict(trial.diagnosis);
}

describe('trials of one run, judged together', () => {
  it('show a lock behind the pool, which one of them by itself takes for a pool that is too small', () => {
    expect([two, eight, sixteen].map(({ diagnosis }) => diagnosis?.kind)).toEqual(['pool-limited', 'held-connection', 'unknown-wait']);
    const judged = judgeTogether([two, eight, sixteen]);
    expect(judged.map(({ diagnosis }) => diagnosis?.kind)).toEqual(['application-lock', 'application-lock', 'application-lock']);
    for (const one of judged) {
      const { diagnosis } = one;
      expect(diagnosisSchema.parse(diagnosis)).toEqual(diagnosis);
      expect(diagnosis?.confident).toBe(false);
      expect(diagnosis?.actions.filter(({ kind }) => kind === 'set' || kind === 'tune')).toEqual([]);
      expect(`${worded(one).headline} ${worded(one).explanation}`).not.toMatch(/undefined|null|NaN/);
    }
    expect(worded(judged[0]).headline).toBe(
      'A lock in the app, it seems, is the limit, not the pool: one of 8 brought 191 requests a second, and one of 2 brought 190.',
    );
  });

  it('blame the database where its sessions wait for a lock', () => {
    const few = trial({
      size: 4,
      throughput: 190,
      meanMs: 84,
      sessions: { ...idleSessions, active: 4, lock: 1 },
      use: { busy: 3.99, pending: 12, waitMs: 63, holdMs: 21 },
    });
    const many = trial({
      size: 12,
      throughput: 190,
      meanMs: 84,
      sessions: { ...idleSessions, active: 12, lock: 11 },
      use: { busy: 11.9, pending: 4, waitMs: 21, holdMs: 63 },
    });
    expect(few.diagnosis?.kind).toBe('pool-limited');
    expect(judgeTogether([few, many]).map(({ diagnosis }) => diagnosis?.kind)).toEqual(['database-lock', 'database-lock']);
  });

  const waiting = (size: number, more: Partial<Seen> = {}): Trial => {
    const throughput = Math.min(size, 16) * 47;
    const busy = Math.min(size, 16) * 0.99;
    return trial({
      size,
      throughput,
      meanMs: (1000 * 16) / throughput,
      sessions: { ...idleSessions, active: busy },
      use: { busy, pending: Math.max(0, 16 - size), waitMs: (1000 * Math.max(0, 16 - size)) / throughput, holdMs: 21 },
      ...more,
    });
  };

  it('leave a pool its verdict that a larger one relieves', () => {
    const trials = [waiting(2), waiting(4), waiting(8), waiting(16), waiting(32)];
    expect(judgeTogether(trials)).toEqual(trials);
    expect(trials.map(({ diagnosis }) => diagnosis?.kind)).toEqual([
      ...['pool-limited', 'pool-limited', 'pool-limited'],
      ...['client-limited', 'client-limited'],
    ]);
  });

  it('leave it too where the larger one was slow for another reason: its connections were not held for longer', () => {
    const slowed = waiting(8, { throughput: 100 });
    const trials = [waiting(2), slowed];
    expect(judgeTogether(trials)).toEqual(trials);
  });

  /** Short statements on a machine of which others take a third: every size alone fills what is left, and the queue before the pool is part of it. */
  const crowded = (size: number, throughput: number): Trial =>
    trial(
      {
        size,
        throughput,
        meanMs: 16_000 / throughput,
        sessions: { ...idleSessions, active: 1, onCpu: 1 },
        use: { busy: 0.97 * size, pending: Math.max(0, 15 - size), waitMs: 3, holdMs: 1.2 },
      },
      {
        appCpuPercent: 78,
        pgCpuPercent: 30,
        generator: { cpuPercent: 20, loop: 0.2, littleRatio: 0.99 },
        interferenceShare: 0.33,
        allWantedPercent: 195,
      },
    );

  it('blame the CPU for what connections wait for where more of them ask for more of it, and a lock where one at a time has something to do', () => {
    const wanting = (of: Trial, wanted: number, takenPercent: number): Trial => ({
      ...of,
      interference: { takenPercent, stealPercent: 0, otherPercent: takenPercent },
      resources: { ...of.resources, app: { ...of.resources.app, wantedCpuPercent: wanted } },
    });
    // As measured of the Node sample while other programs took two thirds of the CPU.
    const use = { busy: 3.99, pending: 24.3, waitMs: 21.4, holdMs: 3.5 };
    const four = trial({ size: 4, connections: 32, throughput: 1176, meanMs: 27, sessions: { ...idleSessions, active: 0.75 }, use });
    const more = { ...use, busy: 8, pending: 15.1, waitMs: 12.3, holdMs: 6.6 };
    const twice = trial({ size: 8, connections: 32, throughput: 1125, meanMs: 28, sessions: { ...idleSessions, active: 1 }, use: more });
    const taken = judgeTogether([wanting(four, 282, 70), wanting(twice, 355, 66)], 2);
    expect(taken.map(({ diagnosis }) => diagnosis?.kind)).toEqual(['busy-machine', 'busy-machine']);
    expect(worded(taken[0])).toMatchObject({
      confident: false,
      headline:
        'The CPU that others left is the limit, not the pool: one of 8 brought 1,125 requests a second, and one of 4 brought 1,176.',
    });
    const own = judgeTogether([wanting(four, 160, 1), wanting(twice, 198, 1)], 2);
    expect(own.map(({ diagnosis }) => diagnosis?.kind)).toEqual(['cpu', 'cpu']);
    for (const [less, larger, takenPercent] of [
      [250, 255, 70],
      [90, 110, 70],
      // Nearly all of the CPU, of which nobody takes anything: one thread at a time computes while it has the lock.
      [75, 77, 0],
    ] as const)
      expect(judgeTogether([wanting(four, less, takenPercent), wanting(twice, larger, takenPercent)], 2)[0]?.diagnosis?.kind).toBe(
        'application-lock',
      );
    // More than there is, whatever the size, and nobody else takes any of it.
    const crowd = judgeTogether([wanting(four, 105, 0), wanting(twice, 110, 0)], 2);
    expect(crowd.map(({ diagnosis }) => diagnosis?.kind)).toEqual(['cpu', 'cpu']);
  });

  it('take the CPU that others left for full only where no larger pool brought clearly more on it', () => {
    const [small, large] = [crowded(2, 900), crowded(8, 2400)];
    for (const { diagnosis } of [small, large]) expect(diagnosis).toMatchObject({ kind: 'cpu', confident: true });
    const [few, many] = judgeTogether([small, large]);
    expect(few?.diagnosis).toMatchObject({ kind: 'pool-limited', confident: false });
    expect(worded(few).headline).toBe(
      'The connection pool is the limit, as this run shows: one of 8 brought 167 % more than one of 2 on the same CPU.',
    );
    expect(worded(few).actions?.[0]).toEqual({
      kind: 'set',
      label: 'Use 8, which brought more in this run',
      setting: 'pool',
      value: 8,
    });
    expect(diagnosisSchema.parse(few?.diagnosis)).toEqual(few?.diagnosis);
    expect(many).toEqual(large);
  });

  it('are less sure of a full CPU where a larger pool brought a little more, and as sure as before where it brought nothing', () => {
    const [four, eight8] = [crowded(4, 2100), crowded(8, 2400)];
    expect(worded(judgeTogether([four, eight8])[0])).toMatchObject({
      kind: 'cpu',
      confident: false,
      explanation: expect.stringContaining('a pool of 8 brought 14 % more on the same CPU') as string,
    });
    const same = [crowded(4, 2390), crowded(8, 2400)];
    expect(judgeTogether(same)).toEqual(same);
  });

  it('say nothing of each other under another load, on another target or with other settings beside the pool', () => {
    const other = (more: Partial<Trial>): Trial[] => [two, { ...eight, ...more }];
    for (const more of [{ connections: 32 }, { target: 'node' }, { settings: { pool: 8, threads: 40 } }]) {
      expect(judgeTogether(other(more))).toEqual(other(more));
    }
    expect(judgeTogether([two, eight])).not.toEqual([two, eight]);
  });

  it('do not say that the load is the limit where twice the load brought no more', () => {
    const [alone, more] = [waiting(16), waiting(16, { connections: 32 })];
    const crowded: Trial = { ...more, throughput: alone.throughput, diagnosis: waiting(8).diagnosis };
    const [judged] = judgeTogether([alone, crowded]);
    expect(judged?.diagnosis).toMatchObject({ kind: 'pool-limited', confident: false });
    expect(worded(judged).headline).toMatch(/^More load brings nothing: 32 connections of the load brought/);
    const better: Trial = { ...crowded, throughput: { ...alone.throughput, mean: 1.6 * alone.throughput.mean } };
    expect(judgeTogether([alone, better])).toEqual([alone, better]);
  });
});

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Diagnosis } from '../../../src/model/domain/diagnosis.ts';
import { diagnose } from '../../../src/engine/diagnose/diagnose.ts';
import { judgeTogether } from '../../../src/engine/diagnose/siblings.ts';
import type { Trial } from '../../../src/model/domain/run.ts';
import { exampleTrial } from '../../support/runRecords.ts';
import { type WordedVerdict, wordedVerdict } from '../../support/wordedVerdict.ts';
import { knob, pool, sampleKnobs, signals } from './exampleSignals.ts';

/** All that is said of one trial. */
function said(diagnosis: Diagnosis): string[] {
  const { headline, explanation, ruledOut, actions } = wordedVerdict(diagnosis);
  return [headline, explanation, ...ruledOut.map(({ because }) => because), ...actions.map(({ label }) => label)];
}

function worded(trial: Trial | undefined): WordedVerdict | undefined {
  return trial?.diagnosis == null ? undefined : wordedVerdict(trial.diagnosis);
}

/** Statements of which no two may be in one verdict. */
const contradictions: readonly (readonly [RegExp, RegExp])[] = [
  [/, not the pool/, /a pool of \d+ brought \d+(?:\.\d)? % more/],
  [/, not the pool/, /The connection pool (?:is the limit|comes first)/],
  [/, not the pool/, /which brought more in this run/],
  [/brought no more than one of/, /a pool of \d+ brought \d+(?:\.\d)? % more/],
  [/nothing in the app is full/, /(?:is|are) the limit by now|comes first|First comes/],
  [/no request waits/, /\b[1-9]\d* requests waited/],
  [/First comes the connection pool/, /The connection pool (?:leaves room|is not the limit)|is the limit, not the pool/],
  [/First comes (?!the connection pool)/, /The connection pool is the limit:/],
  [/is full: .*together (?:[1-7]?\d|8[0-9]) %/, /./],
  [/only moves the queue/, /moves most of the queue|brought \d+(?:\.\d)? % more/],
];

interface Side {
  size: number;
  gain: number;
  noise: number;
  appCpu: number;
  active: number;
  taken?: number;
  wanted?: number | null;
}

const connections = 16;

/** Four rounds of a pool of some size; `gain`: throughput, of that of the smallest. */
function trialOf({ size, gain, noise, appCpu, active, taken = 0.02, wanted = null }: Side): Trial {
  const throughput = 200 * gain;
  const meanMs = (1000 * connections) / throughput;
  const busy = Math.min(size, connections) * 0.99;
  const holdMs = (1000 * busy) / throughput;
  const use = { busy, pending: Math.max(0, connections - size), waitMs: Math.max(0, meanMs - holdMs), holdMs };
  const of = exampleTrial({ target: 'java', connections, throughput });
  const [example] = of.blocks;
  if (example === undefined) throw new Error('an example without a block');
  const swing = [1, -1, 1, -1];
  return {
    ...of,
    key: `java|pool=${size}|${connections}`,
    settings: { pool: size },
    runtime: 'jvm',
    blocks: swing.map((sign, round) => ({ ...example, round, throughput: throughput * (1 + sign * noise) })),
    pool: { kind: 'hikari', name: 'main', max: size, waitP99Ms: null, perRequest: 1, ...use },
    resources: {
      ...of.resources,
      app: { ...of.resources.app, cpuPercent: appCpu, wantedCpuPercent: wanted ?? appCpu },
      postgres: { ...of.resources.postgres, cpuPercent: 4, wantedCpuPercent: 4 },
      sessions: { active },
    },
    diagnosis: diagnose(
      signals({
        appCpuPercent: appCpu,
        pgCpuPercent: 4,
        interferenceShare: taken,
        allWantedPercent: wanted,
        connections,
        throughput,
        meanMs,
        sessions: { active, onCpu: 0, lock: 0, io: 0, idleInTransaction: 0, samples: 8 },
        knobs: { ...sampleKnobs, pool: knob('pool', size) },
        pool: pool({ max: size, ...use }),
      }),
    ),
  };
}

const side = fc.record({
  noise: fc.constantFrom(0, 0.005, 0.05),
  appCpu: fc.constantFrom(10, 60, 130, 165, 175, 190),
  active: fc.constantFrom(0.5, 2, 6),
  taken: fc.constantFrom(0, 0.25, 0.6),
  wanted: fc.constantFrom(null, 90, 185, 198),
});
const pair = fc.record({
  small: side,
  large: side,
  few: fc.constantFrom(2, 4),
  many: fc.constantFrom(8, 12, 16),
  gain: fc.constantFrom(0.9, 1, 1.03, 1.1, 1.17, 1.24, 1.6, 2.5),
});

describe('what is said of one trial', () => {
  it('is never contradicted by what else is said of it', () => {
    fc.assert(
      fc.property(pair, ({ small, large, few, many, gain }) => {
        const judged = judgeTogether([trialOf({ ...small, size: few, gain: 1 }), trialOf({ ...large, size: many, gain })], 2);
        for (const { diagnosis } of judged) {
          if (diagnosis === null) continue;
          const texts = said(diagnosis).join('\n');
          for (const [one, other] of contradictions)
            expect(one.test(texts) && other.test(texts), `${one} and ${other} in\n${texts}`).toBe(false);
        }
      }),
      { numRuns: 150 },
    );
  });

  it('is that the pool comes first where a larger one brought something, though less than a pool that limits alone', () => {
    const sides = { noise: 0.005, appCpu: 10, active: 1 };
    const [few, many] = judgeTogether([trialOf({ ...sides, size: 2, gain: 1 }), trialOf({ ...sides, size: 8, gain: 1.17 })], 2);
    expect(worded(few)).toMatchObject({
      kind: 'pool-limited',
      confident: false,
      headline:
        'The connection pool comes first, then a lock in the app, it seems: a pool of 8 brought 17 % more than one of 2, of the 300 % of one that limits alone.',
    });
    expect(worded(few)?.actions[0]).toEqual({ kind: 'set', label: 'Use 8, which brought more in this run', setting: 'pool', value: 8 });
    expect(worded(many)).toMatchObject({
      kind: 'application-lock',
      headline:
        'A lock in the app, it seems, is the limit by now: a pool of 8 brought 17 % more than one of 2, of the 300 % of one that limits alone.',
    });
  });

  it('has the order of what is nearly full, with what the first can bring', () => {
    const { kind, explanation } = worded(trialOf({ size: 4, gain: 1, noise: 0, appCpu: 140, active: 4 })) ?? {};
    expect(kind).toBe('pool-limited');
    expect(explanation).toContain(
      'First comes the connection pool, which can bring up to 22 % more at today’s CPU time of a request; then ',
    );
  });

  it('has a wait for the pool beside a processor that is full', () => {
    const { kind, explanation } = worded(trialOf({ size: 4, gain: 1, noise: 0, appCpu: 192, active: 1 })) ?? {};
    expect(kind).toBe('cpu');
    expect(explanation).toContain('of which a tenth less for each request brings about 11 % more');
    expect(explanation).toContain('then the connection pool, for which a request waits 75 % of its time');
  });
});

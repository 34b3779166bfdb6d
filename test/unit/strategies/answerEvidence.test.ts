import { describe, expect, it } from 'vitest';
import { answerEvidenceOf } from '../../../src/engine/strategies/answer/answerEvidence.ts';
import { type WatchedPart, watchedPartOf } from '../../../src/model/domain/setting.ts';
import { type MeasuredCandidate, judgeCandidates } from '../../../src/engine/statistics/tuningSearch.ts';
import { type EvidenceItem, evidenceItemSchema, evidenceText } from '../../../src/model/domain/answerEvidence.ts';
import type { Trial } from '../../../src/model/domain/run.ts';
import { declared } from '../../support/declaredTarget.ts';
import { seenTrial } from '../tuning/tuningEvidence.ts';

const wobble = [0, 0.004, -0.003, 0.002, -0.004, 0.003, -0.002];

function pool(
  size: number,
  throughput: number,
  waitShare: number | null,
  more: { rounds?: number; noise?: number } = {},
): MeasuredCandidate {
  const { rounds = 5, noise = 1 } = more;
  const blocks = Array.from({ length: rounds }, (_, i) => ({
    round: i + 1,
    throughput: throughput * (1 + noise * (wobble[(3 * i + size) % wobble.length] ?? 0)),
    waitShare,
  }));
  return { key: `pool=${size}`, values: { pool: size }, cost: size, blocks, attempts: rounds, errorShare: 0, inserted: false };
}

function spoken(
  candidates: readonly MeasuredCandidate[],
  resource: WatchedPart | null = 'pool',
  busySessions: ReadonlyMap<string, number> = new Map(),
  seen: ReadonlyMap<string, Trial> = new Map(),
): EvidenceItem[] {
  const { statistics, knee } = judgeCandidates(candidates, 0.05);
  if (knee === null) throw new Error('no knee');
  return answerEvidenceOf({ knee, statistics, candidates, delta: 0.05, resource, busySessions, seen, cores: 2 });
}

/** What they mean for the answer, and their words. */
function said(found: readonly EvidenceItem[]): { kind: string; says: string; sentence: string }[] {
  return found.map((item) => ({ kind: item.kind, says: item.says, sentence: evidenceText(item) }));
}

describe('the evidence of an answer', () => {
  it('are both for it, each in a sentence with its figures', () => {
    const found = said(spoken([pool(4, 4000, 0.5), pool(8, 7900, 0.01), pool(16, 8000, 0)]));
    expect(found.map(({ kind, says }) => [kind, says])).toEqual([
      ['figures', 'for'],
      ['mechanism', 'for'],
    ]);
    expect(found[0]?.sentence).toMatch(
      /^8 carried 7,\d{3} req\/s in 5 rounds; the fastest, 16, (7,9|8,0)\d{2} req\/s; 4 loses 49(\.\d)? % against it\.$/,
    );
    expect(found[1]?.sentence).toBe(
      'with 8 a request waits 1 % of its time for a connection, so that no larger pool can gain more than 1 %; with 4 it is 50 %.',
    );
  });

  it('are the figures alone where waits say nothing of the setting, or were not seen twice', () => {
    const seen = [pool(4, 4000, 0.5), pool(8, 7900, 0.01), pool(16, 8000, 0)];
    expect(spoken(seen, null).map(({ kind }) => kind)).toEqual(['figures']);
    const unseen = seen.map((one) => ({ ...one, blocks: one.blocks.map((block, i) => ({ ...block, waitShare: i === 0 ? 0 : null })) }));
    expect(spoken(unseen).map(({ kind }) => kind)).toEqual(['figures']);
  });

  it('leave it open while the figures prove nothing', () => {
    const [figures] = spoken([pool(4, 7700, null, { noise: 20 }), pool(8, 7900, null, { noise: 20 }), pool(16, 8000, null, { noise: 20 })]);
    expect(figures).toMatchObject({ says: 'open', open: { why: 'not-told-apart', name: '4' } });
    const [likely] = spoken([pool(4, 4000, null), pool(8, 8000, null, { noise: 20 }), pool(16, 8000, null, { noise: 20 })]);
    expect(likely).toMatchObject({ says: 'open' });
  });

  it('leave it open by the mechanism while a request still waits: a larger one may gain', () => {
    const found = said(spoken([pool(4, 4000, 0.5), pool(8, 7900, 0.2), pool(16, 8000, 0.2)]));
    expect(found[1]).toEqual({
      kind: 'mechanism',
      says: 'open',
      sentence: 'with 8 a request still waits 20 % of its time for a connection: a larger pool can gain up to 25 %; with 4 it is 50 %.',
    });
  });

  it('can be stored where requests do nothing but wait, so that the waits bound nothing', () => {
    const [, mechanism] = spoken([pool(4, 4000, 1), pool(8, 7900, 1), pool(16, 8000, 1)]);
    expect(mechanism).toMatchObject({ code: 'still-waits', gain: 99 });
    expect(evidenceItemSchema.parse(JSON.parse(JSON.stringify(mechanism)))).toEqual(mechanism);
  });

  it('promise no more by the waits than what is full can carry', () => {
    const pools = [pool(4, 4000, 0.5), pool(8, 7900, 0.48)];
    const full = seenTrial(7900, { eventLoopUtilisation: 0.98 });
    expect(said(spoken(pools, 'pool', new Map(), new Map([['pool=8', full]])))[1]).toEqual({
      kind: 'mechanism',
      says: 'for',
      sentence:
        'with 8 a request still waits 48 % of its time for a connection, but the event loop limits what that can bring: a larger pool can gain 2 % at the most; with 4 it is 50 %.',
    });
    // More is asked of the machine than it has, though not all of it is used: 85 % leave 18 %.
    const seen = {
      appCpuPercent: 70,
      postgresCpuPercent: 85,
      generatorCpuPercent: 15,
      hostCpuPercent: 85,
      wantedCpuPercent: 220,
    };
    const crowded = seenTrial(7900, seen);
    expect(spoken(pools, 'pool', new Map(), new Map([['pool=8', crowded]]))[1]).toMatchObject({
      code: 'still-waits',
      full: 'machine-cpu',
      gain: expect.closeTo(0.176, 3),
    });
    const asked = seenTrial(7900, { ...seen, wantedCpuPercent: 190 });
    expect(spoken(pools, 'pool', new Map(), new Map([['pool=8', asked]]))[1]).toMatchObject({ code: 'still-waits', full: null });
    // Where a larger one carried more than that, it was not full.
    const found = spoken(
      [pool(4, 4000, 0.5), pool(8, 6000, 0.48), pool(16, 6300, 0.3, { noise: 8 })],
      'pool',
      new Map(),
      new Map([['pool=8', full]]),
    );
    expect(found[1]).not.toMatchObject({ code: 'still-waits', name: '8', full: 'event-loop' });
  });

  it('take PostgreSQL’s sessions for the mechanism where nothing looks into the app, and believe them less', () => {
    const apps = [pool(4, 4000, null), pool(8, 7900, null), pool(16, 8000, null)];
    const seen = (four: number, eight: number): EvidenceItem | undefined =>
      spoken(
        apps,
        'pool',
        new Map([
          ['pool=4', four],
          ['pool=8', eight],
        ]),
      )[1];
    expect(said([seen(0.98, 0.6)].flatMap((one) => one ?? []))[0]).toEqual({
      kind: 'mechanism',
      says: 'for',
      sentence: 'with 8 PostgreSQL saw 60 % of the pool at work, with 4 98 %, so that hardly anybody waits for a connection.',
    });
    expect(seen(0.98, 0.95)).toMatchObject({ says: 'open', meaning: 'full' });
    expect(seen(0.5, 0.3)).toMatchObject({ says: 'open', meaning: 'no-limit' });
    expect(spoken(apps, 'threads', new Map([['pool=8', 0.5]]))).toHaveLength(1);
  });

  it('speak of request threads where these are tuned', () => {
    const sentence = said(spoken([pool(4, 4000, 0.5), pool(8, 7900, 0), pool(16, 8000, 0)], 'threads'))[1]?.sentence;
    expect(sentence).toBe(
      'with 8 a request waits 0 % of its time for a request thread, so that no larger number of threads can gain more than 0 %; with 4 it is 50 %.',
    );
  });

  it('say so when they disagree: the mechanism calls enough what the figures prove too small', () => {
    const found = said(spoken([pool(4, 4000, 0), pool(8, 7900, 0), pool(16, 8000, 0)]));
    expect(found.map(({ kind, says }) => [kind, says])).toEqual([
      ['figures', 'for'],
      ['mechanism', 'against'],
    ]);
    expect(found[1]?.sentence).toMatch(
      /^with 4 a request waits 0 % of its time for a connection, so that a larger pool should gain next to nothing, and yet the figures say that (8|16) is faster\. The two disagree: /,
    );
  });

  it('have no smaller value to speak of where the answer is the smallest', () => {
    const found = spoken([pool(4, 7950, 0), pool(8, 8000, 0)]);
    expect(found.map((item) => 'smaller' in item && item.smaller)).toEqual([null, null]);
  });
});

describe('what a setting is as far as waits are seen', () => {
  it('is known by its name or its declaration', () => {
    const { settings } = declared('java', {
      settings: {
        pool: { default: 4, env: 'POOL' },
        threads: { default: 8, env: 'THREADS' },
        hikari: { default: 4, env: 'HIKARI', live: 'pool' },
        heap: { default: 4, env: 'HEAP' },
        documents: { default: 4, env: 'DOCUMENTS', live: 'client' },
      },
    }).target;
    expect(['pool', 'threads', 'hikari', 'heap', 'documents', 'nothing'].map((name) => watchedPartOf(name, settings[name]))).toEqual([
      'pool',
      'threads',
      'pool',
      null,
      'client',
      null,
    ]);
  });
});

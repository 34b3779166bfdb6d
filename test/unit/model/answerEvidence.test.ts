import { describe, expect, it } from 'vitest';
import { type EvidenceItem, answerEvidenceKinds, evidenceItemSchema, evidenceText } from '../../../src/model/domain/answerEvidence.ts';

const carried = { kind: 'figures', says: 'for', code: 'carried', name: '8', throughput: 7900, rounds: 5 } as const;
const mechanism = { kind: 'mechanism', says: 'open', name: '8', waits: 0.2, resource: 'pool', gain: 0.25 } as const;
const sessions = { kind: 'mechanism', says: 'open', code: 'sessions', name: '8' } as const;

/** Each kind with its words. */
const words: readonly (readonly [EvidenceItem, string])[] = [
  [
    { ...carried, fastest: { name: '16', throughput: 8000 }, smaller: { name: '4', ratio: 0.506, open: false }, open: null },
    '8 carried 7,900 req/s in 5 rounds; the fastest, 16, 8,000 req/s; 4 loses 49.4 % against it.',
  ],
  [
    { ...carried, fastest: null, smaller: null, open: { why: 'not-proven', delta: 0.05 } },
    '8 carried 7,900 req/s in 5 rounds, not yet proven to within 5 %.',
  ],
  [
    { ...carried, fastest: null, smaller: { name: '4', ratio: 1.01, open: true }, open: { why: 'not-told-apart', name: '4' } },
    '8 carried 7,900 req/s in 5 rounds; 4, not yet distinguished, loses nothing against it.',
  ],
  [
    { ...carried, fastest: null, smaller: { name: '4', ratio: 0.9, open: false }, open: { why: 'not-told-apart', name: '2' } },
    '8 carried 7,900 req/s in 5 rounds; 4 loses 10 % against it; 2 is not yet distinguished.',
  ],
  [
    { ...carried, fastest: null, smaller: { name: '4', ratio: 0.9, open: true }, open: { why: 'not-told-apart', name: '2' } },
    '8 carried 7,900 req/s in 5 rounds; 4, not yet distinguished, loses 10 % against it; 2 is not yet distinguished.',
  ],
  [
    { ...sessions, busy: 0.6, smaller: { name: '4', busy: 0.98 }, meaning: 'spare' },
    'with 8 PostgreSQL saw 60 % of the pool at work, with 4 98 %, so that hardly anybody waits for a connection.',
  ],
  [
    { ...sessions, busy: 0.3, smaller: { name: '4', busy: 0.5 }, meaning: 'no-limit' },
    'with 8 PostgreSQL saw 30 % of the pool at work, with 4 50 %, so that the pool was the limit of neither, as far as PostgreSQL can tell.',
  ],
  [
    { ...sessions, busy: 0.95, smaller: null, meaning: 'full' },
    'with 8 PostgreSQL saw 95 % of the pool at work, so that requests may wait for one, as far as PostgreSQL can tell.',
  ],
  [
    { kind: 'mechanism', says: 'against', code: 'contradicted', name: '4', waits: 0, resource: 'threads', rival: '8' },
    'with 4 a request waits 0 % of its time for a request thread, so that a larger number of threads should gain next to nothing, and yet the figures say that 8 is faster. The two disagree: something else changes with the size.',
  ],
  [
    { ...mechanism, code: 'hardly-waits', waits: 0.01, gain: 0.01, smaller: { name: '4', waits: 0.5 }, full: null, denied: null },
    'with 8 a request waits 1 % of its time for a connection, so that no larger pool can gain more than 1 %; with 4 it is 50 %.',
  ],
  [
    { ...mechanism, code: 'hardly-waits', resource: 'client', waits: 0.0004, gain: 0, smaller: null, full: null, denied: '16' },
    'with 8 a request waits 0 % of its time for a connection of the HTTP client, so that no larger number of them can gain more than 0 %. Nobody waits with 16 either: that it did more is what hit the blocks of the other, and not its size.',
  ],
  [
    { ...mechanism, code: 'hardly-waits', waits: 0.013, gain: 0, smaller: null, full: 'event-loop', denied: null },
    'with 8 a request waits 1.3 % of its time for a connection, and the event loop is full, so that no larger pool can gain more than 0 %.',
  ],
  [
    { ...mechanism, code: 'still-waits', smaller: { name: '4', waits: 0.5 }, full: null },
    'with 8 a request still waits 20 % of its time for a connection: a larger pool can gain up to 25 %; with 4 it is 50 %.',
  ],
  [
    { ...mechanism, code: 'still-waits', resource: 'bouncer', gain: 0.02, smaller: null, full: 'postgres-cpu' },
    'with 8 a request still waits 20 % of its time for a connection of PgBouncer’s to PostgreSQL, but PostgreSQL’s CPU limits what that can bring: a larger pool of PgBouncer can gain 2 % at the most.',
  ],
  [{ kind: 'figures', says: 'open', code: 'recorded', sentence: 'It is so.' }, 'It is so.'],
];

describe('a piece of evidence of an answer', () => {
  it.each(words)('%j has its words, and is the same after a message', (item, text) => {
    expect(evidenceText(item)).toBe(text);
    expect(evidenceItemSchema.parse(JSON.parse(JSON.stringify(item)))).toEqual(item);
  });

  it('has words in every kind that there is', () => {
    expect(new Set(words.map(([{ code }]) => code))).toEqual(new Set(Object.keys(answerEvidenceKinds)));
  });

  it('keeps how it stands to the answer where another version wrote it', () => {
    const found = evidenceItemSchema.parse({ kind: 'mechanism', says: 'for', code: 'not-yet-known' });
    expect(found).toMatchObject({ kind: 'mechanism', says: 'for', code: 'recorded' });
  });
});

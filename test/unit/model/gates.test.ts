import { describe, expect, it } from 'vitest';
import { type Gate, gateCode, gateKinds, gateSchema, gateText } from '../../../src/model/domain/gate.ts';

const flag = { severity: 'flag' } as const;
const refuse = { severity: 'refuse' } as const;
const errors = { code: 'errors', names: ['2', '4'], share: 0.03, limit: 0.01 } as const;

/** Each kind with its words. */
const words: readonly (readonly [Gate, string])[] = [
  [
    { ...refuse, code: 'generator', of: 'cpu', value: 95, limit: 90 },
    'The load generator was saturated (its CPU 95.0 % of a core, limit 90 %): what was compared is the generator. Use fewer connections or a heavier route, or let k6 put the load on (--generator k6=2).',
  ],
  [
    { ...refuse, code: 'generator', of: 'event-loop', value: 93, limit: 90 },
    'The load generator was saturated (its event loop busy 93.0 % of the time, limit 90 %): what was compared is the generator. Use fewer connections or a heavier route, or let k6 put the load on (--generator k6=2).',
  ],
  [
    {
      ...flag,
      code: 'ignored',
      seen: { code: 'setting-not-in-force', message: { code: 'recorded', sentence: 'The app kept 10 connections.' } },
      names: ['4'],
    },
    'The app kept 10 connections. 4 is left out. Let the setting reach the app at its start, or tune it with restarts.',
  ],
  [
    { ...refuse, ...errors, names: ['16'], fastest: '16' },
    '3.00 % of the requests to the fastest setting (16) failed, limit 1 %: errors are often faster than answers. Look at the app’s log.',
  ],
  [
    { ...flag, ...errors, names: [...errors.names], fastest: null },
    'Up to 3.00 % of the requests failed with 2 and 4, limit 1 %. Look at the app’s log.',
  ],
  [
    { ...flag, code: 'acquire-timeouts', names: ['1', '2', '3', '4', '5', '6', '7', '8', '9'] },
    'Callers gave up waiting for a connection with 1, 2, 3, 4, 5, 6, 7 and 2 more: there the pool decides who gets an answer. Use a larger pool or fewer connections.',
  ],
  [{ ...flag, code: 'not-steady' }, 'It was still warming up when it was measured. Allow a longer warm-up.'],
  [
    { ...refuse, code: 'max-connections', names: ['16'], most: 90 },
    '16 may open more connections than PostgreSQL allows (90 besides those kept back). Name smaller pools or fewer instances, or raise max_connections.',
  ],
  [
    { ...flag, code: 'concurrency', connections: 16, used: 16, largest: 32, needed: 64 },
    '16 connections of the load never use more than 16 of a pool of 32, so that for this load larger sizes than 16 are all the same. Put 64 connections or more on it to compare them.',
  ],
  [
    { ...flag, code: 'open-loop', share: 0.01, limit: 0.005 },
    '1.00 % of the requests at a fixed rate were sent late or not at all, limit 0.5 %: p99 is only roughly known. Choose a lighter load, or run on a quieter machine.',
  ],
  [{ ...flag, code: 'not-measured', names: ['2'] }, '2 could not be measured twice. The reasons stand with each value.'],
  [{ ...refuse, code: 'rounds', rounds: 1, least: 3 }, '3 valid rounds are the least for any claim; there is 1. Allow more time.'],
  [{ ...refuse, code: 'rounds', rounds: 2, least: 3 }, '3 valid rounds are the least for any claim; there are 2. Allow more time.'],
  [{ ...refuse, code: 'recorded', was: 'errors', sentence: 'Too many failed.' }, 'Too many failed.'],
];

describe('a rule of validity that spoke up', () => {
  it.each(words)('%j has its words, and is the same after a message', (gate, text) => {
    expect(gateText(gate)).toBe(text);
    expect(gateSchema.parse(JSON.parse(JSON.stringify(gate)))).toEqual(gate);
  });

  it('has words in every kind that there is', () => {
    expect(new Set(words.map(([{ code }]) => code))).toEqual(new Set(Object.keys(gateKinds)));
  });

  it('is known by its code, also where another version wrote it', () => {
    expect(gateCode({ ...flag, code: 'not-steady' })).toBe('not-steady');
    const unknown = gateSchema.parse({ ...refuse, code: 'not-yet-known', value: 3 });
    expect(unknown).toMatchObject({ ...refuse, code: 'recorded' });
    expect(gateCode(unknown)).toBe('not-yet-known');
  });
});

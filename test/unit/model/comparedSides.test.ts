import { describe, expect, it } from 'vitest';
import { inNames, sideNames } from '../../../src/model/comparedSides.ts';
import { exampleTrial } from '../../support/runRecords.ts';

const side = (trialKey: string | null, startedAt: string) => ({
  id: 'x',
  title: '',
  startedAt,
  trialKey,
  recordings: [],
  request: null,
  trials: [],
});
const row = (a: ReturnType<typeof exampleTrial>, b: ReturnType<typeof exampleTrial>) => ({ label: 'x', a, b }) as never;

describe('the sides of a comparison', () => {
  const names = { a: 'pool 16', b: 'pool 2' };

  it('are called by what they differ in', () => {
    const [a, b] = [exampleTrial({ settings: { pool: 16 } }), exampleTrial({ settings: { pool: 2 } })];
    const comparison = { a: side(a.key, '2026-11-21T13:40:02.000Z'), b: side(b.key, '2026-11-21T13:40:02.000Z'), rows: [row(a, b)] };
    expect(sideNames(comparison)).toEqual(names);
  });

  it('are called by their time where they are runs, with the day where that is another', () => {
    const at = (a: string, b: string) => sideNames({ a: side(null, a), b: side(null, b), rows: [] });
    const same = at('2026-11-21T13:40:02.000Z', '2026-11-21T13:42:09.000Z');
    expect(same.a).toMatch(/^the run of \d\d:40$/);
    expect(same.b).toMatch(/^the run of \d\d:42$/);
    expect(at('2026-11-20T13:40:02.000Z', '2026-11-21T13:40:02.000Z').a).toMatch(/^the run of \d+ Nov/);
    expect(at('2026-11-21T13:40:02.000Z', '2026-11-21T13:40:30.000Z').a).not.toBe(
      at('2026-11-21T13:40:02.000Z', '2026-11-21T13:40:30.000Z').b,
    );
  });

  it('are named in every sentence, and the first says what it is compared with', () => {
    expect(inNames('B is 83 % slower (80 – 86 %). p99 of B is 3.1 times as high.', names)).toBe(
      'Pool 2 is 83 % slower than pool 16 (80 – 86 %). p99 of pool 2 is 3.1 times as high.',
    );
    expect(inNames('B is as fast as A, within ±5 %.', names)).toBe('Pool 2 is as fast as pool 16, within ±5 %.');
    expect(inNames('B is 3.9 times as fast (3.8 – 4.0 times).', names)).toBe('Pool 2 is 3.9 times as fast as pool 16 (3.8 – 4.0 times).');
    expect(inNames('A and B are the same.', names)).toBe('Pool 16 and pool 2 are the same.');
  });

  it('are not mistaken for a target that is called A or B', () => {
    expect(inNames('B is faster in 1 of 2 settings (B · pool 4: +12 %).', names)).toBe(
      'Pool 2 is faster in 1 of 2 settings (B · pool 4: +12 %).',
    );
  });
});

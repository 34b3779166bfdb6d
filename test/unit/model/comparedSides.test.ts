import { describe, expect, it } from 'vitest';
import { nameSides } from '../../../src/model/presentation/comparedWords.ts';
import { exampleTrial } from '../../support/runRecords.ts';

describe('the sides of a comparison', () => {
  const at = (a: string, b: string, given: { a?: string; b?: string } = {}) =>
    nameSides({ startedAt: a, given: given.a, trial: null }, { startedAt: b, given: given.b, trial: null });
  const [earlier, later] = ['2026-11-21T13:40:02.000Z', '2026-11-21T13:42:09.000Z'];

  it('are called by what they differ in, in words', () => {
    const [a, b] = [exampleTrial({ settings: { pool: 16, poolTimeoutMs: 9 } }), exampleTrial({ settings: { pool: 2, poolTimeoutMs: 9 } })];
    const names = nameSides({ startedAt: earlier, trial: a }, { startedAt: earlier, trial: b });
    expect(names).toEqual({ a: { name: 'pool 16', short: 'pool 16' }, b: { name: 'pool 2', short: 'pool 2' } });
    const waiting = nameSides(
      { startedAt: earlier, trial: a },
      { startedAt: earlier, trial: exampleTrial({ settings: { pool: 16, poolTimeoutMs: 2000 } }) },
    );
    expect(waiting.b.name).toBe('pool timeout (ms) 2000');
  });

  it('are called by their time where they are runs, with the day where that is another', () => {
    const same = at(earlier, later);
    expect(same.a).toEqual({
      name: expect.stringMatching(/^the run of \d\d:40$/) as string,
      short: expect.stringMatching(/^\d\d:40$/) as string,
    });
    expect(same.b.name).toMatch(/^the run of \d\d:42$/);
    expect(at('2026-11-20T13:40:02.000Z', earlier).a.name).toMatch(/^the run of \d+ Nov/);
    const near = at(earlier, '2026-11-21T13:40:30.000Z');
    expect(near.a.name).not.toBe(near.b.name);
  });

  it('are called what the user calls them', () => {
    expect(at(earlier, later, { a: 'before the upgrade' }).a).toEqual({ name: '“before the upgrade”', short: 'before the upgrade' });
    expect(at(earlier, later, { a: 'x', b: 'x' }).a.name).toMatch(/^the run of/);
  });

  it('have names even where nothing tells them apart', () => {
    expect(at(earlier, earlier)).toMatchObject({ a: { name: 'the first' }, b: { name: 'the second' } });
  });
});

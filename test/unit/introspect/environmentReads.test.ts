import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EnvironmentReads } from '../../../src/probe/node/introspect/environmentReads.ts';

const real = process.env;
beforeEach(() => {
  process.env = { SHOP_POOL: '4', SHOP_DB: 'x', SHELL_LEVEL: '2' };
});
afterEach(() => {
  process.env = real;
});

function readsOf(work: () => unknown): string[] {
  const reads = new EnvironmentReads();
  reads.watch();
  work();
  return reads
    .report()
    .map(({ name }) => name)
    .sort();
}

describe('the variables that an app reads', () => {
  it('are those that it asks for by name', () => {
    expect(readsOf(() => [process.env['SHOP_POOL'], process.env['MISSING']])).toEqual(['MISSING', 'SHOP_POOL']);
  });

  it.each<[string, () => unknown]>([
    ['a copy', () => ({ ...process.env })],
    ['entries', () => Object.entries(process.env)],
    ['JSON', () => JSON.stringify(process.env)],
    [
      'a loop over the names',
      () => {
        for (const name in process.env) String(process.env[name]);
      },
    ],
  ])('are not all that it lists: %s', (_, work) => {
    expect(readsOf(work).filter((name) => name !== 'toJSON')).toEqual([]);
    expect(readsOf(() => [work(), process.env['SHOP_DB']])).toContain('SHOP_DB');
  });

  it('are those that it picks from a list of names, and those of which it asks first whether they are there', () => {
    const shop = (): unknown => Object.keys(process.env).flatMap((name) => (name.startsWith('SHOP_D') ? [process.env[name]] : []));
    expect(readsOf(shop)).toEqual(['SHOP_DB']);
    expect(readsOf(() => Object.hasOwn(process.env, 'SHOP_POOL') && process.env['SHOP_POOL'])).toEqual(['SHOP_POOL']);
  });
});

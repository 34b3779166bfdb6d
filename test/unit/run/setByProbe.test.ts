import { describe, expect, it } from 'vitest';
import { givenValues, needsProbe } from '../../../src/engine/run/setByProbe.ts';
import { declared } from '../../support/declaredTarget.ts';

const shop = declared('shop', {
  runtime: 'node',
  settings: {
    pool: { kind: 'number', default: 20, live: 'pool' },
    workers: { kind: 'number', default: 2, env: 'WORKERS' },
  },
});
const settings = { pool: 20, workers: 2 };

describe('what a process is given that only its probe can set', () => {
  it('is each value, as declared or as asked for', () => {
    expect(givenValues({ declared: shop, settings })).toEqual(settings);
    expect([20, 40].map((pool) => needsProbe({ declared: shop, settings: { ...settings, pool } }))).toEqual([false, true]);
  });

  it('is of a version of the code what is asked for alone: the size that it begins with is its own', () => {
    const version = { ...shop, copied: { copy: '/copy', of: '/shop' } };
    expect(givenValues({ declared: version, settings })).toEqual({ workers: 2 });
    expect(givenValues({ declared: version, settings: { ...settings, pool: 5 } })).toEqual({ pool: 5, workers: 2 });
  });
});

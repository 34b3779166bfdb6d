import { describe, expect, it } from 'vitest';
import { type Finding, type FoundService, findingsOf } from '../../../src/model/domain/detection.ts';
import { floorsBeside, smallestPool } from '../../../src/engine/introspect/smallestPool.ts';
import type { Seen } from '../../../src/engine/introspect/seen.ts';

const property = (name: string): Seen['variables'][number] => ({ name, place: null, property: name.toLowerCase().replaceAll('_', '.') });
const variables = ['SHOP_POOL_MAX_SIZE', 'SHOP_POOL_INITIAL_SIZE', 'SHOP_POOL_MIN_IDLE_TIME', 'OTHER_POOL_INITIAL_SIZE'].map(property);
const known = { title: '', because: 'tried', sure: true, seen: true } as const;
const findings: Finding[] = [
  {
    part: 'command',
    ...known,
    runtime: 'jvm',
    command: ['java', '-jar', 'shop.jar'],
    env: { LEVEL: '1' },
    requires: [],
    requiresCure: null,
  },
  {
    part: 'setting',
    ...known,
    name: 'pool',
    spec: { kind: 'number', label: 'Pool size', min: 1, max: 256, default: 10, env: 'SHOP_POOL_MAX_SIZE' },
  },
];
const shop: FoundService = { id: 'shop', label: 'shop', folder: '.', because: '', findings, driver: null, questions: [] };

/** A service whose pool begins with ten connections, unless a variable says otherwise. */
function started(size: number, env: Readonly<Record<string, string>>): Promise<void> {
  return Number(env['SHOP_POOL_INITIAL_SIZE'] ?? 10) > size ? Promise.reject(new Error('begins with too many')) : Promise.resolve();
}

describe('the smallest size of a pool', () => {
  it('is limited by variables beside the one of its size', () => {
    expect(floorsBeside('SHOP_POOL_MAX_SIZE', variables)).toEqual(['SHOP_POOL_INITIAL_SIZE']);
    expect(floorsBeside('POOL', variables)).toEqual([]);
  });

  it('is had by what the service needs for it, where it refuses to start without', async () => {
    const found = await smallestPool(shop, variables, started);
    expect(findingsOf(found === null ? [] : [found], 'command')).toMatchObject([{ env: { LEVEL: '1', SHOP_POOL_INITIAL_SIZE: '1' } }]);
  });

  it('is what it has today, where it refuses to start with less whatever it is told', async () => {
    const found = await smallestPool(shop, variables, () => Promise.reject(new Error('no')));
    expect(findingsOf(found === null ? [] : [found], 'setting')).toMatchObject([{ spec: { min: 10, default: 10 } }]);
  });

  it('is not asked for where it comes up, or nothing limits it', async () => {
    expect(await smallestPool(shop, variables, () => Promise.resolve())).toBeNull();
    expect(await smallestPool(shop, variables.slice(0, 1), () => Promise.reject(new Error('is not started')))).toBeNull();
  });
});

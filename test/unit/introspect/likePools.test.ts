import { expect, it } from 'vitest';
import { likePools } from '../../../src/engine/introspect/likePools.ts';

type Given = Parameters<typeof likePools>[0];
const pool = { kind: 'pg', name: 'shop at 127.0.0.1:5432', max: 7, total: 2, resizable: true };

function totalsOf(...processes: object[][]): number[] {
  const byProcess = new Map(processes.map((pools, pid) => [pid, { pools }]));
  return likePools({ byProcess } as unknown as Given).map(({ total }) => total);
}

it('pools that each process of a service has alike are one', () => {
  expect(totalsOf([pool], [pool], [], [{ ...pool, total: 1 }])).toEqual([5]);
});

it('pools of one process, and those that differ, stay apart', () => {
  expect(totalsOf([pool, pool])).toEqual([2, 2]);
  expect(totalsOf([pool], [{ ...pool, max: 8 }])).toEqual([2, 2]);
  expect(totalsOf([pool], [{ ...pool, name: 'reports' }])).toEqual([2, 2]);
});

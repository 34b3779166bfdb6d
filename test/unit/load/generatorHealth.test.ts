import { describe, expect, it } from 'vitest';
import { generatorHealth, saturationReasons } from '../../../src/engine/load/generatorHealth.ts';
import type { GeneratorUse } from '../../../src/engine/load/generatorHealth.ts';
import { loopbackAddress } from '../../../src/engine/load/loopback.ts';
import { FailureError } from '../../../src/model/failure.ts';

/** 32 connections, 1000 requests/s for 4 s at 31 ms: X·R̄/C = 0.97. */
const healthy: GeneratorUse = {
  windowMs: 4000,
  cpuUs: 1_000_000,
  eventLoopUtilisation: 0.3,
  connections: 32,
  requests: 4000,
  meanMs: 31,
  errors: 0,
};

function reasons(changes: Partial<GeneratorUse>): string[] {
  const use = { ...healthy, ...changes };
  return saturationReasons(generatorHealth(use), use);
}

describe('the load generator’s health', () => {
  it('is CPU of one core, event-loop utilisation and X·R̄/C', () => {
    const health = generatorHealth(healthy);
    expect(health.cpuPercent).toBe(25);
    expect(health.eventLoopUtilisation).toBe(0.3);
    expect(health.littleRatio).toBeCloseTo(0.96875, 6);
    expect(reasons({})).toEqual([]);
  });

  it('has no ratio when nothing was answered or measured', () => {
    expect(generatorHealth({ ...healthy, requests: 0, meanMs: null }).littleRatio).toBeNull();
    expect(generatorHealth({ ...healthy, windowMs: 0 })).toMatchObject({ cpuPercent: 0, littleRatio: null });
  });

  it('is bad from 90 % of a core on', () => {
    expect(reasons({ cpuUs: 3_590_000 })).toEqual([]);
    expect(reasons({ cpuUs: 3_600_000 })).toEqual([
      'The load generator used 90 % of a CPU core; from 90 % on it is the generator that is measured.',
    ]);
  });

  it('is bad from an event loop 90 % busy on', () => {
    expect(reasons({ eventLoopUtilisation: 0.89 })).toEqual([]);
    expect(reasons({ eventLoopUtilisation: 0.9 })).toHaveLength(1);
  });

  it('is bad when fewer than 90 % of the connections were in use, unless requests failed', () => {
    expect(reasons({ requests: 3500 })).toHaveLength(1);
    expect(reasons({ requests: 3500 })[0]).toContain('85 %');
    expect(reasons({ requests: 3500, errors: 1 })).toEqual([]);
  });

  it('is not called bad for requests that cross the edge of a short window', () => {
    // One request of 1 s per connection fits whole into 1.4 s: 0.71 by Little's law, and nobody's fault.
    expect(reasons({ windowMs: 1400, cpuUs: 0, connections: 8, requests: 8, meanMs: 1000 })).toEqual([]);
  });
});

describe('the loopback guard', () => {
  it.each([
    ['127.0.0.1', '127.0.0.1'],
    ['127.1.2.3', '127.1.2.3'],
    ['localhost', '127.0.0.1'],
    ['LOCALHOST', '127.0.0.1'],
    ['::1', '::1'],
    ['[::1]', '::1'],
  ])('lets %s through as %s', (host, address) => {
    expect(loopbackAddress(host)).toBe(address);
  });

  it.each([
    '0.0.0.0',
    '10.0.0.1',
    '192.168.1.4',
    'example.com',
    '127.0.0.1.example.com',
    '127.1',
    '0x7f000001',
    '2130706433',
    '::',
    '::ffff:10.0.0.1',
    '',
    'localhost.',
    '127.0.0.1:80',
    '127.0.0.1@evil',
  ])('refuses %j', (host) => {
    expect(() => loopbackAddress(host)).toThrow(FailureError);
  });
});

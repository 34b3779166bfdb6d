import { judgeBlock } from '../../../src/engine/statistics/judgement.ts';
import type { FindingCode } from '../../../src/model/domain/findingKinds.ts';
import { isOf } from '../../../src/model/domain/findings.ts';
import { noErrors } from '../../../src/model/domain/run.ts';
import { describe, expect, it } from 'vitest';
import { evenShares } from '../../../src/engine/load/closedLoop.ts';
import { type GeneratorUse, generatorHealth } from '../../../src/engine/load/generatorHealth.ts';
import { loopbackAddress, portAuthorities } from '../../../src/engine/load/loopback.ts';
import { FailureError } from '../../../src/model/domain/failure.ts';

/** 32 connections, 1000 requests/s for 4 s at 31 ms: X·R̄/C = 0.97. */
const healthy: GeneratorUse = {
  windowMs: 4000,
  cpuUs: 1_000_000,
  eventLoopUtilisation: 0.3,
  connections: 32,
  requests: 4000,
  inProgress: null,
  meanMs: 31,
  agesMs: [],
  thoughtMs: 0,
};

function reasons({ errors: failed = 0, ...changes }: Partial<GeneratorUse> & { errors?: number }): FindingCode[] {
  const use = { ...healthy, ...changes };
  const { windowMs, requests, meanMs: meanLatencyMs } = use;
  const errors = { ...noErrors, total: failed, other: failed };
  const evidence = { windowMs, requests, errors, meanLatencyMs, latencyReasons: [], ended: null, postgresRestarted: false };
  const { reasons: found } = judgeBlock({ ...evidence, generator: generatorHealth(use) });
  return found.filter((one) => isOf(one, 'generator-full', 'generator-idle')).map(({ code }) => code);
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
    expect(reasons({ cpuUs: 3_600_000 })).toEqual(['generator-cpu']);
  });

  it('is bad from an event loop 90 % busy on', () => {
    expect(reasons({ cpuUs: 2_000_000, eventLoopUtilisation: 0.89 })).toEqual([]);
    expect(reasons({ cpuUs: 2_000_000, eventLoopUtilisation: 0.9 })).toEqual(['generator-loop']);
  });

  it('is not bad for a busy event loop that mostly waits for a core', () => {
    expect(reasons({ cpuUs: 1_700_000, eventLoopUtilisation: 0.95 })).toEqual([]);
    expect(reasons({ cpuUs: 2_000_000, eventLoopUtilisation: 0.95 })).toEqual(['generator-loop']);
  });

  it('is bad when fewer than 90 % of the connections were in use, unless requests failed', () => {
    expect(reasons({ requests: 3500 })).toEqual(['generator-idle']);
    expect(reasons({ requests: 3500, errors: 1 })).toEqual([]);
  });

  it('counts the time for which connections think, and is bad where more is missing than that', () => {
    // 500 requests/s at 31 ms leave 32 connections 32.5 ms for each: 16.25 of them think on average.
    const thinking = { requests: 2000, thoughtMs: 2000 * 32.5 };
    expect(generatorHealth({ ...healthy, ...thinking }).littleRatio).toBeCloseTo(0.9922, 3);
    expect(reasons(thinking)).toEqual([]);
    expect(reasons({ ...thinking, thoughtMs: 2000 * 20 })).toHaveLength(1);
  });

  it('is not called bad for connections that wait in the app’s backlog all the time', () => {
    const half = { requests: 2000, agesMs: Array.from({ length: 16 }, () => 5000) };
    expect(reasons(half)).toEqual([]);
    expect(reasons({ ...half, agesMs: Array.from({ length: 16 }, () => 31) })).toHaveLength(1);
  });

  it('is not called bad for requests that cross the edge of a short window', () => {
    // One request of 1 s per connection fits whole into 1.4 s: 0.71 by Little's law, and nobody's fault.
    expect(reasons({ windowMs: 1400, cpuUs: 0, connections: 8, requests: 8, meanMs: 1000 })).toEqual([]);
  });
});

describe('the shares of several ports', () => {
  it('differ by one at the most', () => {
    expect(evenShares(33, 2)).toEqual([17, 16]);
    expect(evenShares(64, 3)).toEqual([22, 21, 21]);
    expect(evenShares(1, 2)).toEqual([1, 0]);
  });

  it('go to loopback only', () => {
    expect(portAuthorities('localhost', [80, 81]).map(({ authority }) => authority)).toEqual(['127.0.0.1:80', '127.0.0.1:81']);
    expect(portAuthorities('::1', [80])[0]).toEqual({ host: '::1', port: 80, authority: '[::1]:80' });
    expect(() => portAuthorities('192.0.2.1', [80])).toThrow(FailureError);
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

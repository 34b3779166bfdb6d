import { expect, it } from 'vitest';
import { diagnose } from '../../../src/engine/diagnose/diagnose.ts';
import { wordedVerdict } from '../../support/wordedVerdict.ts';
import { nodeSignals, pool, signals } from './exampleSignals.ts';

it('does not blame a proxy for what does not reach the app while the machine is full', () => {
  const before = {
    connections: 64,
    inFlight: 0,
    appCpuPercent: 2,
    pgCpuPercent: 0,
    eventLoop: 0.02,
    proxy: { cpuPercent: 60, workers: 1 },
  };
  expect(diagnose(nodeSignals(before)).kind).toBe('proxy');
  expect(
    diagnose(nodeSignals({ ...before, proxy: { cpuPercent: 85, workers: 1 }, generator: { cpuPercent: 89, loop: 0.89, littleRatio: 1 } }))
      .kind,
  ).not.toBe('proxy');
});

it('blames a proxy that used all of its share of the CPU, however full the machine is', () => {
  const limited = nodeSignals({
    connections: 8,
    inFlight: 1,
    cores: 2,
    interferenceShare: 0.7,
    appCpuPercent: 7.6,
    pgCpuPercent: 0.6,
    eventLoop: 0.08,
    generator: { cpuPercent: 34, loop: 0.3, littleRatio: 1 },
    proxy: { cpuPercent: 14.8, workers: 1, cores: 0.15 },
  });
  const { kind, headline } = wordedVerdict(diagnose(limited));
  expect(kind).toBe('proxy');
  expect(headline).toContain('its 1 worker used 99 % of 0.150 cores, and the app');
  const wide = diagnose({ ...limited, inFlight: 6, proxy: { cpuPercent: 14.8, workers: 1, cores: 1 } });
  expect(wide.kind).not.toBe('proxy');
});

it('never says that more descriptors are open than there may be, though inherited ones can be beyond the limit', () => {
  const { headline, evidence } = wordedVerdict(diagnose(signals({ descriptors: { open: 49, limit: 48 } })));
  expect(headline).toBe('The app may open no more files: 48 of 48 descriptors were in use.');
  expect(evidence[0]).toMatchObject({ value: '48 of 48', met: true });
});

it('explains connections that were never answered by files that could not be opened, and a saturated generator by nothing', () => {
  const unanswered = { code: 'generator-idle', value: 0.773, limit: 0.9 } as const;
  const few = { descriptors: { open: 64, limit: 64 } };
  expect(diagnose(signals({ ...few, discardReasons: [unanswered] })).kind).toBe('descriptors');
  expect(diagnose(signals({ ...few, discardReasons: [{ code: 'generator-cpu', value: 95, limit: 90 }] })).kind).toBe('invalid');
  expect(diagnose(signals({ discardReasons: [unanswered] })).kind).toBe('invalid');
});

it('takes no pool with free connections for a queue before another service', () => {
  const slow = {
    connections: 16,
    throughput: 155,
    meanMs: 103,
    appCpuPercent: 10,
    pgCpuPercent: 0,
    generator: { cpuPercent: 8, loop: 0.08, littleRatio: 1 },
    pool: null,
    threads: null,
    eventLoop: 0.1,
  };
  const outbound = pool({ name: 'documents', max: 64, busy: 14.5, pending: 1.2, waitMs: 7, holdMs: 101 });
  expect(diagnose(nodeSignals({ ...slow, outbound })).kind).toBe('outbound-service');
  expect(diagnose(nodeSignals({ ...slow, outbound: { ...outbound, max: 14 } })).kind).not.toBe('outbound-service');
});

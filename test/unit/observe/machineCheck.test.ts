import releases from '../../../src/engine/observe/postgresReleases.json' with { type: 'json' };
import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { type CheckResult, checkResultSchema } from '../../../src/model/protocol/protocol.ts';
import { k6Cure } from '../../../src/engine/k6/k6Generator.ts';
import { type MachineFacts, checkMachine, judgeMachine, majorVersion } from '../../../src/engine/observe/machineCheck.ts';

const gibibyte = 1024 ** 3;
const good: MachineFacts = {
  platform: 'linux',
  machineCores: 8,
  cores: 8,
  freeMemoryBytes: 8 * gibibyte,
  totalMemoryBytes: 16 * gibibyte,
  freeDiskBytes: 50 * gibibyte,
  load1: 0.2,
  interference: { takenPercent: 1, stealPercent: 0.5, otherPercent: 0.5 },
  throttledPeriods: 0,
  pressurePercent: 0.5,
  governor: 'performance',
  openFiles: 65_536,
  ephemeralPorts: 28_232,
  hasSetpriv: true,
  tools: { node: 'v20.20.0', java: '21.0.2', maven: '3.9.9', postgres: `18.${releases.newest['18']}` },
};

function find(changes: Partial<MachineFacts>, id: string): CheckResult | undefined {
  return judgeMachine({ ...good, ...changes }).find((check) => check.id === id);
}

describe('the check of a machine', () => {
  it('finds nothing wrong with a good one', () => {
    const checks = judgeMachine(good);
    expect(checks.map((check) => check.status)).toEqual(new Array(checks.length).fill('ok'));
    expect(checks.length).toBeGreaterThanOrEqual(14);
    expect(checks.every((check) => check.cure === null)).toBe(true);
  });

  it.each<[id: string, status: CheckResult['status'], changes: Partial<MachineFacts>, message: string]>([
    ['cores', 'warning', { cores: 1 }, '1 core'],
    ['memory', 'error', { freeMemoryBytes: 100 * 1024 ** 2 }, '100 MiB'],
    ['memory', 'warning', { freeMemoryBytes: gibibyte }, '1.0 GiB'],
    ['disk', 'error', { freeDiskBytes: 1024 ** 2 }, '1.0 MiB'],
    ['load', 'disturbed', { load1: 5 }, '5.00'],
    ['steal', 'disturbed', { interference: { takenPercent: 7, stealPercent: 7, otherPercent: 0 } }, '7.00 %'],
    ['others', 'disturbed', { interference: { takenPercent: 25, stealPercent: 0, otherPercent: 25 } }, '25.0 %'],
    ['pressure', 'disturbed', { pressurePercent: 40 }, '40.0 %'],
    ['governor', 'warning', { governor: 'powersave' }, 'powersave'],
    ['openFiles', 'error', { openFiles: 256 }, '256'],
    ['openFiles', 'warning', { openFiles: 1024 }, '1,024'],
    ['ports', 'warning', { ephemeralPorts: 500 }, '500'],
    ['node', 'error', { tools: { ...good.tools, node: 'v18.19.0' } }, 'v18.19.0'],
    ['java', 'warning', { tools: { ...good.tools, java: null } }, 'No Java'],
    ['java', 'warning', { tools: { ...good.tools, java: '1.8.0_402' } }, 'too old'],
    ['maven', 'warning', { tools: { ...good.tools, maven: null } }, 'No Maven'],
    ['postgres', 'error', { tools: { ...good.tools, postgres: null } }, 'No PostgreSQL'],
    ['postgres', 'warning', { tools: { ...good.tools, postgres: '18.0' } }, `18.${releases.newest['18']}`],
    ['postgres', 'warning', { tools: { ...good.tools, postgres: '13.9', postgresBundled: true } }, 'no security fixes any more'],
    ['setpriv', 'warning', { hasSetpriv: false }, 'setpriv'],
  ])('of %s gives a(n) %s with the figure and a cure', (id, status, changes, message) => {
    const check = find(changes, id);
    expect(check?.status).toBe(status);
    expect(check?.message).toContain(message);
    expect(check?.cure).toMatch(/^[A-Z].*\.$/);
  });

  it('says how to get a k6 where there is none, and of one that is there only its version', () => {
    const ofVersion = (version: string | null): string =>
      find({ tools: { ...good.tools, k6: { version, cure: k6Cure } } }, 'k6')?.message ?? '';
    expect(ofVersion(null)).toMatch(/module go\.k6\.io\/k6\/v2, version v2\.2\.0.* the setting benchside\.k6\.path/);
    expect(ofVersion('v2.2.0')).toBe('k6 2.2.0.');
  });

  it('takes a container’s CPU limit for the machine’s size', () => {
    expect(find({ cores: 1.5, throttledPeriods: 12 }, 'limit')).toMatchObject({
      status: 'ok',
      message: '1.50 cores of 8 may be used; that is this machine’s size. It was reached in 12 periods.',
    });
    expect(find({ cores: 1.5 }, 'cores')?.status).toBe('warning');
  });

  it('leaves out what a platform does not tell', () => {
    const ids = judgeMachine({
      ...good,
      platform: 'win32',
      interference: null,
      throttledPeriods: null,
      pressurePercent: null,
      openFiles: null,
      ephemeralPorts: null,
      hasSetpriv: false,
    }).map((check) => check.id);
    expect(ids).not.toContain('steal');
    expect(ids).not.toContain('setpriv');
    expect(ids).toContain('cores');
  });

  it('reads versions as they are printed', () => {
    expect([
      majorVersion('21.0.2'),
      majorVersion('1.8.0_402'),
      majorVersion('v20.20.0'),
      majorVersion('openjdk 17.0.1'),
      majorVersion('?'),
    ]).toEqual([21, 8, 20, 17, null]);
  });

  it('of this very machine gives results of the agreed shape, and can be aborted', async () => {
    const options = { storageDir: tmpdir(), tools: good.tools };
    const checks = await checkMachine({ ...options, meanwhile: () => Promise.resolve() });
    for (const check of checks) expect(checkResultSchema.parse(check)).toEqual(check);
    expect(checks.map((check) => check.id)).toContain('disk');
    await expect(checkMachine({ ...options, signal: AbortSignal.timeout(20) })).rejects.toThrow();
  });
});

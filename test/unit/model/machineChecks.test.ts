import { describe, expect, it } from 'vitest';
import { type MachineFacts, type PostgresRelease, machineFactsSchema } from '../../../src/model/domain/machineFacts.ts';
import { type MachineCheck, machineChecks, resolutionText } from '../../../src/model/presentation/machineChecks.ts';

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
  tools: {
    node: 'v20.20.0',
    java: '21.0.2',
    maven: '3.9.9',
    postgres: { version: '18.6', bundled: false, release: { kind: 'newest' }, knownOn: '2026-11-12' },
    git: '2.47.1',
    k6: { version: 'v2.2.0', cure: 'Install k6.' },
    pgbouncer: { version: '1.24.1', cure: 'Install PgBouncer.' },
  },
};

/** The same machine with another program. */
function having(tools: Partial<MachineFacts['tools']>): Partial<MachineFacts> {
  return { tools: { ...good.tools, ...tools } };
}

function ofPostgres(version: string, release: PostgresRelease, bundled = false): Partial<MachineFacts> {
  return having({ postgres: { version, bundled, release, knownOn: '2026-11-12' } });
}

function find(changes: Partial<MachineFacts>, id: string): MachineCheck | undefined {
  return machineChecks({ machine: { ...good, ...changes }, unmeasured: null }).find((check) => check.id === id);
}

describe('the check of a machine', () => {
  it('finds nothing wrong with a good one', () => {
    const checks = machineChecks({ machine: good, unmeasured: null });
    expect(checks.map((check) => check.status)).toEqual(new Array(checks.length).fill('ok'));
    expect(checks.length).toBeGreaterThanOrEqual(14);
    expect(checks.every((check) => check.cure === null)).toBe(true);
  });

  it.each<[id: string, status: MachineCheck['status'], changes: Partial<MachineFacts>, message: string]>([
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
    ['node', 'error', having({ node: 'v18.19.0' }), 'v18.19.0'],
    ['java', 'warning', having({ java: null }), 'No Java'],
    ['java', 'warning', having({ java: '1.8.0_402' }), 'too old'],
    ['maven', 'warning', having({ maven: null }), 'No Maven'],
    ['postgres', 'error', having({ postgres: null }), 'No PostgreSQL'],
    [
      'postgres',
      'warning',
      ofPostgres('18.0', { kind: 'behind', newest: '18.6', releases: 6 }),
      '6 releases since, of which 18.6 (12 November 2026)',
    ],
    ['postgres', 'warning', ofPostgres('13.9', { kind: 'unsupported' }, true), 'no security fixes any more'],
    ['setpriv', 'warning', { hasSetpriv: false }, 'setpriv'],
  ])('of %s gives a(n) %s with the figure and a cure', (id, status, changes, message) => {
    const check = find(changes, id);
    expect(check?.status).toBe(status);
    expect(check?.message).toContain(message);
    expect(check?.cure).toMatch(/^[A-Z].*\.$/);
  });

  it.each<[id: string, changes: Partial<MachineFacts>, message: string]>([
    ['postgres', {}, 'PostgreSQL 18.6: the newest release known here (12 November 2026).'],
    ['postgres', having({ postgres: { version: 'external', bundled: false, release: null, knownOn: '' } }), 'PostgreSQL external.'],
    ['node', {}, 'Node 20.20.0.'],
    ['java', {}, 'Java 21.0.2.'],
    ['git', {}, 'Git 2.47.1.'],
    ['git', having({ git: null }), 'None, which only comparing versions of the code needs. Install Git for that.'],
    ['k6', {}, 'k6 2.2.0.'],
    ['k6', having({ k6: { version: null, cure: 'Install k6.' } }), 'None, which only --generator k6 needs. Install k6.'],
    ['pgbouncer', {}, 'PgBouncer 1.24.1.'],
    [
      'pgbouncer',
      having({ pgbouncer: { version: null, cure: 'Install it.' } }),
      'None, which only a target behind PgBouncer needs. Install it.',
    ],
  ])('has the version of %s, or what it is needed for', (id, changes, message) => {
    expect(find(changes, id)).toMatchObject({ status: 'ok', message });
  });

  it('takes a container’s CPU limit for the machine’s size', () => {
    expect(find({ cores: 1.5, throttledPeriods: 12 }, 'limit')).toMatchObject({
      status: 'ok',
      message: '1.50 cores of 8 may be used; that is this machine’s size. It was reached in 12 periods.',
    });
    expect(find({ cores: 1.5 }, 'cores')?.status).toBe('warning');
  });

  it('leaves out what a platform does not tell', () => {
    const ids = machineChecks({
      unmeasured: null,
      machine: {
        ...good,
        platform: 'win32',
        interference: null,
        throttledPeriods: null,
        pressurePercent: null,
        openFiles: null,
        ephemeralPorts: null,
        hasSetpriv: false,
      },
    }).map((check) => check.id);
    expect(ids).not.toContain('steal');
    expect(ids).not.toContain('setpriv');
    expect(ids).toContain('cores');
  });

  it.each(['8.0_402', '1.8.0_402', '16', 'openjdk 16.0.1'])('finds Java %s too old, however it is printed', (java) => {
    expect(find(having({ java }), 'java')?.status).toBe('warning');
  });

  it('begins with why the differences were not measured', () => {
    const unmeasured = { code: 'machine-not-measured', message: 'They were not.', cure: 'Check again.' } as const;
    const [first, ...others] = machineChecks({ machine: good, unmeasured });
    expect(first).toMatchObject({ id: 'resolution', status: 'warning', message: 'They were not.', cure: 'Check again.' });
    expect(others).toEqual(machineChecks({ machine: good, unmeasured: null }));
  });

  it('is the same after a message', () => {
    expect(machineFactsSchema.parse(JSON.parse(JSON.stringify(good)))).toEqual(good);
  });
});

describe('what a machine can tell apart', () => {
  it.each([
    [0.02, null, 'As it is now, this machine can resolve differences above 0.5 % within a minute, beside what the app itself varies.'],
    [
      1.01,
      0.3,
      'As it is now, this machine can resolve differences above 1.5 % within a minute, beside what the app itself varies. There was hardly any interference.',
    ],
    [
      2.1,
      17,
      'As it is now, this machine can resolve differences above 3 % within a minute, beside what the app itself varies. Interference took 17.0 % of its CPU meanwhile.',
    ],
    [80, null, 'As it is now, this machine distinguishes settings only where one is more than half as fast again as the other.'],
  ])('says %s %% as it can be said', (percent, taken, sentence) => {
    const interference = taken === null ? null : { takenPercent: taken, stealPercent: 0, otherPercent: taken };
    expect(resolutionText({ differencePercent: percent, interference })).toBe(sentence);
  });
});

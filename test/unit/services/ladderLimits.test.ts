import { describe, expect, it } from 'vitest';
import { descriptorLimits, parseDescriptorLimits } from '../../../src/engine/limits/descriptorLimits.ts';
import { type LadderDemand, type MachineLimits, checkLadderLimits, machineLimits } from '../../../src/engine/limits/ladderLimits.ts';

const machine: MachineLimits = { descriptors: { soft: 1024, hard: 20_000 }, ephemeralPorts: 28_232, acceptQueue: 4096, synQueue: 2048 };
const demand: LadderDemand = { connections: 2048, instances: 1, throughProxy: false, maxConnections: 400, poolTotal: 60 };

async function failing(changed: Partial<LadderDemand>, changedMachine: Partial<MachineLimits> = {}): Promise<string[]> {
  return (await checkLadderLimits({ ...demand, ...changed }, { ...machine, ...changedMachine })).map(({ code }) => code);
}

describe('the limits of a ladder', () => {
  it('are kept by one that fits', async () => {
    expect(await failing({})).toEqual([]);
  });

  it('are broken by files: a proxy needs two for each client', async () => {
    const room = { acceptQueue: 65_536, synQueue: 65_536 };
    expect(await failing({ connections: 9_950, throughProxy: true }, room)).toEqual([]);
    expect(await failing({ connections: 9_951, throughProxy: true }, room)).toEqual(['open-files']);
    expect(await failing({ connections: 19_840 }, room)).toEqual([]);
    expect(await failing({ connections: 19_841 }, room)).toEqual(['open-files']);
    const [files] = await checkLadderLimits({ ...demand, connections: 12_000, throughProxy: true }, machine);
    expect(files).toEqual({ code: 'open-files', of: 'proxy', connections: 12_000, needed: 24_100, allowed: 20_000, fitting: 9_950 });
  });

  it('are broken by ports and queues only per listening port: instances share them, a proxy does not', async () => {
    const many = { descriptors: { soft: 1, hard: 1_000_000 } };
    expect(await failing({ connections: 4096, instances: 2 }, many)).toEqual([]);
    expect(await failing({ connections: 4096, instances: 2, throughProxy: true }, many)).toEqual(['listen-backlog']);
    expect(await failing({ connections: 30_000 }, { ...many, acceptQueue: 65_536, synQueue: 65_536 })).toEqual(['ephemeral-ports']);
    const backlog = (await checkLadderLimits({ ...demand, connections: 3000 }, machine)).find(({ code }) => code === 'listen-backlog');
    expect(backlog).toMatchObject({ needed: 3000, allowed: 2048, queues: ['net.ipv4.tcp_max_syn_backlog'] });
  });

  it('are broken by pools that PostgreSQL has no room for, and there are none without PostgreSQL', async () => {
    expect(await failing({ poolTotal: 392 })).toEqual([]);
    expect(await failing({ poolTotal: 393 })).toEqual(['database-connections']);
    expect(await failing({ poolTotal: 393, maxConnections: null })).toEqual([]);
  });

  it('say nothing where the machine does not tell', async () => {
    const silent = { descriptors: null, ephemeralPorts: null, acceptQueue: null, synQueue: null };
    expect(await checkLadderLimits({ ...demand, maxConnections: null }, silent)).toEqual([]);
  });
});

describe.runIf(process.platform === 'linux')('what this machine tells', () => {
  it('is numbers that make sense, and the same of open files by /proc and by Node’s report', async () => {
    const limits = await machineLimits();
    expect(limits.ephemeralPorts).toBeGreaterThan(1000);
    expect(limits.acceptQueue).toBeGreaterThan(0);
    const reported = (process.report.getReport() as { userLimits: { open_files: { hard: string } } }).userLimits.open_files;
    expect(String(descriptorLimits()?.hard)).toBe(String(reported.hard));
  });
});

it('a limit of open files that is none is more than any number', () => {
  expect(parseDescriptorLimits('Max open files            1024                 unlimited            files\n')).toEqual({
    soft: 1024,
    hard: Number.MAX_SAFE_INTEGER,
  });
  expect(parseDescriptorLimits('nothing')).toBeNull();
});

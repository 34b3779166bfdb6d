import type { ChildProcess } from 'node:child_process';
import { fork } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Observation, ProcessUse } from '../../src/model/observation.ts';
import { observationSchema } from '../../src/model/observation.ts';
import type { SamplerOptions } from '../../src/engine/observe/sampler.ts';
import { Sampler } from '../../src/engine/observe/sampler.ts';
import { waitFor } from '../support/waitFor.ts';

/** A process that uses about 40 % of a core, tells its own CPU time when asked, and on request runs a child that uses 200 ms and ends. */
const program = `
import { spawnSync } from 'node:child_process';
const burn = (ms) => { const end = performance.now() + ms; while (performance.now() < end); };
setInterval(() => burn(20), 50);
process.on('message', (message) => {
  if (message === 'child') {
    const code = 'const end = process.cpuUsage().user + 200000; while (process.cpuUsage().user < end);process.stdout.write(JSON.stringify(process.cpuUsage()))';
    const { stdout } = spawnSync(process.execPath, ['-e', code]);
    const { user, system } = JSON.parse(stdout.toString());
    process.send({ childUs: user + system });
    return;
  }
  const { user, system } = process.cpuUsage();
  process.send({ us: user + system });
});
process.send('ready');
`;

const onLinux = process.platform === 'linux';
const origin = performance.now();
const now = (): number => performance.now() - origin;
let folder: string;
const started: ChildProcess[] = [];
const samplers: Sampler[] = [];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'observe-'));
  writeFileSync(join(folder, 'busy.mjs'), program);
});
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => {
  for (const sampler of samplers.splice(0)) sampler.stop();
  for (const child of started.splice(0)) child.kill('SIGKILL');
});

async function startBusy(): Promise<{ child: ChildProcess; pid: number }> {
  const child = fork(join(folder, 'busy.mjs'));
  started.push(child);
  await new Promise((resolve) => child.once('message', resolve));
  return { child, pid: child.pid ?? 0 };
}

async function ask(child: ChildProcess, question: string): Promise<Record<string, number>> {
  const answer = new Promise<Record<string, number>>((resolve) => child.once('message', resolve as (message: unknown) => void));
  child.send(question);
  return await answer;
}

function sample(options: Partial<SamplerOptions> & Pick<SamplerOptions, 'roots'>): { sampler: Sampler; samples: Observation[] } {
  const sampler = new Sampler({ trialKey: () => null, now, ...options });
  const samples: Observation[] = [];
  samplers.push(sampler);
  sampler.start((observation) => samples.push(observation));
  return { sampler, samples };
}

describe.runIf(onLinux)('the sampler on real processes', () => {
  it('tells CPU, memory, threads and switches of the app once a second, on the second', async () => {
    const { pid } = await startBusy();
    const { samples, sampler } = sample({ roots: () => ({ app: [pid], postgres: [], generator: [] }), trialKey: () => 'java pool=8' });
    await waitFor(() => samples.length >= 3);
    for (const observation of samples) {
      expect(observationSchema.parse(observation)).toEqual(observation);
      expect(observation.trialKey).toBe('java pool=8');
    }
    const [, second, third] = samples;
    expect(third?.windowMs).toBeCloseTo((third?.timeMs ?? 0) - (second?.timeMs ?? 0), 6);
    // A busy machine wakes some timers late, not all of them; and a timer may fire a fraction of a millisecond early.
    expect(samples.some(({ timeMs }) => Math.abs(timeMs - 1000 * Math.round(timeMs / 1000)) < 250)).toBe(true);
    expect(third?.app?.cpuPercent).toBeGreaterThan(5);
    expect(third?.app?.cpuPercent).toBeLessThan(250);
    expect(third?.app?.rssBytes).toBeGreaterThan(20e6);
    expect(third?.app?.rssBytes).toBeLessThan(500e6);
    expect(third?.app?.threads).toBeGreaterThan(3);
    expect(third?.app?.processes).toBe(1);
    expect(third?.app?.voluntarySwitches).toBeGreaterThan(3);
    expect(third?.app?.descriptors).toBe(readdirSync(`/proc/${pid}/fd`).length);
    expect(third?.app?.descriptorLimit).toBeGreaterThan(third?.app?.descriptors ?? 0);
    expect(third?.postgres?.descriptors ?? null).toBeNull();
    expect(third?.instances).toEqual([]);
    expect(third?.postgres).toBeNull();
    expect(third?.host?.cpuPercent).toBeGreaterThan(0);
    expect(third?.host?.cpuPercent).toBeLessThanOrEqual(100);
    expect(third?.host?.freeMemoryBytes).toBeGreaterThan(1e6);
    expect(third?.host?.userPercent).toBeGreaterThan(0);
    expect((third?.host?.userPercent ?? 0) + (third?.host?.systemPercent ?? 0)).toBeCloseTo(third?.host?.cpuPercent ?? 0, 6);
    expect(third?.host?.idlePercent).toBeLessThan(100);
    expect(third?.host?.contextSwitchesPerS).toBeGreaterThan((third?.app?.voluntarySwitches ?? 0) / 2);
    expect(sampler.costMs).toBeGreaterThan(0);
  });

  it('tells of each instance by itself when several are under load, and of all together', async () => {
    const pids = [(await startBusy()).pid, (await startBusy()).pid];
    const { samples, sampler } = sample({ roots: () => ({ app: pids, postgres: [], generator: [] }) });
    await waitFor(() => samples.length >= 2);
    const [, second] = samples;
    expect(second?.instances.map(({ pid }) => pid)).toEqual(pids);
    const sum = (value: (use: ProcessUse) => number | null): number =>
      (second?.instances ?? []).reduce((total, use) => total + (value(use) ?? Number.NaN), 0);
    expect(second?.app?.processes).toBe(2);
    expect(second?.app?.cpuPercent).toBeCloseTo(
      sum(({ cpuPercent }) => cpuPercent),
      6,
    );
    expect(second?.app?.voluntarySwitches).toBe(sum(({ voluntarySwitches }) => voluntarySwitches));
    // Both have Node's own pages, which are there once.
    expect(second?.app?.rssBytes).toBeLessThan(sum(({ rssBytes }) => rssBytes));
    expect(second?.app?.descriptors).toBe(Math.max(...(second?.instances ?? []).map(({ descriptors }) => descriptors ?? 0)));
    expect(sampler.costMs).toBeLessThan(100);
  });

  it('follows the load from one process to the next, and goes on when a process dies', async () => {
    const [first, second] = [await startBusy(), await startBusy()];
    let app: number[] | null = [first.pid];
    const { samples } = sample({ roots: () => ({ app, postgres: [second.pid], generator: [first.pid + 1_000_000] }) });
    await waitFor(() => samples.length >= 1);
    expect(samples[0]?.generator).toBeNull();
    app = [second.pid];
    first.child.kill('SIGKILL');
    const before = samples.length;
    await waitFor(() => samples.length >= before + 2);
    expect(samples.at(-1)?.app?.processes).toBe(1);
    app = null;
    const moved = samples.length;
    await waitFor(() => samples.length >= moved + 2);
    expect(samples.at(-1)?.app).toBeNull();
    expect(samples.at(-1)?.postgres?.processes).toBe(1);
  });

  it('gives no sample after it was stopped', async () => {
    const { samples, sampler } = sample({ roots: () => ({ app: null, postgres: [], generator: [] }) });
    await waitFor(() => samples.length >= 1);
    sampler.stop();
    const count = samples.length;
    const later = now() + 1200;
    await waitFor(() => now() > later);
    expect(samples.length).toBe(count);
  });

  it('gives samples without sessions when PostgreSQL fails or hangs', async () => {
    let calls = 0;
    const sessions = (): Promise<null> => {
      calls += 1;
      return calls === 1 ? Promise.reject(new Error('gone')) : new Promise(() => undefined);
    };
    const { samples } = sample({ roots: () => ({ app: null, postgres: [], generator: [] }), sessions });
    await waitFor(() => samples.length >= 3);
    expect(samples.every((observation) => observation.sessions === null)).toBe(true);
    expect(calls).toBe(2);
  });

  it('has exact differences of CPU time: as much as the process itself counts, ended children too', async () => {
    const { child, pid } = await startBusy();
    const { sampler } = sample({ roots: () => ({ app: [pid], postgres: [], generator: [] }) });
    const measure = async (): Promise<[outside: number, inside: number]> => [
      (await sampler.cpuTimeUs([pid])) ?? 0,
      (await ask(child, 'time'))['us'] ?? 0,
    ];
    const [outsideBefore, insideBefore] = await measure();
    const { childUs = 0 } = await ask(child, 'child');
    const until = now() + 1500;
    await waitFor(() => now() > until);
    const [outsideAfter, insideAfter] = await measure();
    const inside = insideAfter - insideBefore + childUs;
    expect(childUs).toBeGreaterThanOrEqual(200_000);
    expect(Math.abs(outsideAfter - outsideBefore - inside)).toBeLessThan(0.1 * inside + 40_000);
    expect(await sampler.cpuTimeUs([pid + 1_000_000])).toBeNull();
  });
});

describe('the sampler where there is no /proc', () => {
  it('says so once, and gives samples that hold only sessions', async () => {
    const answer = { total: 3, byState: { idle: 3 }, byWait: {} };
    const { samples, sampler } = sample({
      roots: () => ({ app: [1], postgres: [], generator: [] }),
      sessions: () => Promise.resolve(answer),
      procDir: join(folder, 'none'),
    });
    expect(sampler.note).toContain('/proc');
    await waitFor(() => samples.length >= 1);
    expect(samples[0]).toMatchObject({ app: null, host: null, sessions: answer });
    expect(await sampler.cpuTimeUs([process.pid])).toBeNull();
  });
});

import { chmodSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { noteTexts } from '../../src/model/presentation/runNotes.ts';
import { appTarget, failureOf, removeTemporaryFolders, temporaryFolder, TestEngine } from '../support/engine.ts';
import { waitFor } from '../support/waitFor.ts';
import { slowHalf } from '../support/testTags.ts';

let engine: TestEngine;
let temporaryDir: string;
beforeAll(async () => {
  temporaryDir = temporaryFolder('tmp');
  // PostgreSQL may run as another user.
  chmodSync(temporaryDir, 0o755);
  const fixed = appTarget('fixed', 'steadyService.mjs', { port: { fixed: 4190 } });
  engine = await TestEngine.start({ env: { TMPDIR: temporaryDir }, file: { targets: [appTarget('app', 'steadyService.mjs'), fixed] } });
});
// Whatever happened: no nginx, no instance and no folder of either is left; PostgreSQL stays for the next run.
afterEach(async () => {
  await waitFor(() => names().every((name) => name === 'postgres'), { what: 'no process of the run is left' });
  expect(runFolders()).toEqual([]);
});
afterAll(async () => {
  await engine.dispose();
  removeTemporaryFolders();
});

/** What the processes are called that the engine has started, itself left out. */
function names(): string[] {
  return engine.processes().flatMap(({ pid }) => {
    try {
      return pid === engine.client.pid ? [] : [readFileSync(`/proc/${pid}/comm`, 'utf8').trim()];
    } catch {
      return [];
    }
  });
}

function runFolders(): string[] {
  return readdirSync(temporaryDir).filter((name) => name.startsWith('benchside-run-'));
}

const slow = 60_000;
const nginx = { balance: 'least-conn' } as const;

describe('a run with several instances behind nginx', () => {
  it('shares the load and the database connections among them, and tells what each did', { timeout: slow, ...slowHalf }, async () => {
    const run = await engine.run({
      targets: ['app'],
      load: 'brief',
      durationS: 2.5,
      rounds: 1,
      settings: { instances: [2] },
      raw: {},
      topology: { proxy: nginx, totalConnections: 10, cpuShare: 0.5 },
    });
    const [trial] = run.trials;
    if (trial?.instances === undefined || run.raw === undefined) throw new Error('nothing is known of its instances');
    expect(trial).toMatchObject({ settings: { instances: 2, pool: 5 }, errors: { total: 0 } });
    const log = readFileSync(path.join(engine.workspaceDir, '.benchside', 'runs', run.id, 'process-1.log'), 'utf8');
    expect(log.match(/listening with pool 5/g)).toHaveLength(2);

    const served = trial.instances.map(({ requestsPerSecond }) => requestsPerSecond ?? 0);
    expect(trial.instances).toHaveLength(2);
    for (const one of served) expect(one).toBeGreaterThan(trial.throughput.mean * 0.2);
    // The probes count at the edges of the window, the generator within it.
    const ofAll = served.reduce((sum, one) => sum + one, 0) / trial.throughput.mean;
    expect(ofAll).toBeGreaterThan(0.8);
    expect(ofAll).toBeLessThan(1.3);
    for (const { cpuPercent, rssBytes } of trial.instances) {
      expect(rssBytes).toBeGreaterThan(10_000_000);
      // Half a core, where this machine lets anybody limit it; else the run says that it does not.
      if (!run.notes.some(({ code }) => code === 'cpu-unlimited')) expect(cpuPercent).toBeLessThan(75);
    }
    expect(trial.proxy?.cpuPercent).toBeGreaterThan(0);
    expect(run.request.topology?.proxy).toMatchObject({ balance: 'least-conn', upstreamKeepAlive: true });
    expect(noteTexts(run.notes)).toContain(
      'Topology: behind nginx (least connections, connections to the instances kept open), at most 0.5 cores for each process, 10 database connections for all instances together.',
    );

    // Each request that was kept has its line in the proxy's log.
    expect(run.raw.proxyLogs).toEqual(['proxy-1.jsonl']);
    const lines = readFileSync(path.join(engine.workspaceDir, '.benchside', 'runs', run.id, 'proxy-1.jsonl'), 'utf8')
      .trim()
      .split('\n');
    expect(lines.length).toBeGreaterThanOrEqual(run.raw.rows);
    await engine.request('raw/load', { runId: run.id });
    const { rows, columns } = await engine.request('raw/query', { runId: run.id, view: 'where_time_goes', limit: 5 });
    const proxyMs = rows[0]?.[columns.findIndex(({ name }) => name === 'proxy_ms')];
    expect(proxyMs).not.toBeNull();
    expect(proxyMs).toBeDefined();
  });

  it('leaves neither nginx nor instances when it is cancelled', { timeout: slow }, async () => {
    const running = engine.measure({
      kind: 'run',
      targets: ['app'],
      load: 'brief',
      durationS: 60,
      settings: { instances: [2] },
      topology: { proxy: nginx },
    });
    await waitFor(() => names().filter((name) => name === 'nginx').length >= 2, { timeoutMs: 20_000, what: 'nginx runs' });
    await engine.request('run/cancel', {});
    expect(await running).toMatchObject({ outcome: 'cancelled', stored: false });
  });

  it('is refused, with what would do, where it cannot be', { timeout: slow }, async () => {
    const start = (more: object): Promise<unknown> => engine.measure({ kind: 'run', targets: ['app'], load: 'brief', ...more });
    expect((await failureOf(engine.measure({ kind: 'run', targets: ['fixed'], load: 'brief', settings: { instances: [2] } }))).code).toBe(
      'port-fixed',
    );
    expect((await failureOf(start({ settings: { instances: [2], pool: [4] }, topology: { totalConnections: 8 } }))).code).toBe(
      'setting-value',
    );
    const none = await failureOf(start({ topology: { proxy: { staticFiles: true } } }));
    expect(none.code).toBe('static-folder-missing');
  });
});

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chooseEvent, eventTotal, functionTable } from '../../src/calltree/totals.ts';
import type { LoadGenerator } from '../../src/engine/load/loadGenerator.ts';
import { Supervisor } from '../../src/engine/supervise/supervisor.ts';
import { startGenerator } from '../support/loadBench.ts';
import { type NodeRecording, heaviest, recordDuring, RecordingFolders, startNodeApp } from '../support/nodeRecording.ts';
import { SampleStack, repositoryDir, samplesDir } from '../support/samples.ts';
import { waitFor } from '../support/waitFor.ts';
import { longTest } from '../support/testTags.ts';

const stack = new SampleStack();
const supervisor = new Supervisor();
const folders = new RecordingFolders();
let generator: LoadGenerator;

beforeAll(async () => {
  await stack.start();
  generator = await startGenerator(supervisor);
}, 60_000);

afterAll(async () => {
  await supervisor.stopAll();
  await stack.stop();
  folders.remove();
}, 30_000);

/** Puts load on a path, and gives how many requests were answered and the mean time of one in ms. */
async function load(port: number, target: string, connections: number, windowMs = 1_500): Promise<{ requests: number; meanMs: number }> {
  const [host, timeoutMs] = ['127.0.0.1', 5_000];
  const mix = [{ method: 'GET' as const, path: target, headers: {}, weight: 1, parameters: {} }];
  const result = await generator.runBlock({ host, port, connections, settleMs: 0, windowMs, timeoutMs, seed: 1, mix });
  expect(result.errors).toMatchObject({ total: 0 });
  return { requests: result.requests, meanMs: (connections * result.windowMs) / result.requests };
}

async function total(recording: NodeRecording, file: string, event: string): Promise<number> {
  return eventTotal(chooseEvent(await recording.tree(file), event));
}

describe('waiting for the pool', () => {
  it('is most of a request with a pool of 2, by the route that asked, and next to nothing with a pool of 64', longTest, async () => {
    const small = await stack.app('node', { DB_POOL_SIZE: '2' });
    let result = { requests: 0, meanMs: 0 };
    const recording = await recordDuring(small.child.pid, ['cpu', 'poolWait', 'database'], folders.make(), async () => {
      result = await load(small.port, '/wait?ms=5', 32);
    });
    const tree = await recording.tree('waits.pb.gz');
    expect(tree.events.map(({ name, unit }) => ({ name, unit }))).toEqual([
      { name: 'poolWait', unit: 'ns' },
      { name: 'database', unit: 'ns' },
    ]);
    const perRequestMs = (await total(recording, 'waits.pb.gz', 'poolWait')) / 1e6 / result.requests;
    expect(perRequestMs / result.meanMs).toBeGreaterThan(0.6);
    expect(perRequestMs / result.meanMs).toBeLessThan(1.15);
    const { frames, share } = heaviest(tree, 'poolWait', '[pool wait]');
    expect(share).toBeGreaterThan(0.95);
    const route = frames.find(({ name }) => name === 'wait');
    const routes = path.join(samplesDir, 'node/routes.mjs');
    expect(route?.file).toBe(routes);
    expect(readFileSync(routes, 'utf8').split('\n')[(route?.line ?? 0) - 1]).toContain('database.wait(ms)');
    const queryMs = (await total(recording, 'waits.pb.gz', 'database')) / 1e6 / result.requests;
    expect(queryMs).toBeGreaterThan(5);
    expect(queryMs).toBeLessThan(15);
    // Two of 32 are asked at once: it is a sixteenth of a request, however busy the machine is.
    expect(queryMs / result.meanMs).toBeLessThan(0.2);
    expect(heaviest(tree, 'database', '[query]').frames.some(({ file }) => file === routes)).toBe(true);
    await small.stop();

    const large = await stack.app('node', { DB_POOL_SIZE: '64' });
    // Until every connection that the recording will want is open.
    await load(large.port, '/wait?ms=5', 64, 2000);
    const idle = await recordDuring(large.child.pid, ['poolWait', 'database'], folders.make(), async () => {
      result = await load(large.port, '/wait?ms=5', 32);
    });
    expect((await total(idle, 'waits.pb.gz', 'poolWait')) / 1e6 / result.requests / result.meanMs).toBeLessThan(0.05);
    expect((await total(idle, 'waits.pb.gz', 'database')) / 1e6 / result.requests).toBeGreaterThan(5);
    await large.stop();
  });

  it('is not what a blocked event loop makes of a pool that has idle clients', async () => {
    const app = await startNodeApp(supervisor, 'idlePool.mjs', { env: { DATABASE_URL: stack.databaseUrl } });
    let before = { acquireMs: 0, count: 0 };
    let after = before;
    const recording = await recordDuring(app.child.pid, ['poolWait', 'database'], folders.make(), async () => {
      before = JSON.parse(await app.ask()) as typeof before;
      after = await waitFor(
        async () => {
          const now = JSON.parse(await app.ask()) as typeof before;
          return now.count >= before.count + 10 ? now : null;
        },
        { what: 'ten clients were acquired' },
      );
    });
    expect(after.acquireMs - before.acquireMs).toBeGreaterThan(9 * 30);
    expect((await total(recording, 'waits.pb.gz', 'poolWait')) / 1e6).toBeLessThan(2);
    const waits = recording.notes.find((note) => note.code === 'waits');
    expect(waits?.waits).toBe(0);
    expect(waits?.asks).toBeGreaterThanOrEqual(10);
    await app.child.stop();
  });

  it('counts what still waits at the end, as it does when clients are never given back', async () => {
    const app = await stack.app('node', { DB_POOL_SIZE: '1' });
    const pending: Promise<unknown>[] = [];
    const recording = await recordDuring(app.child.pid, ['poolWait', 'database'], folders.make(), async () => {
      pending.push(app.ask('/wait?ms=1500'));
      await stack.untilOneWaits('PgSleep');
      pending.push(app.ask('/ads/1'));
      const until = performance.now() + 500;
      await waitFor(() => performance.now() > until);
    });
    expect((await total(recording, 'waits.pb.gz', 'poolWait')) / 1e6).toBeGreaterThan(400);
    expect((await total(recording, 'waits.pb.gz', 'database')) / 1e6).toBeGreaterThan(450);
    await Promise.all(pending);
    await app.stop();
  });

  it('is measured without a change in what any way of asking pg gives', longTest, async () => {
    const app = await startNodeApp(supervisor, 'manyWays.cjs', { env: { DATABASE_URL: stack.databaseUrl } });
    const plain = JSON.parse(await app.ask()) as Record<string, unknown>;
    expect([...new Set(Object.values(plain))]).toEqual([true]);
    let measured: unknown;
    const recording = await recordDuring(app.child.pid, ['poolWait', 'database'], folders.make(), async () => {
      measured = JSON.parse(await app.ask());
    });
    expect(measured).toEqual(plain);
    expect(JSON.parse(await app.ask())).toEqual(plain);
    const tree = await recording.tree('waits.pb.gz');
    const { frames } = heaviest(tree, 'database', '[query]');
    expect(frames.some(({ file }) => file.endsWith('/manyWays.cjs'))).toBe(true);
    expect(recording.notes.map(({ code }) => code)).toContain('not-timed');
    // One wait of the whole connectionTimeoutMillis of 700 ms, at the pool of one whose client was held.
    const timedOut = heaviest(tree, 'poolWait', '[pool wait]').frames.find(({ name }) => name === 'timeout');
    expect(timedOut?.file).toMatch(/manyWays\.cjs$/);
    await app.child.stop();
  });

  it('finds a pool that a bundler has put into one file, and speaks of its sources', async () => {
    const folder = folders.make();
    const { build } = await import('esbuild');
    await build({
      entryPoints: [path.join(repositoryDir, 'test/fixtures/apps/idlePool.mjs')],
      bundle: true,
      platform: 'node',
      format: 'esm',
      minify: true,
      sourcemap: 'linked',
      external: ['pg-native', 'pg-cloudflare'],
      banner: { js: `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);` },
      outfile: path.join(folder, 'app.mjs'),
    });
    const app = await startNodeApp(supervisor, path.join(folder, 'app.mjs'), { env: { DATABASE_URL: stack.databaseUrl } });
    const recording = await recordDuring(app.child.pid, ['cpu', 'poolWait', 'database'], folders.make(), async () => {
      const before = (JSON.parse(await app.ask()) as { count: number }).count;
      await waitFor(async () => (JSON.parse(await app.ask()) as { count: number }).count >= before + 10, {
        what: 'ten clients were acquired',
      });
    });
    const source = path.join(repositoryDir, 'test/fixtures/apps/idlePool.mjs');
    const asked = heaviest(await recording.tree('waits.pb.gz'), 'database', '[query]').frames.find(({ file }) => file === source);
    expect(readFileSync(source, 'utf8').split('\n')[(asked?.line ?? 0) - 1]).toContain(`client.query('SELECT 1')`);
    const [hottest] = functionTable(
      await recording.tree('cpu.cpuprofile'),
      chooseEvent(await recording.tree('cpu.cpuprofile'), 'cpu'),
    ).filter(({ kind }) => kind === 'app');
    expect(hottest?.file).toBe(source);
    await app.child.stop();
  });

  it('is said to be invisible where the app has no pool', async () => {
    const app = await startNodeApp(supervisor, 'busyLines.mjs');
    const recording = await recordDuring(app.child.pid, ['poolWait', 'database'], folders.make(), () => app.ask());
    expect(recording).toMatchObject({ files: [], events: [] });
    expect(recording.notes).toContainEqual({ code: 'no-pg-pool' });
    await app.child.stop();
  });
});

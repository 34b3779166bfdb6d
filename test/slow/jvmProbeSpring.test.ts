import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { loadProbe } from '../support/loadProbe.ts';
import { Supervisor } from '../../src/engine/supervise/supervisor.ts';
import { ClosedLoop } from '../fixtures/jvmProbe/closedLoop.ts';
import { newerJdks, ownJdk } from '../fixtures/jvmProbe/jdks.ts';
import { ProbeListener } from '../fixtures/jvmProbe/probeListener.ts';
import { buildSpringBootApp, startSpringBootApp } from '../fixtures/jvmProbe/springBootApp.ts';
import { SampleStack, repositoryDir } from '../support/samples.ts';
import { waitFor } from '../support/waitFor.ts';

const jarFile = join(repositoryDir, 'dist/jvmProbe.jar');
/** Longer than a busy machine needs. */
const changeTimeoutMs = 40_000;
const stack = new SampleStack();
const supervisor = new Supervisor();
let probe: ProbeListener;
let loop: ClosedLoop | null = null;

beforeAll(async () => {
  if (!existsSync(jarFile)) throw new Error('The probe for the JVM is not built: run “node scripts/buildJvmProbe.mjs”.');
  buildSpringBootApp();
  await stack.start();
}, 600_000);
afterEach(async () => {
  await loop?.stop();
  loop = null;
  for (const child of supervisor.children) await child.stop();
  await probe.close();
  expect(probe.broken).toEqual([]);
});
afterAll(async () => {
  await supervisor.stopAll();
  await stack.stop();
});

async function untilDone(more: number): Promise<void> {
  const wanted = (loop?.done ?? 0) + more;
  await waitFor(() => (loop?.done ?? 0) >= wanted, { timeoutMs: 30_000, what: `${more} more requests are answered` });
}

/** Sets a pool to each size in turn, and looks that it keeps to it while the load goes on. */
async function expectSizes(id: string, sizes: number[]): Promise<void> {
  for (const max of sizes) {
    expect(await probe.set('pool', id, max, changeTimeoutMs)).toMatchObject({ ok: true, max, message: null });
    for (let look = 0; look < 5; look += 1) {
      await untilDone(10);
      const now = await probe.pool(id);
      expect(now).toMatchObject({ max, resizable: true });
      expect(now.total).toBeLessThanOrEqual(max);
      expect(now.busy).toBeLessThanOrEqual(max);
    }
  }
  expect(loop?.failed).toEqual([]);
}

describe('the probe in a Spring Boot app that knows nothing of it', () => {
  it(
    'finds HikariCP and Tomcat behind the class loader of its executable jar, and changes both under load',
    { timeout: 150_000 },
    async () => {
      probe = await ProbeListener.start();
      const { port } = await startSpringBootApp(supervisor, {
        jdk: ownJdk,
        databaseUrl: stack.databaseUrl,
        dataSource: 'hikari',
        env: probe.env,
        javaArguments: [`-javaagent:${jarFile}`],
      });
      await probe.attached();
      loop = new ClosedLoop(port, '/wait?ms=20', 24);
      await untilDone(30);
      await expectSizes('hikari:HikariPool-1', [2, 16, 8]);
      const hold = (await probe.pool('hikari:HikariPool-1')).hold;
      expect(hold.sumUs / hold.count).toBeGreaterThan(20_000);

      const tomcat = (await probe.get()).threadPools.find(({ kind }) => kind === 'tomcat');
      expect(tomcat).toMatchObject({ max: 200, min: 10, resizable: true });
      const id = tomcat?.id ?? '';
      for (const max of [4, 40]) {
        expect(await probe.set('threads', id, max, changeTimeoutMs)).toMatchObject({ ok: true, max, effective: max, message: null });
        await untilDone(20);
        const now = await probe.threads(id);
        expect(now.busy).toBeLessThanOrEqual(max);
        expect(now.threads).toBeLessThanOrEqual(max);
      }
      expect(loop.failed).toEqual([]);
    },
  );

  it(
    'finds commons-dbcp2 at its first use when it is attached while the app runs, and changes its size under load',
    { timeout: 150_000 },
    async () => {
      probe = await ProbeListener.start();
      const { child, port } = await startSpringBootApp(supervisor, {
        jdk: newerJdks[0] ?? ownJdk,
        databaseUrl: stack.databaseUrl,
        dataSource: 'dbcp2',
        env: {},
        javaArguments: [],
      });
      loop = new ClosedLoop(port, '/wait?ms=20', 24);
      await untilDone(30);
      await loadProbe(child.pid, { jarFile, group: probe });
      await probe.attached();
      await untilDone(30);
      expect(await probe.pool('dbcp2:dbcp2')).toMatchObject({ kind: 'dbcp2', max: 8 });
      await expectSizes('dbcp2:dbcp2', [2, 16, 3]);
      const before = await probe.pool('dbcp2:dbcp2');
      const [done, latency] = [loop.done, loop.latencySumMs];
      await untilDone(100);
      const after = await probe.pool('dbcp2:dbcp2');
      const holdMs = (after.hold.sumUs - before.hold.sumUs) / (after.hold.count - before.hold.count) / 1000;
      const waitMs = (after.acquire.sumUs - before.acquire.sumUs) / (after.acquire.count - before.acquire.count) / 1000;
      expect(holdMs).toBeGreaterThan(20);
      // 24 callers for three connections; this pool also asks the server about each connection before it lends it.
      expect(waitMs / holdMs).toBeGreaterThan(5);
      expect(holdMs + waitMs).toBeLessThan(((loop.latencySumMs - latency) / (loop.done - done)) * 1.1);

      await loop.stop();
      expect(await probe.set('pool', 'dbcp2:dbcp2', 1)).toMatchObject({ ok: true, max: 1, effective: 1 });
    },
  );
});

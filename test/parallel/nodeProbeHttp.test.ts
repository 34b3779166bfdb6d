import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databasePools, readGroup } from '../../src/engine/probe/groupReport.ts';
import { ProbeServer } from '../../src/engine/probe/probeServer.ts';
import type { ProbeSession } from '../../src/engine/probe/probeSession.ts';
import { windowBetween } from '../../src/engine/probe/probeWindow.ts';
import { Supervisor } from '../../src/engine/supervise/supervisor.ts';
import type { PoolReport } from '../../src/model/domain/probe.ts';
import { type ProbedApp, Callers, copyProbeApps, probeOf, startProbedApp } from '../support/probeApps.ts';
import { waitFor } from '../support/waitFor.ts';
import { longTest } from '../support/testTags.ts';

const delayMs = 20;
/** A service that takes its time. */
const service = { address: '', open: 0, server: null as Server | null };
const supervisor = new Supervisor();
let server: ProbeServer;
let apps: Awaited<ReturnType<typeof copyProbeApps>>;

beforeAll(async () => {
  [apps, server] = [await copyProbeApps(), await ProbeServer.start()];
  await build({
    bundle: true,
    platform: 'node',
    format: 'cjs',
    minify: true,
    entryPoints: [path.join(apps.folder, 'outbound.mjs')],
    outfile: path.join(apps.folder, 'outboundBundle.cjs'),
  });
  const upstream = createServer((_, response) => {
    setTimeout(() => response.end('answer'), delayMs);
  });
  upstream.on('connection', (socket) => {
    service.open += 1;
    socket.on('close', () => (service.open -= 1));
  });
  await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
  service.server = upstream;
  service.address = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`;
}, 120_000);

afterAll(async () => {
  await supervisor.stopAll();
  service.server?.closeAllConnections();
  service.server?.close();
  await server.close();
  apps.remove();
});

function meanMs({ count, sumUs }: { count: number; sumUs: number }): number {
  return sumUs / count / 1000;
}

describe.each(['outbound.mjs', 'outboundBundle.cjs'])('connections of %s to another service', (file) => {
  let app: ProbedApp;
  let probe: ProbeSession;
  beforeAll(async () => {
    app = await startProbedApp(supervisor, server, path.join(apps.folder, file), { env: { UPSTREAM: service.address } });
    probe = await probeOf(app.group, file);
  });
  afterAll(() => app.child.stop());

  async function poolOf(fits: (pool: PoolReport) => boolean): Promise<PoolReport> {
    const { pools } = await probe.get();
    const found = pools.find(fits);
    if (found === undefined) throw new Error(`none of ${JSON.stringify(pools)}`);
    return found;
  }
  const ofPool = (pool: PoolReport): boolean => pool.kind === 'undici' && pool.resizable && pool.hold.count > 0;

  it(
    'in a Pool of undici are timed, count as no database pool, and are resized under load without a failed request',
    longTest,
    async () => {
      const callers = new Callers(app.port, ['/pool'], 8);
      await callers.until(16);
      const before = await readGroup(app.group);
      // Those in progress at either edge of the window weigh little among so many.
      await callers.until(160);
      const during = await readGroup(app.group);
      await callers.until(20);
      const after = await readGroup(app.group);
      if (before === null || during === null || after === null) throw new Error('the probe does not answer');
      const { outbound, http, pool } = windowBetween(before, after, [during]);
      expect(outbound).toMatchObject({ kind: 'undici', name: service.address, max: 2, timeouts: 0 });
      expect(outbound?.busy).toBeGreaterThan(1.5);
      expect(outbound?.busy).toBeLessThanOrEqual(2);
      expect(outbound?.holdMs).toBeGreaterThan(delayMs - 1);
      // Eight at two connections: each waits for three others.
      expect((outbound?.waitMs ?? 0) / (outbound?.holdMs ?? 1)).toBeGreaterThan(2);
      expect((outbound?.waitMs ?? 0) / (outbound?.holdMs ?? 1)).toBeLessThan(5);
      expect(outbound?.pending).toBeGreaterThan(4);
      expect(http?.meanMs).toBeGreaterThan((outbound?.waitMs ?? 0) + (outbound?.holdMs ?? 0) - 1);
      expect(http?.inFlight).toBeGreaterThan(6);
      expect(pool).toBeNull();
      expect(databasePools(after)).toEqual([]);

      const { id } = await poolOf(ofPool);
      for (const max of [6, 1, 3]) {
        expect(await probe.set({ what: 'pool', poolId: id, max, timeoutMs: 10_000 })).toMatchObject({ ok: true, max, message: null });
        await callers.until(24);
        await waitFor(() => service.open === max, { what: `the service has ${max} connections` });
        expect(await poolOf((one) => one.id === id)).toMatchObject({ max, total: max });
      }
      await callers.stop();
      expect([...callers.statuses.keys()]).toEqual([200]);
    },
  );

  it('by a Client of undici, by fetch and by an agent of node:http are seen too', async () => {
    const callers = new Callers(app.port, ['/client', '/agent', '/fetch'], 15);
    await callers.until(60);
    const single = await waitFor(async () => {
      const now = await poolOf(({ kind, max }) => kind === 'undici' && max === 1);
      return now.busy === 1 && now.pending > 0 ? now : null;
    });
    expect(single).toMatchObject({ name: service.address, total: 1, resizable: false });
    expect(meanMs(single.hold)).toBeGreaterThan(delayMs - 1);
    const agent = await poolOf(({ kind }) => kind === 'http-client');
    expect(agent).toMatchObject({ name: service.address.slice('http://'.length), max: 3, resizable: false });
    expect(agent.busy).toBeLessThanOrEqual(3);
    const { resources } = await probe.get();
    expect(resources?.['TCPSocketWrap']).toBeGreaterThan(5);
    expect(meanMs(agent.hold)).toBeGreaterThan(delayMs - 1);
    await callers.stop();
    expect([...callers.statuses.keys()]).toEqual([200]);
    const { pools } = await probe.get();
    const fetched = pools.find(({ kind, max, hold }) => kind === 'undici' && max === null && hold.count > 0);
    expect(meanMs(fetched?.hold ?? { count: 1, sumUs: 0 })).toBeGreaterThan(delayMs - 1);
    // Each connection was taken once for each request, and nothing is left over.
    const taken = [single.id, agent.id, fetched?.id].map((id) => pools.find((pool) => pool.id === id)?.hold.count ?? 0);
    expect(taken.reduce((sum, count) => sum + count, 0)).toBe(callers.answered);
    expect(pools.reduce((sum, { busy, pending }) => sum + busy + pending, 0)).toBe(0);
  });
});

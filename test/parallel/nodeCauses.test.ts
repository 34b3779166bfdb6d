import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ProbeServer } from '../../src/engine/probe/probeServer.ts';
import type { ProbeSession } from '../../src/engine/probe/probeSession.ts';
import { Supervisor } from '../../src/engine/supervise/supervisor.ts';
import { machineMs } from '../../src/engine/load/machineClock.ts';
import { type ProbedApp, copyProbeApps, probeOf, startProbedApp } from '../support/probeApps.ts';
import { waitFor } from '../support/waitFor.ts';

const supervisor = new Supervisor();
let server: ProbeServer;
let apps: Awaited<ReturnType<typeof copyProbeApps>>;
let app: ProbedApp;
let probe: ProbeSession;

beforeAll(async () => {
  [apps, server] = [await copyProbeApps(), await ProbeServer.start()];
  app = await startProbedApp(supervisor, server, path.join(apps.folder, 'causesApp.mjs'), { env: { UV_THREADPOOL_SIZE: '1' } });
  probe = await probeOf(app.group, 'causesApp.mjs');
}, 120_000);

afterAll(async () => {
  await supervisor.stopAll();
  await server.close();
  apps.remove();
}, 30_000);

type Report = Awaited<ReturnType<ProbeSession['get']>>;
type Pause = NonNullable<Report['pauses']>[number];

/**
 * A pause of this kind that lies between the beginning of a request and its answer, by the clock of all processes. It is asked until one is seen: the probe
 * looks ten times a second, and leaves out by how much the loop itself was late, which on a busy machine may be all of a wait.
 */
async function pauseDuring(url: string, is: (pause: Pause) => boolean): Promise<Pause> {
  const asked: { fromUs: number; untilUs: number }[] = [];
  return waitFor(
    async () => {
      const fromUs = machineMs() * 1_000;
      await app.ask(url);
      asked.push({ fromUs, untilUs: machineMs() * 1_000 });
      const { pauses = [] } = await probe.get();
      return (
        pauses.find((pause) => is(pause) && asked.some((one) => pause.atUs + pause.us > one.fromUs && pause.atUs < one.untilUs)) ?? null
      );
    },
    { timeoutMs: 10_000, what: `a pause during ${url}` },
  );
}

const isLoop = ({ kind, us }: Pause): boolean => kind === 'loop' && us >= 120_000;

describe('a Node app', () => {
  it('has an event loop that a synchronous call blocks without computing', async () => {
    const { us, cpuUs } = await pauseDuring('/sync', isLoop);
    expect(cpuUs).toBeLessThan(us / 2);
  });

  it('has an event loop that a computation blocks', async () => {
    const { cpuUs = 0 } = await pauseDuring('/compute', isLoop);
    expect(cpuUs).toBeGreaterThan(0);
  });

  it('lets tasks wait for a thread of libuv’s pool', async () => {
    const before = await probe.get();
    expect(before.workerPool?.size).toBe(1);
    await pauseDuring('/gzip', ({ kind }) => kind === 'worker-pool');
    const { workerPool } = await probe.get();
    expect(workerPool?.wait.sumUs ?? 0).toBeGreaterThan(before.workerPool?.wait.sumUs ?? 0);
  });

  it('begins connections, which are counted by whom they go to, and handshakes of TLS among them', async () => {
    const port = Number(new URL(`http://127.0.0.1:${app.port}`).port);
    const opened = ({ peers = [] }: Report): number => peers.find((peer) => peer.port === port)?.opened ?? 0;
    const before = await probe.get();
    for (const url of ['/tcp', '/tcp', '/tls']) await app.ask(url);
    const after = await probe.get();
    expect(opened(after) - opened(before)).toBe(3);
    expect((after.tlsOpened ?? 0) - (before.tlsOpened ?? 0)).toBe(1);
  });
});

import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ProbeServer } from '../../src/engine/probe/probeServer.ts';
import { Supervisor } from '../../src/engine/supervise/supervisor.ts';
import { Callers, probeOf, startProbedApp } from '../support/probeApps.ts';
import { repositoryDir, SampleStack } from '../support/samples.ts';
import { waitFor } from '../support/waitFor.ts';

const run = promisify(execFile);
const stack = new SampleStack();
const supervisor = new Supervisor();
const fixture = path.join(repositoryDir, 'test/fixtures/prisma');
const folder = path.join(repositoryDir, '.cache/prisma');
const script = path.join(folder, 'prismaApp.mjs');
let server: ProbeServer;

/** Installs Prisma unless that was done, and has it write its client. */
async function installPrisma(): Promise<void> {
  const marker = path.join(folder, 'installed.json');
  const lock = readFileSync(path.join(fixture, 'package-lock.json'), 'utf8');
  cpSync(fixture, folder, { recursive: true });
  if (existsSync(marker) && readFileSync(marker, 'utf8') === lock) return;
  mkdirSync(folder, { recursive: true });
  await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--engine-strict=false'], { cwd: folder });
  // The engine that migrates a schema is of no use here, and would be fetched from elsewhere: any program will do in its place.
  const env = { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: process.execPath };
  await run(process.execPath, ['node_modules/prisma/build/index.js', 'generate', '--schema', 'schema.prisma'], { cwd: folder, env });
  writeFileSync(marker, lock);
}

// In its hooks as well: without a test nothing is installed.
describe('Prisma with a driver adapter on pg', () => {
  beforeAll(async () => {
    await installPrisma();
    server = await ProbeServer.start();
    await stack.start();
  }, 600_000);
  afterAll(async () => {
    await supervisor.stopAll();
    await stack.stop();
    await server.close();
  }, 30_000);

  it.each(['query', 'transaction'])(
    'has a pool of pg, which is seen, timed and resized under load: by a %s',
    { timeout: 120_000 },
    async (way) => {
      const app = await startProbedApp(supervisor, server, script, { env: { DATABASE_URL: stack.databaseUrl, DB_POOL_SIZE: '6' } });
      const probe = await probeOf(app.group, script);
      const callers = new Callers(app.port, [`/${way}?ms=20`], 12);
      try {
        const only = async () => {
          const { pools } = await probe.get();
          expect(pools.length).toBeLessThanOrEqual(1);
          return pools[0];
        };
        await waitFor(async () => (await only())?.busy === 6, { timeoutMs: 20_000, what: 'all connections are busy' });
        const before = await only();
        expect(before).toMatchObject({ kind: 'pg', max: 6, total: 6, resizable: true });
        await callers.until(40);
        const after = await only();
        const hold = (after?.hold.sumUs ?? 0) - (before?.hold.sumUs ?? 0);
        const held = (after?.hold.count ?? 0) - (before?.hold.count ?? 0);
        expect(held).toBeGreaterThanOrEqual(30);
        expect(hold / held).toBeGreaterThanOrEqual(19_000);
        for (const max of [2, 8, 4]) {
          expect(await probe.set({ what: 'pool', poolId: before?.id ?? '', max, timeoutMs: 20_000 })).toMatchObject({ ok: true, max });
          await waitFor(async () => (await only())?.busy === max, { timeoutMs: 20_000, what: `${max} connections are busy` });
          expect((await only())?.total).toBeLessThanOrEqual(max);
        }
      } finally {
        await callers.stop();
      }
      expect([...callers.statuses.keys()]).toEqual([200]);
    },
  );
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildPoolCallers, classPathOf } from '../fixtures/jvmProbe/poolCallers.ts';
import { removeTemporaryFolders, repositoryDir, temporaryFolder, writeWorkspaceFile } from '../support/engine.ts';
import { MysqlServer } from '../support/mysqlServer.ts';
import { copyProbeApps } from '../support/probeApps.ts';

/** Each request holds one connection for so long; so many ask at once. */
const holdMs = 20;
const users = 8;
/** Too few, as many as can be in use, and more than that. */
const sizes = [2, users, 24];

let apps: Awaited<ReturnType<typeof copyProbeApps>>;
let mysql: MysqlServer;
let storageDir: string;

beforeAll(async () => {
  buildPoolCallers('newest');
  [apps, storageDir] = [await copyProbeApps(), temporaryFolder('storage')];
  mysql = await MysqlServer.start(apps.folder);
  const node = (id: string, file: string, way: string, more: object = {}): object => ({
    id,
    runtime: 'node',
    command: ['node', file],
    ...more,
    ready: { path: '/' },
    routes: [{ path: `/${way}?ms=${holdMs}` }],
    settings: { pool: { env: 'DB_POOL_SIZE', max: 64, default: 2 } },
  });
  const java = (id: string): object => ({
    id,
    runtime: 'jvm',
    command: ['java', '-Xmx64m', '{arguments}', '-cp', classPathOf('newest'), 'fixture.PoolServer', id, String(holdMs)],
    ready: { path: '/' },
    routes: [{ path: '/' }],
    settings: { pool: { env: 'POOL_SIZE', max: 64, default: 2 } },
  });
  writeWorkspaceFile(apps.folder, {
    targets: [
      node('postgres-js', 'postgresJsApp.mjs', 'transaction', { postgres: { env: { url: 'DATABASE_URL' }, database: 'shop' } }),
      node('mysql2', 'mysqlApp.mjs', 'transaction', { env: { MYSQL_PORT: String(mysql.port) } }),
      node('generic-pool', 'genericPoolApp.mjs', 'acquire'),
      ...['tomcat-jdbc', 'agroal', 'c3p0', 'r2dbc'].map(java),
    ],
    loadProfiles: [{ name: 'held', connections: users, durationS: 1, settleS: 0.3, warmUp: { minS: 1, maxS: 3, jvmMinS: 2, jvmMaxS: 4 } }],
  });
}, 600_000);
afterAll(async () => {
  await mysql.stop();
  apps.remove();
  removeTemporaryFolders();
}, 30_000);

interface Answer {
  recommendation: { status: string; setting: string; value: number };
  settings: { value: number; throughput: { mean: number }; valid: boolean; reasons: string[] }[];
  verdictNotes: string[];
  failure?: { code: string; message: string };
}

/** Tunes a pool as a user does in a terminal. */
async function tune(target: string, ...further: string[]): Promise<Answer> {
  const words = ['tune', '-t', target, '--set', `pool=${sizes.join(',')}`, '--load', 'held', '--budget', '60s', '--delta', '20%', '--json'];
  const child = spawn(process.execPath, [path.join(repositoryDir, 'dist/cli.cjs'), ...words, ...further], {
    cwd: apps.folder,
    env: { ...process.env, BENCHSIDE_STORAGE: storageDir },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (piece: string) => (text += piece));
  await once(child, 'close');
  return JSON.parse(text) as Answer;
}

/** P connections, each held for H, let P ÷ H through, as long as there are so many who ask. */
function expectLaw({ settings, recommendation }: Answer): void {
  const of = (size: number): number => settings.find(({ value }) => value === size)?.throughput.mean ?? NaN;
  for (const { value, throughput, valid, reasons } of settings) {
    expect({ valid, reasons }).toEqual({ valid: true, reasons: [] });
    // What is under way at a window's edges may count to it.
    expect(throughput.mean).toBeLessThanOrEqual((1.05 * 1000 * Math.min(value, users)) / holdMs);
  }
  // A busy machine makes every hold longer, and those of all sizes alike.
  expect(of(users) / of(2)).toBeGreaterThan(2);
  expect(recommendation).toMatchObject({ setting: 'pool', value: users });
  expect(['confirmed', 'plausible']).toContain(recommendation.status);
}

describe('the smallest pool that is enough', () => {
  it.each(['postgres-js', 'mysql2', 'generic-pool', 'tomcat-jdbc', 'agroal', 'c3p0'])(
    'is found for %s in one process, and every size lets through what its connections can',
    { timeout: 240_000 },
    async (library) => {
      const answer = await tune(library);
      expect(answer.failure).toBeUndefined();
      expect(answer.verdictNotes).toContainEqual(expect.stringMatching(/^How the values were set: live/));
      expectLaw(answer);
    },
  );

  it('is found for R2DBC with a process for each value; live it is refused with the reason', { timeout: 240_000 }, async () => {
    const { failure } = await tune('r2dbc', '--mode', 'live');
    expect(failure?.message).toMatch(/takes its size when it is made/);
    const answer = await tune('r2dbc');
    expect(answer.verdictNotes).toContainEqual(expect.stringMatching(/^How the values were set: process-per-setting.*when it is made/));
    expectLaw(answer);
  });
});

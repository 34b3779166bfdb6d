import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { RunRecord } from '../../src/model/domain/run.ts';
import { quietPort } from '../support/quietPort.ts';
import { removeTemporaryFolders, repositoryDir, temporaryFolder, writeWorkspaceFile, briefLoad } from '../support/engine.ts';
import { springService } from '../support/ownServices.ts';
import { sharedPostgres } from '../support/sharedPostgres.ts';
import { longTest, slowHalf } from '../support/testTags.ts';
import { waitFor } from '../support/waitFor.ts';

const slow = 170_000;
let storage: string;
let workspace: string;
let app: ChildProcess | null = null;

beforeAll(() => {
  storage = temporaryFolder('storage');
});
afterEach(() => {
  app?.kill('SIGKILL');
  app = null;
});
afterAll(removeTemporaryFolders);

async function benchside(...args: string[]): Promise<{ code: number | null; said: string }> {
  const child = spawn(process.execPath, [path.join(repositoryDir, 'dist/cli.cjs'), ...args, '--workspace', workspace], {
    env: { ...process.env, BENCHSIDE_STORAGE: storage },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (said += text));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, said };
}

/** Starts an app as a person does, who does not know of us. */
async function startByHand(argv: readonly string[], env: Record<string, string>, url: string): Promise<void> {
  const child = spawn(argv[0] ?? '', argv.slice(1), { env: { ...process.env, ...env }, stdio: 'ignore' });
  app = child;
  await waitFor(async () => (await fetch(url).catch(() => null))?.ok === true, { timeoutMs: 90_000, what: 'the app answers' });
}

function declare(target: Record<string, unknown>): void {
  workspace = temporaryFolder('workspace');
  writeWorkspaceFile(workspace, { targets: [target], loadProfiles: [briefLoad] });
}

function onlyRun(): RunRecord {
  const runs = path.join(workspace, '.benchside/runs');
  const [id = ''] = readdirSync(runs).filter((name) => !name.startsWith('.'));
  return JSON.parse(readFileSync(path.join(runs, id, 'run.json'), 'utf8')) as RunRecord;
}

const stillRuns = (): boolean => app !== null && app.exitCode === null && app.signalCode === null;

describe('a target that runs already', () => {
  it(
    'is found by its port, put under load and left running; what would start it anew or limit it is refused',
    { timeout: slow, ...longTest },
    async () => {
      const port = await quietPort();
      const pool = { min: 1, max: 64, default: 4, env: 'POOL' };
      declare({ id: 'mine', runtime: 'node', running: { port }, routes: [{ path: '/' }], settings: { pool } });
      const none = await benchside('run', '--target', 'mine', '--load', 'brief');
      expect(none.code).toBe(1);
      expect(none.said).toContain(
        `is to run already on port ${port}, and no process that can be looked at listens there at 127.0.0.1 or ::1.`,
      );
      await startByHand(
        [process.execPath, path.join(repositoryDir, 'test/fixtures/apps/steadyService.mjs')],
        { PORT: String(port) },
        `http://127.0.0.1:${port}/`,
      );
      const run = await benchside('run', '--target', 'mine', '--load', 'brief', '--rounds', '1');
      expect(run.code, run.said).toBe(0);
      expect(stillRuns()).toBe(true);
      const [trial] = onlyRun().trials;
      expect(trial?.throughput.mean).toBeGreaterThan(0);
      const refused = async (...more: string[]): Promise<string> => {
        const { code, said } = await benchside('run', '--target', 'mine', '--load', 'brief', '--rounds', '1', ...more);
        expect(code).toBe(1);
        return said;
      };
      expect(await refused('--set', 'pool=2,8')).toContain(
        'mine runs already, and nothing of it is started again. A process that runs already shows its pool to a probe only when it is a JVM',
      );
      expect(await refused('--confirm')).toContain('mine runs already: no fresh process of it is started.');
      expect(await refused('--cpu-share', '0.5')).toContain('mine runs already: its share of the CPU is not limited.');
      expect(stillRuns()).toBe(true);
    },
  );

  it(
    'is who answers where load goes, at ::1 where nobody is at 127.0.0.1; another user’s server there is asked nothing',
    { timeout: slow, ...longTest },
    async () => {
      const port = await quietPort();
      const route = { path: '/', headers: { Authorization: 'Bearer of-the-service' } };
      declare({ id: 'mine', runtime: 'node', running: { port }, routes: [route] });
      const own = createServer((_, response) => response.end('ok')).listen(port, '::1');
      await once(own, 'listening');
      const heard = path.join(temporaryFolder('heard'), 'requests');
      writeFileSync(heard, '', { mode: 0o666 });
      chmodSync(path.dirname(heard), 0o755);
      chmodSync(heard, 0o666);
      const listening = `require('node:http').createServer((request, response) => {
      require('node:fs').appendFileSync(${JSON.stringify(heard)}, JSON.stringify(request.headers));
      response.end('ok');
    }).listen(${port}, '127.0.0.1', () => console.log('up'));`;
      try {
        const alone = await benchside('run', '--target', 'mine', '--load', 'brief', '--rounds', '1');
        expect({ code: alone.code, measured: alone.said.includes('Measuring mine') }, alone.said).toEqual({ code: 0, measured: true });
        // Only root can be somebody else.
        if (process.getuid?.() !== 0) return;
        const other = spawn(process.execPath, ['-e', listening], {
          uid: 65534,
          gid: 65534,
          cwd: '/',
          stdio: ['ignore', 'pipe', 'inherit'],
        });
        app = other;
        await once(other.stdout, 'data');
        const run = await benchside('run', '--target', 'mine', '--load', 'brief', '--rounds', '1');
        expect(run.said).toContain(`what answers at 127.0.0.1:${port} belongs to another user.`);
        expect(run.code).toBe(1);
        expect(readFileSync(heard, 'utf8')).toBe('');
      } finally {
        own.close();
      }
    },
  );

  it('has its pool changed while it runs when it is a JVM, and is left running', { timeout: slow, ...slowHalf }, async () => {
    const folder = springService();
    const address = await sharedPostgres();
    const database = `stock_${process.pid}`;
    const client = new pg.Client({
      host: address.host,
      port: address.port,
      user: address.user,
      password: address.password,
      database: address.database,
    });
    await client.connect();
    await client.query(`CREATE DATABASE ${database}`);
    const inside = new pg.Client({ host: address.host, port: address.port, user: address.user, password: address.password, database });
    await inside.connect();
    await inside.query(readFileSync(path.join(folder, 'db/schema.sql'), 'utf8'));
    await inside.end();
    try {
      const port = await quietPort();
      await startByHand(
        ['java', '-Xmx192m', '-jar', path.join(folder, 'target/stock-1.0.0.jar')],
        {
          SERVER_PORT: String(port),
          SPRING_DATASOURCE_URL: `jdbc:postgresql://${address.host}:${address.port}/${database}`,
          SPRING_DATASOURCE_USERNAME: address.user,
          SPRING_DATASOURCE_PASSWORD: address.password,
        },
        `http://127.0.0.1:${port}/api/products`,
      );
      declare({
        id: 'stock',
        runtime: 'jvm',
        running: { port },
        ready: { path: '/api/products' },
        routes: [{ path: '/api/products' }],
        settings: { pool: { min: 1, max: 64, default: 10, env: 'SPRING_DATASOURCE_HIKARI_MAXIMUM_POOL_SIZE' } },
      });
      const run = await benchside(
        'run',
        '--target',
        'stock',
        '--set',
        'pool=2,6',
        '--load',
        'brief',
        '--connections',
        '8',
        '--rounds',
        '2',
      );
      expect(run.code, run.said).toBe(0);
      expect(stillRuns()).toBe(true);
      expect(onlyRun().plan.mode).toBe('live');
      expect((await fetch(`http://127.0.0.1:${port}/api/products`)).status).toBe(200);
    } finally {
      app?.kill('SIGKILL');
      await client.query(`DROP DATABASE ${database} WITH (FORCE)`);
      await client.end();
    }
  });
});

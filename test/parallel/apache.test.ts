import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { targetSchema } from '../../src/model/domain/target.ts';
import { apacheMissing, findApache } from '../../src/engine/services/apache/findApache.ts';
import { isPortFree } from '../../src/engine/services/freePort.ts';
import { Supervisor } from '../../src/engine/supervise/supervisor.ts';
import { type RunningTarget, launchTarget } from '../../src/engine/targets/launchTarget.ts';
import { Toolchain } from '../../src/engine/targets/toolchain.ts';
import { ownSessions, SampleApp, samplesDir, SampleStack } from '../support/samples.ts';
import { waitFor } from '../support/waitFor.ts';

const supervisor = new Supervisor();
const stack = new SampleStack();
let node: SampleApp;

beforeAll(async () => {
  await stack.start();
  node = await stack.app('lab-node');
}, 60_000);
afterAll(async () => {
  await supervisor.stopAll();
  await stack.stop();
});

/** The sample, launched as any declared target is. */
function launch(settings: Record<string, string | number> = {}, env: Record<string, string> = {}): Promise<RunningTarget> {
  const target = targetSchema.parse({
    id: 'php',
    command: ['node', 'start.mjs'],
    cwd: 'php',
    needs: ['apache-php'],
    env: { DATABASE_URL: stack.databaseUrl, ...env },
    ready: { path: '/health', timeoutMs: 20_000 },
    stopGraceMs: 6_000,
    routes: [{ path: '/hello' }],
    settings: {
      workers: { min: 1, max: 1000, default: 4, env: 'WORKERS' },
      keepAlive: { kind: 'choice', choices: ['on', 'off'], default: 'on', env: 'KEEP_ALIVE' },
    },
  });
  const specs = { workers: 4, keepAlive: 'on', ...settings };
  const toolchain = new Toolchain({ nodePath: process.execPath, javaPath: null });
  const declared = { target, origin: 'lab' as const, baseDir: path.join(samplesDir, 'lab') };
  return launchTarget(declared, specs, { supervisor, toolchain, cookieEnvironment: {}, database: null, name: 'PHP' });
}

function app({ child, port }: RunningTarget): SampleApp {
  return new SampleApp('lab-node', child, port);
}

/** Those that the sample makes: within the folder that each app is given for its temporary files, as within what is everybody's. */
function temporaryFolders(): string[] {
  const own = readdirSync(tmpdir()).filter((name) => name.startsWith(`benchside-app-${process.pid}.`));
  return [tmpdir(), ...own.map((name) => path.join(tmpdir(), name))]
    .flatMap((folder) => readdirSync(folder))
    .filter((name) => name.startsWith('benchside-php-'));
}

describe('the PHP sample on Apache', () => {
  it('answers byte for byte as the Node sample does', async () => {
    const php = app(await launch());
    const questions = [
      '/hello',
      '/health',
      '/ads/1',
      '/ads/77777',
      '/ads/0',
      '/ads/999999999',
      '/ads/x',
      '/ads/%31',
      '/ads/1/similar/x',
      '/report',
      '/report?category=20',
      '/report?category=21',
      '/search',
      '/search?word=ha',
      '/search?word=zzz',
      '/search?word=Z',
      '/reviews',
      '/reviews?limit=100',
      '/reviews?limit=0',
      '/nothing',
      '/static/photo.jpg',
      '/static/assets/01.js',
      '/static/assets/04.css',
      '/static/assets/12.svg',
    ];
    for (const question of questions) {
      const [mine, theirs] = [await php.ask(question), await node.ask(question)];
      expect([question, mine.status, mine.headers['content-type'], mine.headers['content-length']]).toEqual([
        question,
        theirs.status,
        theirs.headers['content-type'],
        theirs.headers['content-length'],
      ]);
      expect(mine.body.equals(theirs.body), `${question}: ${mine.text.slice(0, 200)} is not ${theirs.text.slice(0, 200)}`).toBe(true);
    }
    for (const outside of ['/static/generate.mjs', '/static/../app/database.php', '/static/%2e%2e/httpd.conf', '/static/none.js']) {
      expect((await php.ask(outside)).status).toBe(404);
    }
    const refused = await php.ask('/hello', { method: 'DELETE' });
    expect([refused.status, refused.headers.allow, refused.text]).toEqual([405, 'GET', '{"error":"method not allowed"}']);
  });

  it('keeps reviews, and refuses what is none with the words of the Node sample', async () => {
    const php = app(await launch());
    const post = (one: SampleApp, body: string) =>
      one.ask('/reviews', { method: 'POST', body, headers: { 'Content-Type': 'application/json' } });
    const review = { rating: 5, text: 'Zürich/“😀” \u2028 <b>' };
    const made = await post(php, JSON.stringify(review));
    expect(made.status).toBe(201);
    const { id } = JSON.parse(made.text) as { id: number };
    expect(made.headers.location).toBe(`/reviews/${id}`);
    const [mine, theirs] = [await php.ask('/reviews?limit=1'), await node.ask('/reviews?limit=1')];
    expect(mine.text).toBe(theirs.text);
    expect(JSON.parse(mine.text)).toEqual([{ id, ...review, createdAt: expect.any(String) as string }]);
    const bad = ['', '[]', '{}', '{"rating":6,"text":"a"}', '{"rating":1.5,"text":"a"}', '{"rating":1,"text":""}', '{"rating":1,"text":7}'];
    const long = [JSON.stringify({ rating: 1, text: '😀'.repeat(1001) }), JSON.stringify({ rating: 1, text: 'a\0b' }), 'x'.repeat(70_000)];
    for (const body of [...bad, ...long]) {
      const [refused, expected] = [await post(php, body), await post(node, body)];
      expect([body.slice(0, 40), refused.status, refused.text]).toEqual([body.slice(0, 40), expected.status, expected.text]);
    }
    expect((await post(php, JSON.stringify({ rating: 1, text: '😀'.repeat(1000) }))).status).toBe(201);
  });

  it('has as many processes as it is told, each with a database connection of its own that is kept', async () => {
    const running = await launch({ workers: 3, keepAlive: 'off' });
    const php = app(running);
    const hello = await php.ask('/hello');
    expect(hello.headers.connection).toBe('close');
    await Promise.all(Array.from({ length: 60 }, () => php.ask('/ads/1')));
    const children = readdirSync('/proc').filter((name) => {
      try {
        return readFileSync(`/proc/${name}/cmdline`, 'latin1').includes('httpd.conf') && processGroup(name) === running.child.pgid;
      } catch {
        return false;
      }
    });
    // Three that answer, and the one that starts them.
    expect(children).toHaveLength(4);
    const sessions = `SELECT pid FROM pg_stat_activity WHERE ${ownSessions}`;
    const before = await stack.query<{ pid: number }>(sessions);
    await Promise.all(Array.from({ length: 30 }, () => php.ask('/ads/1')));
    expect(await stack.query(sessions)).toEqual(before);
  });

  it('leaves no process, port or folder when it is stopped, also when it was killed', async () => {
    await Promise.all([...supervisor.children].map((child) => child.stop()));
    const before = temporaryFolders();
    const running = await launch();
    expect(temporaryFolders()).toHaveLength(before.length + 1);
    await running.child.stop();
    expect(temporaryFolders()).toEqual(before);
    expect(await isPortFree(running.port)).toBe(true);

    const killed = await launch();
    process.kill(killed.child.pid, 'SIGKILL');
    await killed.child.exited;
    await waitFor(() => isPortFree(killed.port), { what: 'its port is free' });
    const next = await launch();
    await next.child.stop();
    expect(temporaryFolders()).toEqual(before);
  });

  it('says in one line why it does not start', async () => {
    await expect(launch({}, { DATABASE_URL: 'mysql://x' })).rejects.toMatchObject({
      failure: { detail: expect.stringContaining('bulletin-board (PHP): DATABASE_URL must be') as string },
    });
    await expect(launch({ workers: 1001 })).rejects.toMatchObject({
      failure: { code: 'target-exited', detail: expect.stringContaining('WORKERS must be a whole number from 1 to 1000') as string },
    });
  });
});

it('Apache is found where packages put it, and what is missing is said with a cure', () => {
  const found = findApache();
  expect(found).not.toBeNull();
  for (const file of [found!.httpd, found!.phpModule, path.join(found!.modulesDir, 'mod_mpm_prefork.so')])
    expect(existsSync(file)).toBe(true);
  expect(apacheMissing().cure).toContain('libapache2-mod-php');
});

function processGroup(pid: string): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[2]);
}

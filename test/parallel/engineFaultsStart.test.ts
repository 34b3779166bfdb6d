import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Failure } from '../../src/model/domain/failure.ts';
import {
  type TestEngineOptions,
  appTarget,
  briefLoad,
  failureOf,
  removeTemporaryFolders,
  temporaryFolder,
  TestEngine,
  writeWorkspaceFile,
} from '../support/engine.ts';
import { longTest, slowHalf } from '../support/testTags.ts';

/** For all tests that only want another benchside.json. */
let shared: TestEngine;
let own: TestEngine | undefined;
let engine: TestEngine;

beforeAll(async () => {
  shared = await TestEngine.start();
});
afterEach(async () => {
  await own?.dispose();
  own = undefined;
});
afterAll(async () => {
  await shared.dispose();
  removeTemporaryFolders();
});

async function start(options: TestEngineOptions): Promise<TestEngine> {
  const { file, ...others } = options;
  if (Object.keys(others).length > 0) return (engine = own = await TestEngine.start(options));
  shared.events.length = 0;
  if (file !== undefined) writeWorkspaceFile(shared.workspaceDir, file);
  return (engine = shared);
}

/** Asks for a run of one target, which must fail; nothing may be stored or left running then. */
async function failedRun(options: TestEngineOptions, request: Record<string, unknown> = {}): Promise<Failure> {
  const running = await start(options);
  const failure = await failureOf(running.measure({ kind: 'run', targets: ['app'], load: 'brief', ...request }));
  expect(running.runFolders()).toEqual([]);
  expect(running.processes()).toEqual([]);
  expect(failure.message).toMatch(/^\S.*\.$/s);
  expect(failure.cure).not.toBe('');
  return failure;
}

const slow = 30_000;

describe('a target that cannot be started', () => {
  it('whose command does not exist is named with its program', { timeout: slow }, async () => {
    const failure = await failedRun({ file: { targets: [appTarget('app', '', { label: 'Shop', command: ['no-such-program', 'x'] })] } });
    expect(failure.code).toBe('program-not-found');
    expect(failure.message).toMatch(/Shop.*no-such-program/);
  });

  it('whose working folder does not exist is told so', { timeout: slow, ...slowHalf }, async () => {
    expect((await failedRun({ file: { targets: [appTarget('app', 'steadyService.mjs', { cwd: 'nowhere' })] } })).code).toBe('cwd-missing');
  });

  it('that exits at once is shown with its exit and its last output, without the secrets in it', { timeout: slow }, async () => {
    const env = { SHOP_PASSWORD: 'correct-horse-canary' };
    const failure = await failedRun({ file: { targets: [appTarget('app', 'exitsAtOnce.mjs', { env })] } });
    expect(failure).toMatchObject({ code: 'target-exited', message: expect.stringContaining('exited with code 3') as string });
    expect(failure.detail).toContain('configuration missing');
    expect(failure.detail).toContain('logged in with [redacted]');
    expect(JSON.stringify(failure)).not.toContain('canary');
  });

  it('that never becomes ready is given up after its time-out, with what it answered', { timeout: slow, ...slowHalf }, async () => {
    const failure = await failedRun({
      file: { targets: [appTarget('app', 'neverReady.mjs', { ready: { path: '/', timeoutMs: 6_000 } })] },
    });
    expect(failure).toMatchObject({ code: 'target-not-ready', message: expect.stringContaining('answered 503') as string });
    expect(failure.detail).toContain('loading the catalogue');
  });

  it('is not taken for ready when another program answers on its port', { timeout: slow, ...longTest }, async () => {
    const failure = await failedRun({
      file: { targets: [appTarget('app', 'foreignListener.mjs', { ready: { path: '/', timeoutMs: 3_000 } })] },
    });
    expect(failure).toMatchObject({
      code: 'target-not-ready',
      message: expect.stringContaining('another program answers on port') as string,
    });
  });

  it('whose required file is missing says which, and how to get it', { timeout: slow }, async () => {
    const failure = await failedRun({
      file: { targets: [appTarget('app', 'steadyService.mjs', { requires: ['app.jar'], requiresCure: 'Run make.' })] },
    });
    expect(failure).toMatchObject({
      code: 'requirement-missing',
      message: expect.stringContaining('app.jar') as string,
      cure: 'Run make.',
    });
  });
});

describe('a port that is not free', () => {
  it('and that the target always uses is named, together with its holder being another program', { timeout: slow }, async () => {
    const server = createServer((_request, response) => response.end('mine')).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    try {
      const failure = await failedRun({ file: { targets: [appTarget('app', 'steadyService.mjs', { port: { fixed: port } })] } });
      expect(failure).toMatchObject({ code: 'port-taken', message: expect.stringContaining(String(port)) as string });
    } finally {
      server.close();
    }
  });

  it('because somebody took it between choice and use is replaced by another one', { timeout: slow, ...longTest }, async () => {
    const folder = temporaryFolder('stolen');
    const mark = path.join(folder, 'first-port');
    const running = await start({ workspaceDir: folder, file: { targets: [appTarget('app', 'portStolen.mjs', { env: { MARK: mark } })] } });
    const { port } = await running.request('target/start', { id: 'app' });
    expect(existsSync(mark)).toBe(true);
    expect(port).not.toBe(Number(readFileSync(mark, 'utf8')));
    await running.request('target/stop', { id: 'app' });
  });
});

describe('Java', () => {
  it('that is nowhere is said in a sentence', { timeout: slow }, async () => {
    // A PATH of its own with nothing in it but the tools that the engine needs.
    const running = await start({ env: { PATH: '/nonexistent', JAVA_HOME: '' } });
    const failure = await failureOf(running.measure({ kind: 'run', targets: ['java'], load: 'smoke' }));
    expect(failure).toMatchObject({
      code: 'java-missing',
      message: expect.stringContaining('Java 17') as string,
      cure: expect.stringContaining('JDK') as string,
    });
    const java = (await running.catalog()).targets.find((target) => target.id === 'java');
    expect(java?.problem?.code).toBe('java-missing');
  });

  it('that the settings name and that does not exist is named', { timeout: slow, ...slowHalf }, async () => {
    const failure = await failedRun({
      javaPath: '/nowhere/bin/java',
      file: { targets: [appTarget('app', '', { command: ['java', '-jar', 'x.jar'] })] },
    });
    expect(failure.message).toContain('/nowhere/bin/java');
  });

  it('that is too old for the classes is called so, with what it printed', { timeout: slow, ...longTest }, async () => {
    const folder = temporaryFolder('old-java');
    mkdirSync(path.join(folder, 'jdk', 'bin'), { recursive: true });
    const java = path.join(folder, 'jdk', 'bin', 'java');
    writeFileSync(
      java,
      '#!/bin/sh\ncase "$1" in -version) echo \'openjdk version "11.0.2"\' >&2; exit 0;; esac\n' +
        'echo "java.lang.UnsupportedClassVersionError: app/Main has been compiled by a more recent version of the Java Runtime (class file version 61.0), this version only recognizes class file versions up to 55.0" >&2\nexit 1\n',
    );
    chmodSync(java, 0o755);
    // A JDK's folder is as good as its program.
    const options = {
      workspaceDir: folder,
      javaPath: path.join(folder, 'jdk'),
      file: { targets: [appTarget('app', '', { command: ['java', '-jar', 'x.jar'] })] },
    };
    const failure = await failedRun(options);
    expect(failure).toMatchObject({ code: 'java-too-old', message: 'app · pool 4 needs Java 17 or later, and ran on Java 11.' });
    expect(failure.detail).toContain('61.0');
  });
});

describe('a benchside.json that cannot be used', () => {
  const good = appTarget('app', 'steadyService.mjs');
  const wrong: [name: string, text: string, at: RegExp][] = [
    ['has a syntax error', '{\n  "targets": [\n    { "id" "app" }\n  ]\n}', /^There is no target “app”\. benchside\.json:3:12: .*expected/],
    [
      'has an unknown key',
      JSON.stringify({ targets: [{ ...good, comand: ['x'] }] }, null, 2),
      /benchside\.json:\d+:7: targets\.0\.comand: there is no such key/,
    ],
    [
      'has a negative pool',
      JSON.stringify({ targets: [{ ...good, settings: { pool: { default: -1, env: 'POOL' } } }] }),
      /targets\.0\.settings\.pool\.default: .*0/,
    ],
    [
      'has a load profile without connections',
      JSON.stringify({ targets: [good], loadProfiles: [{ ...briefLoad, connections: 0 }] }),
      /loadProfiles\.0\.connections: at least one connection/,
    ],
  ];
  it.each(wrong)('because it %s fails the run with file, line and column', { timeout: slow }, async (_name, text, at) => {
    const failure = await failedRun({ file: text });
    expect(failure.message).toMatch(at);
    expect(failure.cure).toContain('benchside.json');
    const { problems } = await engine.catalog();
    expect(problems.length).toBeGreaterThan(0);
    expect(problems[0]?.message).toMatch(/^benchside\.json:\d+:\d+: /);
  });

  it('leaves the samples as they are, and says why its load profile is not there', { timeout: slow }, async () => {
    const running = await start({ file: { targets: [], loadProfiles: [{ ...briefLoad, connections: 0 }] } });
    expect((await running.catalog()).targets.filter(({ origin }) => origin === 'sample').map(({ id }) => id)).toEqual(['node', 'java']);
    const failure = await failureOf(running.measure({ kind: 'run', targets: ['node'], load: 'brief' }));
    expect(failure.message).toMatch(/There is no load profile “brief”\. benchside\.json:.*at least one connection/);
  });
});

describe('a request that makes no sense', () => {
  const file = { targets: [appTarget('app', 'steadyService.mjs')] };
  it.each([
    ['an unknown target', { targets: ['shop'] }, 'target-unknown', /app, node, java/],
    ['an unknown setting', { settings: { threads: [4] } }, 'setting-unknown', /pool/],
    ['a pool outside its range', { settings: { pool: [0] } }, 'setting-value', /from 1 to 64/],
    ['a value twice', { settings: { pool: [4, 4] } }, 'setting-value', /once/],
    ['an unknown load profile', { load: 'hurricane' }, 'unknown-load-profile', /brief.*smoke/],
    ['an unknown route', { route: 'POST /orders' }, 'unknown-route', /GET \//],
    ['zero connections', { connections: [0] }, 'bad-request', /./],
  ])('%s fails before anything is started', { timeout: slow }, async (_name, request, code, cure) => {
    const failure = await failedRun({ file }, request);
    expect(failure.code).toBe(code);
    expect(failure.cure).toMatch(cure);
    expect(engine.events.filter((event) => event.type === 'phase')).toEqual([]);
  });
});

describe('a route that fails', () => {
  it('is found out before anything is measured: with its status, its answer and the app’s last line', { timeout: slow }, async () => {
    const failure = await failedRun({ file: { targets: [appTarget('app', 'steadyService.mjs')] } }, { route: '/fail' });
    expect(failure).toMatchObject({
      code: 'route-fails',
      message: expect.stringMatching(/GET \/fail was answered with 500: .*"path":"\/fail".*“listening with pool 4”\./) as string,
    });
    expect(engine.events.filter((event) => event.type === 'tick')).toEqual([]);
    expect(engine.processes()).toEqual([]);
  });
});

describe('a workspace that is not trusted', () => {
  it('starts nothing of its own, and shows why; its stored runs and the samples are at hand', { timeout: slow, ...longTest }, async () => {
    const running = await start({
      trusted: false,
      file: { targets: [appTarget('app', 'steadyService.mjs')], postgres: { url: 'postgres://evil@127.0.0.1:1/x' } },
    });
    expect((await failureOf(running.measure({ kind: 'run', targets: ['app'], load: 'brief' }))).code).toBe('untrusted');
    expect((await failureOf(running.request('target/start', { id: 'app' }))).code).toBe('untrusted');
    const catalog = await running.catalog();
    expect(catalog.targets.find(({ id }) => id === 'app')?.problem?.code).toBe('untrusted');
    expect(catalog.targets.find(({ id }) => id === 'node')?.problem).toBeNull();
    expect(catalog.services[0]?.external).toBe(false);
    expect((await running.request('runs/list', {})).runs).toEqual([]);
    const { port } = await running.request('target/start', { id: 'node' });
    expect((await fetch(`http://127.0.0.1:${port}/health`)).status).toBe(200);
    await running.request('target/stop', { id: 'node' });
    expect(running.processes().length).toBeGreaterThan(0);
  });
});

import { type AddressInfo, createServer } from 'node:net';
import { once } from 'node:events';
import path from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { findProgram } from '../../src/engine/supervise/program.ts';
import { briefLoad, removeTemporaryFolders, repositoryDir, temporaryFolder, TestEngine } from '../support/engine.ts';

const slow = 60_000;
const appsDir = path.join(repositoryDir, 'test/fixtures/apps');
let engine: TestEngine;

afterEach(() => engine.dispose());
afterAll(removeTemporaryFolders);

async function unusedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

describe('a service that only benchside.json knows', () => {
  it('in Node, with names of its own for port and settings, runs like the samples', { timeout: slow }, async () => {
    engine = await TestEngine.start({
      workspaceDir: temporaryFolder('shop'),
      file: {
        targets: [
          {
            id: 'shop',
            label: 'Shop',
            runtime: 'node',
            command: ['node', 'otherNames.mjs', '{arguments}', '--verbose'],
            cwd: appsDir,
            env: { SERVICE_MODE: 'measured' },
            port: { env: 'LISTEN_ON' },
            ready: { path: '/internal/alive' },
            routes: [{ path: '/articles/:id', parameters: { id: { max: 50 } }, headers: { 'X-User': 'tester' } }],
            settings: { workers: { label: 'Workers', min: 1, max: 8, default: 2, arguments: ['--workers', '{value}'] } },
          },
        ],
      },
    });
    const run = await engine.run({ targets: ['shop'], settings: { workers: [1, 3] }, load: 'brief', rounds: 1 });
    expect(run.trials.map(({ settings, requests, errors }) => ({ settings, answered: requests > 0, errors: errors.total }))).toEqual([
      { settings: { workers: 1 }, answered: true, errors: 0 },
      { settings: { workers: 3 }, answered: true, errors: 0 },
    ]);
    const commands = Object.values(run.plan.commands);
    expect(commands.map(({ argv }) => argv.slice(1))).toEqual([
      ['otherNames.mjs', '--workers', '1', '--verbose'],
      ['otherNames.mjs', '--workers', '3', '--verbose'],
    ]);
    expect(commands[0]?.env).toEqual(['LISTEN_ON', 'SERVICE_MODE']);
    expect(run.routes).toEqual({ shop: ['GET /articles/:id'] });
    const { port } = await engine.request('target/start', { id: 'shop', settings: { workers: 5 } });
    expect(await (await fetch(`http://127.0.0.1:${port}/articles/1`)).json()).toEqual({ workers: '5', user: null });
  });

  const python = findProgram('python3', '/', process.env['PATH']);
  it.skipIf(python === null)('in another language runs too', { timeout: slow }, async () => {
    engine = await TestEngine.start({
      file: {
        targets: [
          {
            id: 'python',
            command: ['python3', path.join(appsDir, 'otherLanguage.py')],
            port: { env: 'HTTP_PORT' },
            routes: [{ path: '/' }],
            settings: { threads: { default: 4, env: 'THREADS' } },
          },
        ],
      },
    });
    const run = await engine.run({ targets: ['python'], settings: { threads: [2, 4] }, load: 'brief', rounds: 1 });
    expect(run.trials.map(({ settings, requests, errors }) => ({ settings, answered: requests > 0, errors: errors.total }))).toEqual([
      { settings: { threads: 2 }, answered: true, errors: 0 },
      { settings: { threads: 4 }, answered: true, errors: 0 },
    ]);
  });

  it('that always uses one port is started again for each block, and the run says so', { timeout: slow }, async () => {
    const port = await unusedPort();
    engine = await TestEngine.start({
      file: {
        targets: [
          {
            id: 'fixed',
            runtime: 'node',
            command: ['node', path.join(appsDir, 'fixedPort.mjs'), '{port}'],
            port: { fixed: port },
            routes: [{ path: '/' }],
            settings: { size: { default: 4, arguments: ['--size={value}'] } },
          },
        ],
        loadProfiles: [{ ...briefLoad, rounds: 2 }],
      },
    });
    const run = await engine.run({ targets: ['fixed'], settings: { size: [2, 8] }, load: 'brief', rounds: 2 });
    const why = run.plan.modeReasons;
    expect({ mode: run.plan.mode, why }).toMatchObject({
      mode: 'restart-per-block',
      why: [{ code: 'not-live' }, { code: 'fixed-port', port }],
    });
    expect(run.notes).toContainEqual({ code: 'mode', why });
    expect(run.trials.map(({ blocks, errors }) => ({ blocks: blocks.length, errors: errors.total }))).toEqual([
      { blocks: 2, errors: 0 },
      { blocks: 2, errors: 0 },
    ]);
    const starts = engine.events.filter((event) => event.type === 'phase' && event.phase === 'targets');
    expect(starts).toHaveLength(4);
    // Each block costs a start and a warm-up too: that is in the remaining time, and every one is a step.
    const remaining = starts.map((event) => (event.type === 'phase' ? (event.remainingMs ?? 0) : 0));
    expect(remaining).toEqual([...remaining].sort((x, y) => y - x));
    expect(remaining[0]).toBeGreaterThan(4 * 1500);
    expect(new Set(starts.map((event) => (event.type === 'phase' ? event.step : 0))).size).toBe(4);
    expect(engine.processes()).toEqual([]);
  });
});

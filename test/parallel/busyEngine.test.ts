import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { type ProcessIdentity, isSameProcess, processIdentity } from '../../src/engine/supervise/identity.ts';
import { appTarget, removeTemporaryFolders, repositoryDir, temporaryFolder, TestEngine, untilGone } from '../support/engine.ts';
import { type LonelyClient, clientOf } from '../support/lonelyClient.ts';
import { longTest, slowHalf } from '../support/testTags.ts';

const preload = path.join(repositoryDir, 'test', 'bench', 'faults', 'preload', 'blockedLoop.cjs');
const env = { NODE_OPTIONS: `--require ${preload}` };
const slow = 60_000;
/** The engine’s 3 s, and what a busy machine takes to notice. */
const endTimeoutMs = 15_000;

const blocked: ProcessIdentity[] = [];
const clients: LonelyClient[] = [];
afterEach(() => {
  for (const client of clients.splice(0)) client.end();
  for (const identity of blocked.splice(0)) if (isSameProcess(identity)) process.kill(identity.pid, 'SIGKILL');
});
afterAll(() => removeTemporaryFolders());

/** From now on the engine hears nothing. */
function block(pid: number): ProcessIdentity {
  const identity = processIdentity(pid);
  if (identity === null) throw new Error('there is no engine');
  blocked.push(identity);
  process.kill(pid, 'SIGUSR2');
  return identity;
}

describe('an engine whose event loop stands still', () => {
  it('is ended by its client 3 s after that has left it, with everything that it had started', { timeout: slow, ...longTest }, async () => {
    const engine = await TestEngine.start({ env, file: { targets: [appTarget('app', 'steadyService.mjs')] } });
    await engine.request('target/start', { id: 'app', settings: {} });
    const started = engine.processes();
    expect(started.length).toBeGreaterThan(0);
    const identity = block(engine.client.pid);
    await engine.dispose();
    expect(isSameProcess(identity)).toBe(false);
    await untilGone(started, endTimeoutMs);
  });

  it.each(['SIGKILL'] as const)('ends when its client was ended by %s', { timeout: slow, ...longTest }, ends);
  it.each(['SIGTERM', 'SIGHUP', 'SIGINT'] as const)('ends when its client was ended by %s', { timeout: slow, ...slowHalf }, ends);

  async function ends(signal: NodeJS.Signals): Promise<void> {
    const client = await clientOf(env, temporaryFolder('storage'));
    clients.push(client);
    const identity = block(client.enginePid);
    client.end(signal);
    await untilGone([identity], endTimeoutMs);
  }

  it('is found by “stop” where nobody else has ended it', { timeout: slow, ...longTest }, async () => {
    const storage = temporaryFolder('storage');
    const client = await clientOf(env, storage);
    clients.push(client);
    const identity = block(client.enginePid);
    // Whoever kills everything of a terminal kills the guard too.
    client.endGuard();
    client.end('SIGKILL');
    const { stdout } = spawnSync(process.execPath, [path.join(repositoryDir, 'dist', 'cli.cjs'), 'stop'], {
      cwd: temporaryFolder('workspace'),
      env: { ...process.env, BENCHSIDE_STORAGE: storage },
      encoding: 'utf8',
    });
    expect(stdout).toBe('Ended 1 processes.\n');
    expect(isSameProcess(identity)).toBe(false);
  });
});

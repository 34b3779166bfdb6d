import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LoadGenerator } from '../../src/engine/load/loadGenerator.ts';
import type { StartOptions } from '../../src/engine/load/loadPlans.ts';
import { childEnvironment } from '../../src/engine/supervise/environment.ts';
import { Supervisor } from '../../src/engine/supervise/supervisor.ts';
import { failureOf, removeTemporaryFolders, temporaryFolder } from '../support/engine.ts';
import { waitFor } from '../support/waitFor.ts';

const supervisor = new Supervisor();
let silentWorker: string;

beforeAll(() => {
  silentWorker = path.join(temporaryFolder('silent'), 'loadWorker.cjs');
  writeFileSync(silentWorker, 'setInterval(() => {}, 1000);');
});
afterAll(async () => {
  await supervisor.stopAll();
  removeTemporaryFolders();
});

function start(options: Partial<StartOptions>): Promise<LoadGenerator> {
  return LoadGenerator.start(supervisor, { nodePath: process.execPath, workerPath: silentWorker, env: childEnvironment(), ...options });
}

describe('a load generator that does not get ready', () => {
  it('is called stuck when its time is over, not dead of the signal that ended it then', async () => {
    const problem = await failureOf(start({ timeoutMs: 20 }));
    expect(problem).toMatchObject({ code: 'load-generator-stuck', message: expect.stringContaining('did not start within') });
    expect(supervisor.children.size).toBe(0);
  });

  it('is ended when the run is cancelled, and says no more than that', async () => {
    const controller = new AbortController();
    const cancelled = new Error('cancelled');
    const starting = start({ signal: controller.signal });
    await waitFor(() => supervisor.children.size === 1, { what: 'the worker' });
    controller.abort(cancelled);
    await expect(starting).rejects.toBe(cancelled);
    expect(supervisor.children.size).toBe(0);
  });

  it('is not started for a run that was cancelled before', async () => {
    const cancelled = new Error('cancelled');
    await expect(start({ signal: AbortSignal.abort(cancelled) })).rejects.toBe(cancelled);
    expect(supervisor.children.size).toBe(0);
  });
});

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'esbuild';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { RunStore } from '../../src/engine/runs/runStore.ts';
import { takeClusterSlot } from '../../src/engine/services/clusterSlot.ts';
import { processIdentity } from '../../src/engine/supervise/identity.ts';
import { Journal } from '../../src/engine/supervise/journal.ts';
import { reapLeftovers } from '../../src/engine/supervise/reap.ts';
import { makeTemporaryFolder, sweepTemporaryFolders } from '../../src/engine/supervise/temporaryFolder.ts';

/** How processes are started in a PID namespace of their own, as those of a container are: there the first of them is number 1. */
const asContainer = [...(process.getuid?.() === 0 ? [] : ['--map-root-user']), '--pid', '--fork', '--kill-child', '--mount-proc'];
const canIsolate = process.platform === 'linux' && spawnSync('unshare', [...asContainer, 'true'], { stdio: 'ignore' }).status === 0;

let folder: string;
let script: string;
let container: ChildProcess | null = null;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'benchside-namespaces-'));
  script = path.join(folder, 'engine.mjs');
  await build({
    stdin: {
      contents: `
        import { createInterface } from 'node:readline';
        import { RunStore } from '../../src/engine/runs/runStore.ts';
        import { takeClusterSlot } from '../../src/engine/services/clusterSlot.ts';
        import { processIdentity } from '../../src/engine/supervise/identity.ts';
        import { Journal } from '../../src/engine/supervise/journal.ts';
        import { reapLeftovers } from '../../src/engine/supervise/reap.ts';
        import { makeTemporaryFolder, sweepTemporaryFolders } from '../../src/engine/supervise/temporaryFolder.ts';
        import { exampleRun } from '../support/runRecords.ts';
        const folder = process.argv[2] ?? '';
        const store = new RunStore(folder + '/.benchside');
        const say = (value) => console.log(JSON.stringify(value));
        if (process.argv[3] === 'hold') {
          new Journal(folder + '/journals', 'inside', processIdentity(process.pid));
          const writer = await store.begin(store.newId());
          const slot = takeClusterSlot(folder + '/postgres', '18', null);
          say({ pid: process.pid, slot: slot.dir, temporary: makeTemporaryFolder('run', folder) });
          await new Promise((resolve) => createInterface({ input: process.stdin }).once('line', resolve));
          await writer.commit(exampleRun({ id: writer.id }));
          say({ stored: writer.id });
        } else {
          say({
            reaped: await reapLeftovers(folder + '/journals'),
            runs: await store.sweep(),
            folders: await sweepTemporaryFolders([folder]),
            slot: takeClusterSlot(folder + '/postgres', '18', null).dir,
          });
        }
        process.exit(0);
      `,
      resolveDir: import.meta.dirname,
      loader: 'ts',
    },
    outfile: script,
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
  });
});
afterEach(async () => {
  if (container === null || container.exitCode !== null || container.signalCode !== null) return;
  container.kill('SIGKILL');
  await once(container, 'exit');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Starts an engine's work in a namespace of its own; gives what it says, line by line. */
function inContainer(shared: string, task: 'hold' | 'sweep'): () => Promise<Record<string, unknown>> {
  container = spawn('unshare', [...asContainer, process.execPath, script, shared, task], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: container.stdout as NodeJS.ReadableStream })[Symbol.asyncIterator]();
  return async () => JSON.parse(String((await lines.next()).value)) as Record<string, unknown>;
}

describe.runIf(canIsolate)('an engine in a container that shares folders with its host', () => {
  it('keeps its run, its database folder, its journal and its temporary folder from the host’s engine', async () => {
    const shared = mkdtempSync(path.join(folder, 'inside-'));
    const said = inContainer(shared, 'hold');
    const held = await said();
    // Out here that number is another process or none: by it alone the engine would look dead.
    expect(held['pid']).toBe(1);
    expect(await reapLeftovers(path.join(shared, 'journals'))).toEqual({ processes: 0, journals: 0 });
    expect(readdirSync(path.join(shared, 'journals'))).toEqual(['inside.jsonl']);
    const store = new RunStore(path.join(shared, '.benchside'));
    expect(await store.sweep()).toBe(0);
    expect(await sweepTemporaryFolders([shared])).toBe(0);
    expect(readdirSync(shared)).toContain(path.basename(String(held['temporary'])));
    const slot = takeClusterSlot(path.join(shared, 'postgres'), '18', null);
    expect(slot.dir).not.toBe(held['slot']);
    slot.release();
    container?.stdin?.write('go on\n');
    const { stored } = await said();
    expect((await store.list()).map(({ id }) => id)).toEqual([stored]);
  });

  it('leaves alone what the host’s engine is at', async () => {
    const shared = mkdtempSync(path.join(folder, 'outside-'));
    const self = processIdentity(process.pid);
    if (self === null) throw new Error('this process has no identity');
    const journal = new Journal(path.join(shared, 'journals'), 'outside', self);
    const store = new RunStore(path.join(shared, '.benchside'));
    const writer = await store.begin(store.newId());
    const slot = takeClusterSlot(path.join(shared, 'postgres'), '18', null);
    makeTemporaryFolder('run', shared);
    expect(await inContainer(shared, 'sweep')()).toEqual({
      reaped: { processes: 0, journals: 0 },
      runs: 0,
      folders: 0,
      slot: slot.dir.replace(/0$/, '1'),
    });
    slot.release();
    journal.close();
    await writer.abandon();
  });
});

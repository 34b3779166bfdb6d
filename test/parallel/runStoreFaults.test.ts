import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RunStore } from '../../src/engine/runs/runStore.ts';
import { slowHalf } from '../support/testTags.ts';

let folder: string;
let writerScript: string;
let fullDiskScript: string;

/** Bundles a script that uses the store, so that plain node can run it in a process of its own. */
async function bundle(name: string, source: string): Promise<string> {
  const outfile = join(folder, `${name}.mjs`);
  await build({
    stdin: { contents: source, resolveDir: new URL('.', import.meta.url).pathname, loader: 'ts' },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
  });
  return outfile;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'benchside-faults-'));
  writerScript = await bundle(
    'writer',
    `
    import { RunStore } from '../../src/engine/runs/runStore.ts';
    import { exampleRun } from '../support/runRecords.ts';
    const store = new RunStore(process.argv[2] ?? '');
    console.log('ready');
    for (;;) {
      const id = store.newId();
      const writer = await store.begin(id);
      const ticks = writer.append('ticks.ndjson');
      for (let index = 0; index < 50; index += 1) ticks.add({ index, text: 'x'.repeat(500) });
      await writer.writeFile('histogram.txt', 'h'.repeat(200_000));
      await writer.writeLog('app.log', 'l'.repeat(20_000));
      await writer.commit(exampleRun({ id }));
      console.log(id);
    }
    `,
  );
  fullDiskScript = await bundle(
    'fullDisk',
    `
    import { readdirSync, statfsSync } from 'node:fs';
    import { toFailure } from '../../src/model/domain/failure.ts';
    import { RunStore } from '../../src/engine/runs/runStore.ts';
    import { exampleRun } from '../support/runRecords.ts';
    const root = process.argv[2] ?? '';
    const store = new RunStore(root);
    const failures = [];
    const attempt = async (how) => {
      const id = store.newId();
      try {
        const writer = await store.begin(id);
        await how(writer);
        await writer.commit(exampleRun({ id }));
        return id;
      } catch (error) {
        failures.push(toFailure(error));
        return null;
      }
    };
    const kept = await attempt((writer) => writer.writeFile('a.txt', 'a'));
    await attempt((writer) => writer.writeFile('big.bin', new Uint8Array(4_000_000)));
    await attempt(async (writer) => {
      const lines = writer.append('ticks.ndjson');
      for (let index = 0; index < 4_000; index += 1) lines.add({ text: 'x'.repeat(1_000) });
    });
    const filled = [];
    for (let count = 0; count < 200 && failures.length < 3; count += 1) filled.push(await attempt((writer) => writer.writeFile('a.txt', 'a'.repeat(9_000))));
    const acknowledged = [kept, ...filled].filter((id) => id !== null);
    const list = await store.list();
    for (const id of acknowledged) await store.read(id);
    await store.remove(kept);
    await store.sweep(Date.now() + 25 * 60 * 60 * 1000);
    const after = await attempt((writer) => writer.writeFile('a.txt', 'a'));
    console.log(JSON.stringify({ failures, acknowledged, list, entries: readdirSync(root + '/runs'), after, free: statfsSync(root).bavail }));
    `,
  );
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('a writer that is killed', () => {
  it('at any of 8 moments leaves whole runs only, and every acknowledged one', { timeout: 240_000 }, async () => {
    await killedAt(8);
  });
  it('at any of 48 moments leaves whole runs only, and every acknowledged one', { timeout: 240_000, ...slowHalf }, async () => {
    expect(await killedAt(48)).toBeGreaterThan(0);
  });

  /** @returns how many runs it was killed in the middle of */
  async function killedAt(moments: number): Promise<number> {
    const root = join(await mkdtemp(join(folder, 'killed-')), '.benchside');
    const acknowledged: string[] = [];

    /** Kills a writer `momentMs` after it has acknowledged `runs` runs. */
    const killAfter = async (runs: number, momentMs: number): Promise<void> => {
      const child = spawn(process.execPath, [writerScript, root], { stdio: ['ignore', 'pipe', 'inherit'] });
      const exited = once(child, 'close');
      await new Promise<void>((resolve) => {
        let lines = 0;
        createInterface(child.stdout).on('line', (line) => {
          if (line !== 'ready') acknowledged.push(line);
          if (lines === runs) resolve();
          lines += 1;
        });
      });
      // Not a wait for a condition: the moment of death is the input of this test.
      await new Promise((resolve) => setTimeout(resolve, momentMs));
      expect(child.kill('SIGKILL')).toBe(true);
      await exited;
    };
    const stepMs = 24 / moments;
    const kills = Array.from({ length: moments }, (_, index) => ({ runs: index % 3, momentMs: index * stepMs }));
    for (let index = 0; index < moments; index += 2)
      await Promise.all(kills.slice(index, index + 2).map(({ runs, momentMs }) => killAfter(runs, momentMs)));

    const store = new RunStore(root);
    const list = await store.list();
    expect(list.filter((summary) => summary.kind === 'unreadable')).toEqual([]);
    const visible = new Set(list.map((summary) => summary.id));
    expect(acknowledged.length).toBeGreaterThanOrEqual(kills.reduce((sum, { runs }) => sum + runs, 0));
    expect(acknowledged.filter((id) => !visible.has(id))).toEqual([]);
    for (const id of visible) expect((await store.read(id)).files).toHaveLength(3);
    const leftOver = (await readdir(store.runsFolder)).filter((name) => name.startsWith('.tmp-'));
    expect(await store.sweep()).toBe(leftOver.length);
    expect((await readdir(store.runsFolder)).sort()).toEqual([...visible].sort());
    return leftOver.length;
  }
});

/** A file system of 1 MiB in a mount namespace of the child alone: it is gone when the child ends. Root needs no user namespace for it. */
const namespaces = process.getuid?.() === 0 ? ['-m'] : ['-r', '-m'];
const canMount =
  process.platform === 'linux' &&
  spawnSync('unshare', [...namespaces, 'mount', '-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', tmpdir()], { stdio: 'ignore' }).status === 0;

describe('a full disk', () => {
  // Where mounting is not allowed, test/unit/runs/runFiles.test.ts covers short writes and ENOSPC with a handle that fails on purpose.
  it.skipIf(!canMount)(
    'fails the run with a cause and a cure, keeps earlier runs, leaves nothing half-written, and works again once there is room',
    async () => {
      const mountPoint = join(folder, 'disk');
      await mkdir(mountPoint);
      const command = 'mount -t tmpfs -o size=1m tmpfs "$1" && exec "$2" "$3" "$1/.benchside"';
      const child: ChildProcess = spawn(
        'unshare',
        [...namespaces, 'sh', '-c', command, 'sh', mountPoint, process.execPath, fullDiskScript],
        {
          stdio: ['ignore', 'pipe', 'inherit'],
        },
      );
      let output = '';
      child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
      await once(child, 'close');
      const result = JSON.parse(output) as {
        failures: { code: string; message: string; cure: string }[];
        acknowledged: string[];
        list: { id: string; kind: string }[];
        entries: string[];
        after: string | null;
      };
      expect(result.failures.map((failure) => failure.code)).toEqual(['disk-full', 'disk-full', 'disk-full']);
      for (const { message, cure } of result.failures) {
        expect(message).toContain(join(mountPoint, '.benchside', 'runs'));
        expect(cure).toMatch(/Free some space/);
      }
      expect(result.acknowledged.length).toBeGreaterThan(3);
      expect(result.list.map((summary) => summary.id).sort()).toEqual([...result.acknowledged].sort());
      expect(result.list.every((summary) => summary.kind === 'run')).toBe(true);
      expect(result.after).not.toBeNull();
      expect(result.entries.sort()).toEqual([...result.acknowledged.slice(1), result.after].sort());
    },
    30_000,
  );
});

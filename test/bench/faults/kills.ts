import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'esbuild';
import * as z from 'zod';
import { RunStore } from '../../../src/engine/runs/runStore.ts';
import type { SeededRandom } from '../../../src/engine/statistics/seededRandom.ts';
import { repositoryDir, temporaryFolder } from '../../support/engine.ts';
import { signalProcess, startOwned } from '../../support/ownedProcesses.ts';

/** What came of many kills of a writer. */
export const killsSchema = z.object({
  kills: z.number(),
  acknowledged: z.number().describe('runs of which the writer had been told that they are stored'),
  unfinished: z.number().describe('folders of runs that were being written when their writer was killed'),
  lost: z.number().describe('acknowledged runs that are not there, or not whole'),
  halfVisible: z.number().describe('runs on the list that cannot be read as they were written'),
  notSwept: z.number().describe('unfinished folders that the next sweep left'),
  medium: z.enum(['disk', 'memory']).default('disk').describe('where the store was'),
  commit: z.string().nullable(),
});
export type Kills = z.infer<typeof killsSchema>;

/** Writes that are under way in one writer: to start one takes longer than to write some runs, and a kill breaks off all of them. */
const atOnce = 3;

/** Bundles the writer: it stores runs with the real store, some at the same time, and says that it begins, and the id of each run when it is stored. */
export async function bundleWriter(): Promise<string> {
  const file = path.join(temporaryFolder('writer'), 'writer.mjs');
  await build({
    stdin: {
      contents: `
        import { RunStore } from '${repositoryDir}/src/engine/runs/runStore.ts';
        import { exampleRun } from '${repositoryDir}/test/support/runRecords.ts';
        import { writeSync } from 'node:fs';
        const store = new RunStore(process.argv[2]);
        const storeRuns = async () => {
          for (;;) {
            const id = store.newId();
            const writer = await store.begin(id);
            const ticks = writer.append('ticks.ndjson');
            for (let index = 0; index < 20; index += 1) ticks.add({ index, text: 'x'.repeat(200) });
            await writer.writeFile('latency-1.hdr', 'h'.repeat(20_000));
            await writer.commit(exampleRun({ id }));
            writeSync(1, id + '\\n');
          }
        };
        writeSync(1, 'begins\\n');
        for (let lane = 0; lane < ${atOnce}; lane += 1) void storeRuns();
      `,
      resolveDir: repositoryDir,
      loader: 'ts',
    },
    outfile: file,
    bundle: true,
    platform: 'node',
    format: 'esm',
    minify: true,
    logLevel: 'error',
  });
  return file;
}

/**
 * Kills `count` writers, each at a random moment of its first writes or of later ones, in a store of their own; then looks at every run that is there.
 * Several at a time write into the same store, as several windows do.
 */
export async function killWriters(writer: string, count: number, random: SeededRandom, parallel: number): Promise<Omit<Kills, 'commit'>> {
  // On a disk most of a write is waiting for it, in memory most of it is our own steps.
  const memory = '/dev/shm';
  const inMemory = existsSync(memory) && random.nextInteger(0, 1) === 0;
  const home = inMemory ? mkdtempSync(path.join(memory, 'benchside-kills-')) : temporaryFolder('kills');
  try {
    return {
      ...(await killInto(path.join(home, '.benchside'), { writer, count, random, parallel })),
      medium: inMemory ? 'memory' : 'disk',
    };
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** How long the first run of a writer took lately, from when it begins: on a busy machine it takes ten times as long. */
let firstMs = 30;

interface Killing {
  writer: string;
  count: number;
  random: SeededRandom;
  parallel: number;
}

async function killInto(root: string, { writer, count, random, parallel }: Killing): Promise<Omit<Kills, 'commit' | 'medium'>> {
  mkdirSync(root);
  const acknowledged: string[] = [];
  let begun = 0;
  const killOne = async (): Promise<void> => {
    const {
      process: child,
      identity,
      exited,
    } = await startOwned(process.execPath, [writer, root], { stdio: ['ignore', 'pipe', 'ignore'] });
    const share = (2 * random.nextInteger(0, 1_000)) / 1_000;
    await new Promise<void>((resolve) => {
      let beganAt = 0;
      const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream });
      lines.on('line', (line) => {
        if (line === 'begins') {
          beganAt = performance.now();
          setTimeout(() => signalProcess(identity, 'SIGKILL'), share * firstMs);
          return;
        }
        if (beganAt !== 0) firstMs += (performance.now() - beganAt - firstMs) / 8;
        beganAt = 0;
        acknowledged.push(line);
      });
      // Lines that were in the pipe at the moment of death have been acknowledged too.
      lines.on('close', () => {
        // It was killed before its first run, which may take longer than was thought.
        if (beganAt !== 0) firstMs *= 1.05;
        resolve();
      });
    });
    await exited;
  };
  await Promise.all(
    Array.from({ length: parallel }, async () => {
      for (; begun < count;) {
        begun += 1;
        await killOne();
      }
    }),
  );
  const store = new RunStore(root);
  const unfinished = readdirSync(store.runsFolder).filter((name) => name.startsWith('.tmp-')).length;
  const swept = await store.sweep();
  const visible = readdirSync(store.runsFolder).filter((name) => !name.startsWith('.'));
  const whole = new Set<string>();
  for (const id of visible) {
    const run = await store.read(id).catch(() => null);
    if (run?.files.length === 2) whole.add(id);
  }
  const listed = (await store.list()).filter(({ kind }) => kind === 'unreadable').length;
  return {
    kills: count,
    acknowledged: acknowledged.length,
    unfinished,
    lost: acknowledged.filter((id) => !whole.has(id)).length,
    halfVisible: Math.max(listed, visible.length - whole.size),
    notSwept: unfinished - swept,
  };
}

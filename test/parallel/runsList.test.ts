import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readInThread } from '../../src/engine/runs/runListThread.ts';
import { RunStore } from '../../src/engine/runs/runStore.ts';
import { repositoryDir } from '../support/engine.ts';
import { exampleRun, exampleTrial } from '../support/runRecords.ts';
import { slowHalf } from '../support/testTags.ts';

const runs = 500;
const workerPath = path.join(repositoryDir, 'dist', 'runListWorker.cjs');
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'benchside-list-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** CPU time that this thread alone has had, ms: what it was kept waiting for by a busy machine does not count. */
function threadCpuMs(): number {
  return Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
}

/** The longest time, in CPU ms, for which this thread did nothing else while `work` was under way. */
async function longestBlockMs<T>(work: () => Promise<T>): Promise<{ result: T; blockMs: number }> {
  let blockMs = 0;
  let before = threadCpuMs();
  let done = false;
  const look = (): void => {
    const now = threadCpuMs();
    blockMs = Math.max(blockMs, now - before);
    before = now;
    if (!done) setImmediate(look);
  };
  setImmediate(look);
  const result = await work();
  done = true;
  return { result, blockMs: Math.max(blockMs, threadCpuMs() - before) };
}

describe.runIf(process.platform === 'linux')('the list of 500 large runs', () => {
  it(
    'never keeps the engine for 50 ms, neither when every record is read nor from the index',
    { timeout: 300_000, ...slowHalf },
    async () => {
      const root = path.join(folder, '.benchside');
      const store = new RunStore(root);
      // A ladder of many settings in many rounds: more than a quarter of a megabyte.
      const trials = Array.from({ length: 40 }, (_, pool) => exampleTrial({ settings: { pool: pool + 1 }, rounds: 12 }));
      const text = JSON.stringify(exampleRun({ id: 'ID', trials }));
      expect(text.length).toBeGreaterThan(250_000);
      for (let count = 0; count < runs; count += 1) {
        const id = store.newId();
        mkdirSync(path.join(root, 'runs', id), { recursive: true });
        writeFileSync(path.join(root, 'runs', id, 'run.json'), text.replace('"ID"', `"${id}"`));
      }
      const first = await longestBlockMs(() => new RunStore(root, { readListed: readInThread(workerPath) }).list());
      expect(first.result.filter(({ kind }) => kind === 'run')).toHaveLength(runs);
      expect(first.blockMs).toBeLessThan(50);
      const next = await longestBlockMs(() =>
        new RunStore(root, { readListed: () => Promise.reject(new Error('nothing is to be read')) }).list(),
      );
      expect(next.result).toEqual(first.result);
      expect(next.blockMs).toBeLessThan(50);
    },
  );

  it('is read here where the thread cannot be started', async () => {
    const store = new RunStore(path.join(folder, 'other', '.benchside'), { readListed: readInThread(path.join(folder, 'nowhere.cjs')) });
    mkdirSync(path.join(folder, 'other'));
    const id = store.newId();
    const writer = await store.begin(id);
    await writer.commit(exampleRun({ id }));
    expect(await store.list()).toMatchObject([{ kind: 'run', id }]);
  });
});

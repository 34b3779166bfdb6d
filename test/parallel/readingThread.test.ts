import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ReadingThread } from '../../src/engine/reading/readingThread.ts';
import { appTarget, failureOf, removeTemporaryFolders, repositoryDir, temporaryFolder, writeWorkspaceFile } from '../support/engine.ts';

const worker = path.join(repositoryDir, 'dist', 'readingWorker.cjs');
afterAll(() => removeTemporaryFolders());

/** Reads as the real one does, but for what it has to do instead. */
function workerThat(does: string): string {
  const file = path.join(temporaryFolder('worker'), 'worker.cjs');
  writeFileSync(file, `require('node:worker_threads').parentPort.once('message', () => { ${does} });`);
  return file;
}
const endless = 'for (;;);';
const greedy = 'const all = []; for (;;) all.push({ a: all.length });';

describe('what somebody else wrote', () => {
  it('is read in a thread, and the services of a folder are those that are there', async () => {
    const dir = temporaryFolder('service');
    writeFileSync(path.join(dir, 'package.json'), JSON.stringify({ name: 'shop', main: 'a.js', dependencies: { express: '5' } }));
    writeFileSync(path.join(dir, 'a.js'), "app.get('/orders', list);");
    const { services } = await new ReadingThread(worker).read('discover', { dir });
    expect(services.map(({ id }) => id)).toEqual(['shop']);
  });

  it('is given up where it takes too long, while the engine’s own thread goes on', async () => {
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 10);
    const reading = new ReadingThread(workerThat(endless), { deadlineMs: 500 });
    const failure = await failureOf(reading.read('discover', { dir: '/' }));
    clearInterval(timer);
    expect(failure).toMatchObject({ code: 'reading-too-long', message: 'The folder takes more than 0.5 s to read.' });
    expect(failure.cure).toContain('benchside.json');
    expect(turns).toBeGreaterThan(5);
  });

  it('is given up where it needs too much memory', async () => {
    const reading = new ReadingThread(workerThat(greedy), { heapMb: 32 });
    expect(await failureOf(reading.read('discover', { dir: '/' }))).toMatchObject({ code: 'reading-too-large' });
  });

  it('is given up when the client asks for that', async () => {
    const stop = new AbortController();
    setTimeout(() => stop.abort(new Error('enough')), 100);
    await expect(new ReadingThread(workerThat(endless)).read('discover', { dir: '/' }, stop.signal)).rejects.toThrow('enough');
  });

  it('is a problem of benchside.json where that takes too long, and is read anew when it has changed', async () => {
    const dir = temporaryFolder('declared');
    expect(await new ReadingThread(worker).workspaceFile(dir)).toBeNull();
    writeWorkspaceFile(dir, { targets: [appTarget('one', 'a.mjs')] });
    const late = await new ReadingThread(workerThat(endless), { deadlineMs: 300 }).workspaceFile(dir);
    expect(late).toMatchObject({
      content: null,
      problems: [{ code: 'workspace-file', cure: expect.stringContaining('smaller') as string }],
    });
    const reading = new ReadingThread(worker);
    const ids = async (): Promise<unknown> => (await reading.workspaceFile(dir))?.content?.targets.map(({ id }) => id);
    expect(await ids()).toEqual(['one']);
    expect(await ids()).toEqual(['one']);
    writeWorkspaceFile(dir, { targets: [appTarget('two', 'a.mjs')] });
    expect(await ids()).toEqual(['two']);
  });

  it('is no folder of experiments of another folder', async () => {
    const dir = temporaryFolder('experiments');
    const outside = temporaryFolder('outside');
    writeFileSync(path.join(outside, 'x.json'), '{}');
    mkdirSync(path.join(dir, 'profiles', 'experiments'), { recursive: true });
    symlinkSync(path.join(outside, 'x.json'), path.join(dir, 'profiles', 'experiments', 'x.json'));
    const { problems } = await new ReadingThread(worker).read('savedRequests', { assetsDir: repositoryDir, workspaceDir: dir });
    expect(problems).toMatchObject([{ code: 'experiment-file' }]);
  });
});

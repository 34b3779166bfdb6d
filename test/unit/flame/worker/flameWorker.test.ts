import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { build } from 'esbuild';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { packSamples, packTree } from '../../../../src/model/domain/packedTree.ts';
import type { FlameModel } from '../../../../webview/flame/core/flameModel.ts';
import { type WorkerLike, modelOver } from '../../../../webview/flame/worker/workerFlameModel.ts';
import { engineWith, recordingOf, wholeView } from '../core/recordings.ts';

const root = path.resolve(import.meta.dirname, '../../../..');
const tree = recordingOf([{ frames: [{ func: 0, line: 0 }, { func: 1, line: 0 }], role: 'none', thread: 0, state: 0, weightNs: 5 }]); // prettier-ignore
let source = '';
let model: FlameModel | null = null;

beforeAll(async () => {
  const result = await build({
    absWorkingDir: root,
    entryPoints: ['webview/flame/worker/flameWorker.ts'],
    bundle: true,
    write: false,
    platform: 'browser',
    format: 'iife',
    target: 'es2022',
    minify: true,
  });
  source = result.outputFiles[0]?.text ?? '';
});
afterEach(() => model?.dispose());

/** A thread that runs the bundle as a browser's worker would: the same messages, the same handing over of buffers. */
function thread(code: string): WorkerLike {
  const bridge = `const { parentPort } = require('node:worker_threads');
    globalThis.postMessage = (message, transfer) => parentPort.postMessage(message, transfer);
    parentPort.on('message', (data) => globalThis.onmessage({ data }));`;
  const worker = new Worker(`${bridge}\n${code}`, { eval: true });
  const like: WorkerLike = {
    postMessage: (message, transfer) => worker.postMessage(message, transfer as ArrayBuffer[]),
    terminate: () => void worker.terminate(),
    onmessage: null,
    onerror: null,
    onmessageerror: null,
  };
  worker.on('message', (data) => like.onmessage?.({ data } as MessageEvent));
  worker.on('error', (error) => like.onerror?.({ message: error.message, preventDefault: () => undefined } as ErrorEvent));
  return like;
}

describe('the model over its worker', () => {
  it('answers as the engine does, and hands bytes over instead of copying them', async () => {
    model = modelOver(thread(source));
    const packed = packTree(tree);
    const opening = model.openTree('a', packed);
    expect(packed.byteLength).toBe(0);
    expect((await opening).name).toEqual(tree.functions.name);
    await model.openSamples('a', packSamples(tree.samples) as Uint8Array);
    const engine = engineWith(tree);
    expect(await model.layout(wholeView)).toEqual(engine.layout(wholeView));
    expect(await model.search('proto', false)).toEqual(engine.search('proto', false));
    expect(await model.table(wholeView)).toEqual(engine.table(wholeView));
    expect(await model.threadStrip(wholeView, 3)).toEqual(engine.threadStrip(wholeView, 3));
    const callers = { func: 1, direction: 'callers' as const };
    expect(await model.sandwich(wholeView, callers)).toEqual(engine.sandwich(wholeView, callers));
  });

  it('supersedes what has not been begun by a later request of its kind', async () => {
    model = modelOver(thread(source));
    const outcome = (request: Promise<unknown>): Promise<string> => request.then(() => 'served', (error: unknown) => (error instanceof Error ? error.name : '')); // prettier-ignore
    const requests = [
      model.openTree('a', packTree(tree)),
      model.layout(wholeView),
      model.layout(wholeView),
      model.search('a', false),
      model.layout(wholeView),
      model.search('b', false),
    ];
    requests.push(
      model.sandwich(wholeView, { func: 0, direction: 'callers' }),
      model.sandwich(wholeView, { func: 0, direction: 'callees' }),
    );
    expect(await Promise.all(requests.map(outcome))).toEqual([
      'served',
      'AbortError',
      'AbortError',
      'AbortError',
      'served',
      'served',
      'served',
      'served',
    ]);
  });

  it('rejects with what the engine threw: a failure with its cure, a wrong expression as a SyntaxError', async () => {
    model = modelOver(thread(source));
    await expect(model.layout(wholeView)).rejects.toMatchObject({ name: 'FailureError', failure: { code: 'no-recording' } });
    await model.openTree('a', packTree(tree));
    await model.layout(wholeView);
    await expect(model.search('(', true)).rejects.toBeInstanceOf(SyntaxError);
    await expect(model.openTree('b', new Uint8Array(3))).rejects.toThrow('cut short');
    expect((await model.layout(wholeView)).total).toBe(5);
  });

  it('rejects everything once the worker has crashed or was disposed', async () => {
    model = modelOver(thread(`${source};setTimeout(() => { throw new Error('gone'); });onmessage = () => undefined;`));
    const first = model.layout(wholeView);
    const second = model.table(wholeView);
    for (const request of [first, second])
      await expect(request).rejects.toMatchObject({ failure: { code: 'flame-worker-stopped', detail: 'gone' } });
    await expect(model.table(wholeView)).rejects.toMatchObject({ failure: { code: 'flame-worker-stopped' } });
    model = modelOver(thread(source));
    const left = model.layout(wholeView);
    model.dispose();
    await expect(left).rejects.toMatchObject({ name: 'AbortError' });
  });
});

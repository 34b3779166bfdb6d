import { Worker } from 'node:worker_threads';
import { type ListedRun, readListedRun } from './listedRun.ts';

export interface ToRunListWorker {
  folder: string;
  id: string;
}
export interface FromRunListWorker {
  folder: string;
  listed: ListedRun | null;
}

export type ListedRunReader = (folder: string, id: string) => Promise<ListedRun | null>;

/** Reads runs in a thread that is there only while there is something to read. Where the thread fails, the run is read here. */
export function readInThread(workerPath: string): ListedRunReader {
  const waiting = new Map<string, { id: string; resolve: (listed: ListedRun | null | Promise<ListedRun | null>) => void }>();
  let worker: Worker | null = null;
  const end = (): void => {
    const ended = worker;
    worker = null;
    // The thread did not answer these.
    for (const [folder, { id, resolve }] of waiting) resolve(readListedRun(folder, id));
    waiting.clear();
    void ended?.terminate();
  };
  const start = (): Worker => {
    const started = new Worker(workerPath, { stdout: false, stderr: false });
    started.on('message', ({ folder, listed }: FromRunListWorker) => {
      waiting.get(folder)?.resolve(listed);
      waiting.delete(folder);
      if (waiting.size === 0) end();
    });
    started.on('error', () => {
      if (worker === started) end();
    });
    started.unref();
    return started;
  };
  return (folder, id) =>
    new Promise((resolve) => {
      const earlier = waiting.get(folder);
      waiting.set(folder, {
        id,
        resolve: (listed) => {
          earlier?.resolve(listed);
          resolve(listed);
        },
      });
      worker ??= start();
      if (earlier === undefined) worker.postMessage({ folder, id } satisfies ToRunListWorker);
    });
}

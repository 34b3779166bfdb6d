import { parentPort } from 'node:worker_threads';
import { readListedRun } from './listedRun.ts';
import type { FromRunListWorker, ToRunListWorker } from './runListThread.ts';

/** A thread that reads whole records, so that the engine's own stays free for what it measures meanwhile. */
parentPort?.on('message', ({ folder, id }: ToRunListWorker) => {
  void readListedRun(folder, id).then((listed) => parentPort?.postMessage({ folder, listed } satisfies FromRunListWorker));
});

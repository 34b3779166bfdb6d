import { Worker } from 'node:worker_threads';
import { type Failure, failure, FailureError } from '../../model/domain/failure.ts';
import type { K6Read, K6Reading } from './k6Blocks.ts';

export type FromK6Worker =
  | { type: 'progress'; file: number; bytes: number }
  | { type: 'read'; read: K6Read }
  | { type: 'failed'; failure: Failure };

/** As `readK6Blocks`, in a thread of its own: ten million rows would keep the engine from everything else for half a minute. */
export async function readInThread(
  workerPath: string,
  reading: K6Reading,
  { signal, onProgress }: { signal: AbortSignal; onProgress?: (file: number, bytes: number) => void },
): Promise<K6Read> {
  signal.throwIfAborted();
  const worker = new Worker(workerPath, { workerData: reading, stdout: false, stderr: false });
  const over = new AbortController();
  const read = new Promise<K6Read>((resolve, reject) => {
    const cancel = (): void => reject(signal.reason instanceof Error ? signal.reason : failure('cancelled', 'Cancelled.'));
    signal.addEventListener('abort', cancel, { once: true, signal: over.signal });
    worker.on('message', (message: FromK6Worker) => {
      if (message.type === 'progress') onProgress?.(message.file, message.bytes);
      else if (message.type === 'read') resolve(message.read);
      else reject(new FailureError(message.failure));
    });
    worker.on('error', reject);
    worker.on('exit', () => reject(failure('internal', 'The thread that reads k6’s files ended.')));
  });
  return read.finally(() => {
    over.abort();
    void worker.terminate();
  });
}

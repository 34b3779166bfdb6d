import { Worker } from 'node:worker_threads';
import { failure, FailureError } from '../../model/domain/failure.ts';
import type { Failure } from '../../model/domain/failure.ts';
import type { K6Read, K6Reading } from './k6Blocks.ts';

export type FromK6Worker =
  | { type: 'progress'; file: number; bytes: number }
  | { type: 'read'; read: K6Read }
  | { type: 'failed'; failure: Failure };

/** As `readK6Blocks`, in a thread of its own: ten million rows would keep the engine from everything else for half a minute. */
export function readInThread(
  workerPath: string,
  reading: K6Reading,
  { signal, onProgress }: { signal: AbortSignal; onProgress?: (file: number, bytes: number) => void },
): Promise<K6Read> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const worker = new Worker(workerPath, { workerData: reading, stdout: false, stderr: false });
    const end = (): void => {
      signal.removeEventListener('abort', onAbort);
      void worker.terminate();
    };
    const onAbort = (): void => {
      end();
      reject(signal.reason instanceof Error ? signal.reason : failure('cancelled', 'Cancelled.'));
    };
    signal.addEventListener('abort', onAbort, { once: true });
    worker.on('message', (message: FromK6Worker) => {
      if (message.type === 'progress') {
        onProgress?.(message.file, message.bytes);
        return;
      }
      end();
      if (message.type === 'read') resolve(message.read);
      else reject(new FailureError(message.failure));
    });
    worker.on('error', (error) => {
      end();
      reject(error);
    });
    worker.on('exit', () => reject(failure('internal', 'The thread that reads k6’s files ended.')));
  });
}

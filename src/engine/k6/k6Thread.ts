import { failure } from '../../model/domain/failure.ts';
import { AskedThread } from '../supervise/askedThread.ts';
import type { K6Read, K6Reading } from './k6Blocks.ts';

export interface K6Questions {
  read: { params: K6Reading; result: K6Read; news: { file: number; bytes: number } };
}

/** Of the rows only histograms are kept. */
const heapMb = 4096;

/** As `readK6Blocks`, in a thread of its own: ten million rows would keep the engine from everything else for half a minute. */
export async function readInThread(
  workerPath: string,
  reading: K6Reading,
  { signal, onProgress }: { signal: AbortSignal; onProgress?: (file: number, bytes: number) => void },
): Promise<K6Read> {
  const thread = new AskedThread<K6Questions>(workerPath, heapMb, {
    ended: () => failure('internal', 'The thread that reads k6’s files ended.'),
    broken: (error) => error,
  });
  return thread.ask('read', reading, signal, ({ file, bytes }) => onProgress?.(file, bytes)).finally(() => thread.close());
}

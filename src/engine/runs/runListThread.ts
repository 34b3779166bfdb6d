import { AskedThread } from '../supervise/askedThread.ts';
import { type ListedRun, readListedRun } from './listedRun.ts';

export interface RunListQuestions {
  read: { params: { folder: string; id: string }; result: ListedRun | null };
}

export type ListedRunReader = (folder: string, id: string) => Promise<ListedRun | null>;

const heapMb = 4096;

/** Reads runs in a thread that is there only while there is something to read. Where the thread fails, the run is read here. */
export function readInThread(workerPath: string): ListedRunReader {
  const reading = new Map<string, Promise<ListedRun | null>>();
  let thread: AskedThread<RunListQuestions> | null = null;
  const end = (): void => {
    void thread?.close();
    thread = null;
  };
  return (folder, id) => {
    const earlier = reading.get(folder);
    if (earlier !== undefined) return earlier;
    const asked = (thread ??= new AskedThread<RunListQuestions>(workerPath, heapMb, {
      ended: () => new Error('The thread that reads runs has ended.'),
      broken: (error) => error,
    }));
    const read = asked.ask('read', { folder, id }).catch(() => {
      if (thread === asked) end();
      return readListedRun(folder, id);
    });
    reading.set(folder, read);
    return read.finally(() => {
      reading.delete(folder);
      if (reading.size === 0) end();
    });
  };
}

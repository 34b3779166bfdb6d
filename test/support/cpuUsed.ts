import { ThreadClocks, withDescendants } from '../../src/engine/load/slices/threadClocks.ts';
import { waitFor } from './waitFor.ts';

/** Waits until a process and all below it have used so much CPU time: with other tests running that takes longer than on a quiet machine, and is worth the same. */
export async function cpuUsed(pid: number, seconds: number): Promise<void> {
  const clocks = new ThreadClocks(() => withDescendants([pid]));
  try {
    const began = clocks.read();
    await waitFor(() => (clocks.between(began, clocks.read())?.totalUs ?? 0) >= 1e6 * seconds, { what: `${seconds} s of CPU time` });
  } finally {
    clocks.close();
  }
}

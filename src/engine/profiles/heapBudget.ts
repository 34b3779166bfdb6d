import { totalmem } from 'node:os';

/** More than a recording of any size that can be opened needs. */
const mostMb = 6_144;
/** Less does not suffice to read even a small recording. */
const leastMb = 192;
/** The share of the memory for all open recordings together: apps and database need the rest. */
const openShare = 0.6;
/** The share of the remaining memory for the next one: several large ones can be compared, and many small ones be open. */
const nextShare = 0.4;

/** The memory that this process may use, MB: the machine's, or less where a container has a limit. */
export function usableMemoryMb(machineBytes = totalmem(), limitBytes = process.constrainedMemory()): number {
  // Without a limit it is 0, or more than there is.
  const bytes = limitBytes > 0 && limitBytes < machineBytes ? limitBytes : machineBytes;
  return Math.floor(bytes / 1024 / 1024);
}

/**
 * How large the heap of the thread may become in which the next recording is opened, MB; null when there is too little left.
 * @param granted what the threads that are open may take already, MB
 */
export function nextHeapMb(memoryMb: number, granted: readonly number[]): number | null {
  const left = Math.floor(memoryMb * openShare) - granted.reduce((sum, mb) => sum + mb, 0);
  if (left < leastMb) return null;
  return Math.min(mostMb, left, Math.max(leastMb, Math.floor(left * nextShare)));
}

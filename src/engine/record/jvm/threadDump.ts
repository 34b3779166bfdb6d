import { toFailure } from '../../../model/domain/failure.ts';
import { pause } from '../../supervise/pause.ts';
import { AttachSocket } from './attachSocket.ts';
import { inspectJvm } from './jvmProcess.ts';

/** What the threads of a process did at some moments. */
export interface ThreadDumps {
  /** One text for each moment, oldest first; none where there is none. */
  texts: string[];
  /** Why there is none, or not as many as were asked for; null when there is nothing to say. */
  reason: string | null;
}

/** A dump of 2,000 threads is about this long. */
const longestText = 2 * 2 ** 20;
const dumpTimeoutMs = 5_000;

/**
 * Takes thread dumps of a JVM by its attach socket: of platform threads (virtual ones are not in it), each with its stack and the monitors that it holds and
 * waits for. Each costs it a safepoint of some ms. Never fails: what went wrong is the reason.
 */
export async function threadDumps(pid: number, n = 3, everyMs = 300, signal?: AbortSignal): Promise<ThreadDumps> {
  const texts: string[] = [];
  try {
    const socket = await AttachSocket.open(inspectJvm(pid));
    for (let turn = 0; turn < n; turn += 1) {
      if (turn > 0) await pause(everyMs, signal);
      signal?.throwIfAborted();
      texts.push((await socket.command(['threaddump'], { timeoutMs: dumpTimeoutMs })).text.slice(0, longestText));
    }
    return { texts, reason: null };
  } catch (error) {
    return { texts, reason: toFailure(error).message };
  }
}

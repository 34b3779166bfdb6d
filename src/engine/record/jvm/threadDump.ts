import { isProbed } from '../../../model/domain/runtimes.ts';
import type { Runtime } from '../../../model/domain/runtimes.ts';
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

/** Returns a report of a Node process: its probe. */
interface AsksProbe {
  get(): Promise<{ resources: Record<string, number> | null }>;
}

/** A dump of 2,000 threads is about this long. */
const longestText = 2 * 2 ** 20;
const dumpTimeoutMs = 5_000;

/**
 * Takes thread dumps of a JVM by its attach socket: of platform threads (virtual ones are not in it), each with its stack and the monitors that it holds and
 * waits for. Each costs it a safepoint of some ms. A Node process has one thread that runs the app, of which there is nothing to dump: of that its active
 * resources are reported, by kind, if its probe is given. Never fails: what went wrong is the reason.
 */
export async function threadDumps(
  pid: number,
  runtime: Runtime,
  n = 3,
  everyMs = 300,
  { probe = null, signal }: { probe?: AsksProbe | null; signal?: AbortSignal } = {},
): Promise<ThreadDumps> {
  const texts: string[] = [];
  try {
    if (!isProbed(runtime)) return { texts, reason: 'Thread dumps are taken of Java processes only.' };
    const take = runtime === 'jvm' ? await ofJvm(pid) : ofNode(pid, probe);
    if (typeof take === 'string') return { texts, reason: take };
    for (let turn = 0; turn < n; turn += 1) {
      if (turn > 0) await pause(everyMs, signal);
      signal?.throwIfAborted();
      texts.push((await take()).slice(0, longestText));
    }
    return { texts, reason: null };
  } catch (error) {
    return { texts, reason: signal?.aborted === true ? 'It was cancelled.' : toFailure(error).message };
  }
}

async function ofJvm(pid: number): Promise<() => Promise<string>> {
  const socket = await AttachSocket.open(inspectJvm(pid));
  return async () => (await socket.command(['threaddump'], { timeoutMs: dumpTimeoutMs })).text;
}

function ofNode(pid: number, probe: AsksProbe | null): (() => Promise<string>) | string {
  if (probe === null) return 'Node has no thread dumps, and without a probe its active resources are not known.';
  return async () => {
    const { resources } = await probe.get();
    if (resources === null) throw new Error('This version of Node does not tell its active resources.');
    const lines = Object.entries(resources)
      .sort(([, a], [, b]) => b - a)
      .map(([kind, count]) => `${String(count).padStart(6)}  ${kind}`);
    return [`Active resources of Node process ${pid}, by kind`, '', ...lines, ''].join('\n');
  };
}

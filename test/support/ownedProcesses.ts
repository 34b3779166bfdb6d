import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { type ProcessIdentity, isSameProcess, processIdentity, processStat } from '../../src/engine/supervise/identity.ts';

/** A process that a bench has started. */
export interface OwnedProcess {
  process: ChildProcess;
  identity: ProcessIdentity;
  exited: Promise<void>;
}

/** What stands for a process that had ended before it could be identified: it is gone, whoever asks. */
export const nobody: ProcessIdentity = { pid: 4_194_400, startTime: '0', bootId: 'none', host: 'unknown', pidNamespace: 'unknown' };

const owned = new Set<OwnedProcess>();

/** Starts a process that is known by its identity from then on, and is ended by `endOwnedProcesses` if nobody has done so before. */
export async function startOwned(program: string, args: readonly string[], options: SpawnOptions = {}): Promise<OwnedProcess> {
  const child = spawn(program, args, options);
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', () => resolve());
    child.once('error', reject);
  });
  const identity = processIdentity(child.pid ?? 0) ?? nobody;
  const one: OwnedProcess = {
    process: child,
    identity,
    exited: new Promise((resolve) => {
      const ended = (): void => {
        owned.delete(one);
        resolve();
      };
      if (child.exitCode !== null || child.signalCode !== null) ended();
      else child.once('exit', ended);
    }),
  };
  owned.add(one);
  return one;
}

/** Sends a signal to that very process; false when it runs no more. */
export function signalProcess(identity: ProcessIdentity, signal: NodeJS.Signals): boolean {
  if (!isSameProcess(identity)) return false;
  try {
    return process.kill(identity.pid, signal);
  } catch {
    return false;
  }
}

/** Every living process below one of these, they themselves included. */
export function withDescendants(roots: readonly ProcessIdentity[], pids: readonly number[]): ProcessIdentity[] {
  const below = new Set(roots.map(({ pid }) => pid));
  const parents = new Map(pids.map((pid) => [pid, processStat(pid)?.ppid ?? 0]));
  for (let grown = true; grown;) {
    grown = false;
    for (const [pid, parent] of parents) {
      if (below.has(pid) || !below.has(parent)) continue;
      below.add(pid);
      grown = true;
    }
  }
  return [...below].flatMap((pid) => processIdentity(pid) ?? []);
}

/** Ends what a bench has started and not ended, each by its identity. */
export async function endOwnedProcesses(): Promise<void> {
  await Promise.all(
    [...owned].map(async ({ identity, exited }) => {
      signalProcess(identity, 'SIGKILL');
      await exited;
    }),
  );
}

import { spawnSync } from 'node:child_process';

/** One rung: send `signal` to the process (or its whole group), then wait `graceMs` for its end. */
export interface StopStep {
  signal: NodeJS.Signals;
  to: 'process' | 'group';
  graceMs: number;
}
export type StopLadder = readonly StopStep[];

/** For everything but PostgreSQL. */
export function politeLadder(graceMs = 2_000): StopLadder {
  return [
    { signal: 'SIGTERM', to: 'group', graceMs },
    { signal: 'SIGKILL', to: 'group', graceMs: 2_000 },
  ];
}

/** For what may be ended at once without loss, such as the load generator. */
export const abruptLadder: StopLadder = [{ signal: 'SIGKILL', to: 'group', graceMs: 2_000 }];

/**
 * PostgreSQL: SIGINT is its fast shutdown (sessions are ended), SIGQUIT its immediate one, after which it kills its own children within 5 s.
 * SIGKILL is never sent to a postmaster: its backends would outlive it and hold the data folder.
 * Source: postgresql.org, "Shutting Down the Server".
 */
export const postgresLadder: StopLadder = [
  { signal: 'SIGINT', to: 'process', graceMs: 5_000 },
  { signal: 'SIGQUIT', to: 'process', graceMs: 6_000 },
];

/** Sends a signal; false when there was nobody to receive it. */
export function sendSignal(pid: number, signal: NodeJS.Signals, to: 'process' | 'group'): boolean {
  try {
    if (process.platform === 'win32') {
      if (to === 'group')
        return spawnSync('taskkill', ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore', windowsHide: true }).status === 0;
      process.kill(pid, signal);
      return true;
    }
    process.kill(to === 'group' ? -pid : pid, signal);
    return true;
  } catch {
    return false;
  }
}

import { execFile } from 'node:child_process';

/** How a program ended that nothing else hangs on: its exit status, null where it was ended or could not be started, and what it printed. */
export interface OnceEnd {
  status: number | null;
  output: string;
}

/** Runs a short program of the system or of a JDK to its end. It ends soon also where nobody waits for that any more. Never rejects. */
export function runOnce(program: string, args: readonly string[], timeoutMs: number): Promise<OnceEnd> {
  return new Promise((resolve) => {
    execFile(program, args, { timeout: timeoutMs, windowsHide: true, maxBuffer: 16 * 2 ** 20 }, (error, stdout, stderr) => {
      const status = error === null ? 0 : typeof error.code === 'number' ? error.code : null;
      resolve({ status, output: `${stdout}${stderr}` });
    });
  });
}

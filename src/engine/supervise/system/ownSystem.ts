import { spawnSync } from 'node:child_process';
import { macOs } from './macOs.ts';
import type { RunSystemProgram, SystemTools } from './systemTools.ts';
import { windows } from './windows.ts';

const known: Partial<Record<NodeJS.Platform, (run: RunSystemProgram) => SystemTools>> = { darwin: macOs, win32: windows };

const timeoutMs = 5_000;

const runProgram: RunSystemProgram = (program, args) => {
  const onWindows = process.platform === 'win32';
  const { status, stdout } = spawnSync(program, args, {
    encoding: 'utf8',
    timeout: timeoutMs,
    windowsHide: true,
    maxBuffer: 16 * 2 ** 20,
    // Times as everybody writes them, and the same after a change of the time zone.
    env: onWindows ? process.env : { PATH: '/bin:/usr/bin:/usr/sbin', LC_ALL: 'C', TZ: 'UTC' },
  });
  // Where nothing was found, ps and lsof end with 1.
  return status === 0 || status === 1 ? stdout : null;
};

/** The tools of a system; null on Linux, which is asked by its files, and where none are known. */
export function systemTools(platform: NodeJS.Platform = process.platform, run: RunSystemProgram = runProgram): SystemTools | null {
  return known[platform]?.(run) ?? null;
}

/** The tools of this system. */
export const ownSystem = systemTools();

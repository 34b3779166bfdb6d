import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { startTimeByPs } from '../../../src/engine/supervise/system/startTimeByPs.ts';
import { systemTools } from '../../../src/engine/supervise/system/ownSystem.ts';

/** By the `ps` of this machine, as macOS is asked. */
const timeOf = (pid: number) => systemTools('darwin')?.startTime(pid);
const started = String(Date.parse('2026-11-22T21:05:47Z') / 1000);

describe('a start time as ps tells it', () => {
  it.each([
    ['of macOS', 'S    Sun Nov 22 21:05:47 2026    \n', started],
    ['of macOS, in the foreground', 'R+   Sun Nov 22 21:05:47 2026    \n', started],
    ['with the day before the month', 'Ss   Sun 22 Nov 21:05:47 2026    \n', started],
    ['on a day of one digit', 'S    Sun Nov  1 01:02:03 2026    \n', String(Date.parse('2026-11-01T01:02:03Z') / 1000)],
    ['of a process that has ended and was not collected', 'Z    Sun Nov 22 21:05:47 2026    \n', 'zombie'],
    ['of no process', '', 'none'],
    ['that is no time', 'S    -\n', null],
  ])('%s is understood', (_name, output, expected) => {
    const asked: (readonly string[])[] = [];
    const answer = startTimeByPs(501, (args) => {
      asked.push(args);
      return output;
    });
    expect(answer).toBe(expected);
    expect(asked).toEqual([['-o', 'state=,lstart=', '-p', '501']]);
  });

  it('is not known where ps cannot be run', () => {
    expect(startTimeByPs(501, () => null)).toBeNull();
  });

  it.skipIf(process.platform === 'win32')('is the same at every look, and tells a process from a later one', async () => {
    const begun = Math.floor(Date.now() / 1000);
    const child = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)'], { stdio: 'ignore' });
    await once(child, 'spawn');
    const pid = child.pid ?? 0;
    const first = timeOf(pid);
    expect(Number(first)).toBeGreaterThanOrEqual(begun - 2);
    expect(timeOf(pid)).toBe(first);
    expect(timeOf(process.pid)).not.toBe('none');
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(timeOf(pid)).toBe('none');
  });
});

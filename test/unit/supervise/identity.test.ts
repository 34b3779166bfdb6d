import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bootId, isGone, isSameProcess, processIdentity, processStat } from '../../../src/engine/supervise/identity.ts';
import type { ProcessIdentity } from '../../../src/engine/supervise/identity.ts';

function self(): ProcessIdentity {
  const identity = processIdentity(process.pid);
  if (identity === null) throw new Error('this process has no identity');
  return identity;
}

describe('a process’s identity', () => {
  it('is that of a living process, which is the same and not gone', () => {
    fc.assert(
      fc.property(fc.nat({ max: 3 }), () => {
        expect(isGone(self())).toBe(false);
        expect(isSameProcess(self())).toBe(true);
      }),
    );
    expect(processStat(process.pid)?.ppid).toBe(process.ppid);
  });

  it.runIf(process.platform === 'linux')('is no longer that process when its number was given to another, whatever the start time', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 12n }).map(String), (startTime) => {
        fc.pre(startTime !== self().startTime);
        const recycled = { ...self(), startTime };
        expect(isGone(recycled)).toBe(true);
        expect(isSameProcess(recycled)).toBe(false);
      }),
    );
  });

  it('of an earlier boot is gone, even when number and start time agree', () => {
    const earlier = { ...self(), bootId: `not ${bootId()}` };
    expect(isGone(earlier)).toBe(true);
    expect(isSameProcess(earlier)).toBe(false);
  });

  it('that is not known well enough is neither gone nor to be signalled', () => {
    const vague = { ...self(), startTime: 'unknown' };
    expect(isGone(vague)).toBe(false);
    expect(isSameProcess(vague)).toBe(false);
  });

  it('ends with its process', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)'], { stdio: 'ignore' });
    await once(child, 'spawn');
    const identity = processIdentity(child.pid ?? 0);
    if (identity === null) throw new Error('the child has no identity');
    expect(isGone(identity)).toBe(false);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(isGone(identity)).toBe(true);
    expect(isSameProcess(identity)).toBe(false);
    expect(processIdentity(identity.pid)).toBeNull();
  });

  it.runIf(process.platform === 'linux')('is read past a command whose name holds parentheses and blanks', async () => {
    const child = spawn(process.execPath, ['-e', "process.title = 'a) b (c'; console.log('named'); setInterval(() => undefined, 1000)"], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    await once(child.stdout, 'data');
    expect(processStat(child.pid ?? 0)?.ppid).toBe(process.pid);
    child.kill('SIGKILL');
    await once(child, 'exit');
  });
});

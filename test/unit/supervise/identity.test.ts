import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type ProcessIdentity,
  identityTag,
  isForeign,
  isForsaken,
  isGone,
  isSameProcess,
  parseIdentityTag,
  processIdentity,
  processStat,
} from '../../../src/engine/supervise/identity.ts';

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
    const earlier = { ...self(), bootId: 'earlier' };
    expect(isGone(earlier)).toBe(true);
    expect(isSameProcess(earlier)).toBe(false);
  });

  it('of another machine, or of another PID namespace of this one, is foreign: neither gone nor to be signalled, whatever else agrees', () => {
    const elsewhere = [
      { ...self(), host: '0badcafe' },
      { ...self(), host: '0badcafe', bootId: 'another' },
      { ...self(), pidNamespace: '1' },
      { ...self(), pidNamespace: '1', pid: 4_194_400 },
    ];
    for (const identity of elsewhere) {
      expect(isForeign(identity)).toBe(true);
      expect(isGone(identity)).toBe(false);
      expect(isSameProcess(identity)).toBe(false);
    }
    expect(isForeign(self())).toBe(false);
    // This machine before it was started again: its namespaces had other numbers.
    expect(isForeign({ ...self(), bootId: 'earlier', pidNamespace: '1' })).toBe(false);
  });

  it('that is foreign is given up only when it has shown no sign of life for a day', () => {
    const now = Date.parse('2026-11-22T12:00:00Z');
    expect(isForsaken(Date.parse('2026-11-21T12:30:00Z'), now)).toBe(false);
    expect(isForsaken(Date.parse('2026-11-21T11:30:00Z'), now)).toBe(true);
  });

  it('is read back from a name that carries it, and from no other', () => {
    const hex = fc.stringMatching(/^[0-9a-f]{8}$/);
    const numbers = fc.record({
      pid: fc.integer({ min: 1, max: 4_194_304 }),
      startTime: fc.nat().map(String),
      pidNamespace: fc.nat().map(String),
    });
    fc.assert(
      fc.property(numbers, hex, hex, (own, bootId, host) => {
        const identity = { ...own, bootId, host };
        expect(parseIdentityTag(identityTag(identity))).toEqual(identity);
      }),
    );
    expect(parseIdentityTag(identityTag(self()))).toEqual(self());
    for (const name of ['', '12', '1.2.3.4.5', `${identityTag(self())}x`, identityTag(self()).replace('.', '-')])
      expect(parseIdentityTag(name)).toBeNull();
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

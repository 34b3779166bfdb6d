import { describe, expect, it } from 'vitest';
import { isOwnCopy } from '../../../../src/engine/record/jvm/profilerLibrary.ts';
import { ownIdentityTag } from '../../../../src/engine/supervise/identity.ts';

describe('a profiler that a JVM has loaded', () => {
  it.each([
    [`/tmp/benchside-jvm-4711-${ownIdentityTag()}-aB3dE6/libasyncProfiler.so`, true],
    [`/var/tmp/of/jvm/benchside-jvm-1-${ownIdentityTag()}-000000/libasyncProfiler.dylib`, true],
    [`/tmp/benchside-jvm-4711-${ownIdentityTag()}-aB3dE6/libasyncProfiler.so.1`, false],
    ['/opt/idea/libasyncProfiler.so', false],
    ['/tmp/benchside-jvm-4711-aB3dE6/libasyncProfiler.so', false],
  ])('%s is a copy of ours: %s', (file, own) => {
    expect(isOwnCopy(file)).toBe(own);
  });
});

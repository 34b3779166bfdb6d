import { describe, expect, it } from 'vitest';
import { CrashGuard } from '../../../../src/extension/connection/crashGuard.ts';

describe('an engine that keeps crashing', () => {
  it('is not started again after three crashes in five minutes, until they are long ago or forgiven', () => {
    let nowMs = 0;
    const guard = new CrashGuard(3, 300_000, () => nowMs);
    for (let crash = 0; crash < 3; crash += 1) {
      expect(guard.mayStart).toBe(true);
      guard.record();
      nowMs += 60_000;
    }
    expect(guard.mayStart).toBe(false);
    nowMs = 300_001;
    expect(guard.mayStart).toBe(true);
    guard.record();
    expect(guard.mayStart).toBe(false);
    guard.forgive();
    expect(guard.mayStart).toBe(true);
  });
});

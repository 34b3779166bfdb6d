import { expect, it } from 'vitest';
import { wholeWindow } from '../../../src/engine/run/wholeWindow.ts';

it('CPU time of a window that was read late at its beginning is that of the whole window, and unknown where most of it was missed', () => {
  expect(wholeWindow(1500, { windowMs: 1500, lateMs: 0 })).toBe(1500);
  expect(wholeWindow(1200, { windowMs: 1500, lateMs: 300 })).toBe(1500);
  expect(wholeWindow(300, { windowMs: 1500, lateMs: 1200 })).toBeNull();
  expect(wholeWindow(null, { windowMs: 1500, lateMs: 0 })).toBeNull();
});

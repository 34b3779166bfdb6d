import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nextHeapMb, usableMemoryMb } from '../../../src/engine/profiles/heapBudget.ts';

const gb = 1024 ** 3;

/** What is granted to one recording after the other until there is no memory for more. */
function all(memoryMb: number): number[] {
  const granted: number[] = [];
  for (let next = nextHeapMb(memoryMb, granted); next !== null; next = nextHeapMb(memoryMb, granted)) granted.push(next);
  return granted;
}

describe('the heap of a thread that reads a recording', () => {
  it('is never more than memory has room for, however many are open', () => {
    fc.assert(
      fc.property(fc.integer({ min: 256, max: 1_000_000 }), (memoryMb) => {
        const granted = all(memoryMb);
        expect(granted.reduce((sum, mb) => sum + mb, 0)).toBeLessThanOrEqual(0.6 * memoryMb);
        for (const mb of granted) expect(mb).toBeGreaterThanOrEqual(192);
        expect(Math.max(0, ...granted)).toBeLessThanOrEqual(6_144);
      }),
    );
  });

  it('lets two large recordings be compared, and more be open beside them, on a small machine', () => {
    const [first = 0, second = 0, ...more] = all(8_192);
    expect(first).toBeGreaterThan(1_500);
    expect(second).toBeGreaterThan(1_000);
    expect(more.length).toBeGreaterThan(3);
  });

  it('is granted anew when a recording is closed', () => {
    const granted = all(4_096);
    expect(nextHeapMb(4_096, granted)).toBeNull();
    expect(nextHeapMb(4_096, granted.slice(1))).not.toBeNull();
  });

  it('follows the limit of a container where there is one', () => {
    expect(usableMemoryMb(16 * gb, 2 * gb)).toBe(2_048);
    for (const none of [0, 16 * gb, Number(2n ** 64n)]) expect(usableMemoryMb(16 * gb, none)).toBe(16_384);
    expect(usableMemoryMb()).toBeGreaterThan(0);
  });
});

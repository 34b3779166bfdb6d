import { describe, expect, it } from 'vitest';
import { askedNowUs, placeOf, takeAsk } from '../../../src/probe/node/pools/asks.ts';
import type * as Asks from '../../../src/probe/node/pools/asks.ts';

/** As an app has it around its pool. */
function borrow(): number {
  return askedNowUs();
}

function readOrders(): number {
  return borrow();
}

describe('where connections are asked for', () => {
  it('is the app’s own code that is nearest, with its caller', () => {
    const ask = takeAsk(readOrders());
    expect(placeOf(ask ?? {})).toMatch(
      /^borrow \(test\/unit\/probe\/asks\.test\.ts:\d+\), called by readOrders \(test\/unit\/probe\/asks\.test\.ts:\d+\)/,
    );
  });

  it('is given once', () => {
    const asked = readOrders();
    expect(takeAsk(asked)).toBeDefined();
    expect(takeAsk(asked)).toBeUndefined();
  });

  it('is looked at of the first calls, then at most once in 10 ms, and once in a millisecond after one that was lost', async () => {
    // A module of its own: that of other files in this process may have looked already, and have seen a loss.
    const own = '../../../src/probe/node/pools/asks.ts?own';
    const { askedNowUs, suspect, takeAsk } = (await import(/* @vite-ignore */ own)) as typeof Asks;
    const gapsIn = (ms: number): number[] => {
      const endMs = performance.now() + ms;
      const looked: number[] = [];
      while (performance.now() < endMs) {
        const askedUs = askedNowUs();
        if (takeAsk(askedUs) !== undefined) looked.push(askedUs);
      }
      return looked.slice(1).map((us, index) => us - (looked[index] ?? 0));
    };
    expect(gapsIn(50).length).toBeGreaterThan(30);
    expect(Math.min(...gapsIn(200))).toBeGreaterThanOrEqual(10_000);
    suspect();
    const suspicious = Math.min(...gapsIn(200));
    expect(suspicious).toBeGreaterThanOrEqual(1_000);
    expect(suspicious).toBeLessThan(10_000);
  });

  it('leaves the length of the app’s stacks as it was', () => {
    const usual = Error.stackTraceLimit;
    for (let call = 0; call < 1_000; call += 1) takeAsk(askedNowUs());
    expect(Error.stackTraceLimit).toBe(usual);
  });

  it.each([
    [
      'of a package, where nothing is the app’s',
      'Error\n    at acquire (/app/node_modules/tarn/dist/Pool.js:120:5)\n    at node:internal/timers:1:2',
      'acquire (Pool.js:120)',
    ],
    [
      'behind a package',
      'Error\n    at acquire (/app/node_modules/tarn/dist/Pool.js:1:5)\n    at async find (file:///srv/orders.mjs:7:3)',
      'find (orders.mjs:7)',
    ],
    ['without a function', 'Error\n    at async file:///srv/orders.mjs:7:3', 'orders.mjs:7'],
  ])('is read from a stack: %s', (_what, stack, place) => {
    expect(placeOf({ stack })).toBe(place);
  });

  it.each([{ stack: 7 }, { stack: '' }, { stack: 'Error\n    at node:internal/x:1:2' }, {}])('is not known from %o', (ask) => {
    expect(placeOf(ask)).toBeNull();
  });

  it('is not known where an app makes the text of its stacks, and fails', () => {
    const ask = {
      get stack(): string {
        throw new Error('mine');
      },
    };
    expect(placeOf(ask)).toBeNull();
  });
});

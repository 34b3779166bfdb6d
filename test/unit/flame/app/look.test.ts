import { describe, expect, it } from 'vitest';
import { amend, back, firstLook, forward, needsSamples, visit } from '../../../../webview/flame/app/look.ts';
import { readSavedFlame } from '../../../../webview/flame/app/savedFlame.ts';

const first = firstLook({ defaultEvent: 'wall', events: [{ name: 'cpu', unit: 'ns', total: 1, samples: null }] });

describe('looks at a recording', () => {
  it('begin with an event that the recording has', () => {
    expect(first.event).toBe('cpu');
  });
  it('are gone back and forward over, and a new one forgets what was ahead', () => {
    const one = { ...first, view: 'table' as const };
    const two = { ...first, showIdle: true };
    let history = visit({ past: [], now: first, future: [] }, one);
    history = visit(history, two);
    expect(back(history).now).toBe(one);
    expect(back(back(history)).now).toBe(first);
    expect(back(back(back(history))).now).toBe(first);
    expect(forward(back(history)).now).toBe(two);
    expect(visit(back(history), first).future).toEqual([]);
    expect(amend(history, first).past).toBe(history.past);
  });
  it('need samples where threads, states, times or their order are asked for', () => {
    expect(needsSamples(first, false)).toBe(false);
    expect(needsSamples(first, true)).toBe(true);
    expect(needsSamples({ ...first, view: 'time' }, false)).toBe(true);
    expect(needsSamples({ ...first, threads: [1] }, false)).toBe(true);
  });
});

describe('what was kept', () => {
  it.each([undefined, null, 3, { recording: 'x' }, { look: { view: '<img>' } }])('counts as nothing where it does not fit: %j', (kept) => {
    expect(readSavedFlame(kept)).toMatchObject({ look: null, search: { text: '' }, comparedWith: null });
  });
});

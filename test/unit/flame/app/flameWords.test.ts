import { describe, expect, it } from 'vitest';
import { placePhrase } from '../../../../src/calltree/shownNames.ts';
import { costPhrase, eventLabel, matchPhrase, stateLabel } from '../../../../webview/flame/app/flameWords.ts';
import type { SearchResult } from '../../../../webview/flame/core/layout.ts';

const result: SearchResult = {
  matches: new Uint8Array(20),
  order: Uint32Array.from({ length: 17 }, (_, at) => at),
  matchedWeight: 521,
  matchedShare: 0.521,
};

describe('words of a flame graph', () => {
  it('say what a search found', () => {
    expect(matchPhrase(result, 2)).toBe('52.1 % matched · 3 of 17');
    expect(matchPhrase(result, -1)).toBe('52.1 % matched · 17 boxes');
    expect(matchPhrase({ ...result, order: new Uint32Array() }, -1)).toBe('no match');
    expect(matchPhrase(null, -1)).toBe('');
  });
  it('say what recording cost', () => {
    const cost = { withUs: 104, withoutUs: 100, ratio: 1.04, low: 1, high: 1.09, pairs: 6 };
    expect(costPhrase(cost)).toBe('recording cost 4 % CPU per request (0–9 %)');
    expect(costPhrase({ ...cost, low: 0.98 })).toBe('recording cost 4 % CPU per request (−2–9 %)');
    expect(costPhrase({ ...cost, low: null, high: null, pairs: 1 })).toBe('recording cost 4 % CPU per request, one pair of windows only');
  });
  it('call an event that is not known as it was recorded', () => {
    expect(eventLabel('poolWait')).toBe('Pool wait');
    expect(eventLabel('__proto__')).toBe('__proto__');
  });
  it('cut a path to its last part', () => {
    expect(placePhrase('/srv/app/HikariPool.java', 162)).toBe('HikariPool.java:162');
    expect(placePhrase('C:\\app\\server.js', 0)).toBe('server.js');
    expect(placePhrase('', 12)).toBe('');
  });
  it('say a state as people do', () => {
    expect(stateLabel('STATE_IN_OBJECT_WAIT')).toBe('in object wait');
    expect(stateLabel('')).toBe('not known');
  });
});

import { describe, expect, it } from 'vitest';
import { LatestAnswer } from '../../../../src/extension/connection/latestAnswer.ts';

describe('an answer that is kept', () => {
  it('is asked for once, also by several at the same time', async () => {
    let asked = 0;
    const answer = new LatestAnswer(
      async () => ++asked,
      () => undefined,
    );
    expect(await Promise.all([answer.get(), answer.get()])).toEqual([1, 1]);
    expect([await answer.get(), answer.latest]).toEqual([1, 1]);
  });

  it('is that of the latest question, whichever arrives last', async () => {
    const waiting: ((value: string) => void)[] = [];
    const kept: string[] = [];
    const answer = new LatestAnswer(
      () => new Promise<string>((resolve) => waiting.push(resolve)),
      (value) => kept.push(value),
    );
    const first = answer.load();
    const second = answer.load();
    waiting[1]?.('new');
    await second;
    waiting[0]?.('old');
    await first;
    expect([kept, answer.latest]).toEqual([['new'], 'new']);
  });

  it('is asked for again after a failure and after it was forgotten', async () => {
    let fail = true;
    const answer = new LatestAnswer(
      async () => {
        if (fail) throw new Error('no engine');
        return 'here';
      },
      () => undefined,
    );
    await expect(answer.get()).rejects.toThrow('no engine');
    expect(answer.wasAsked).toBe(false);
    fail = false;
    expect(await answer.get()).toBe('here');
    answer.forget();
    expect([answer.latest, answer.wasAsked]).toEqual([undefined, false]);
  });

  it('is asked for again where the one that is kept is not enough', async () => {
    let count = 0;
    const answer = new LatestAnswer(
      async () => (count += 1),
      () => undefined,
    );
    expect(await answer.getWith((value) => value >= 1)).toBe(1);
    expect(await answer.getWith((value) => value >= 1)).toBe(1);
    expect(await answer.getWith((value) => value >= 2)).toBe(2);
    // What is not there is not asked for again and again.
    expect(await answer.getWith((value) => value >= 9)).toBe(3);
  });
});

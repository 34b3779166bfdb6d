import { describe, expect, it } from 'vitest';
import type { Failure } from '../../../src/model/domain/failure.ts';
import { type FromPanel, fromPanelSchema } from '../../../src/model/protocol/panel.ts';
import { type FailureCode, failureButtons, failureKinds, offeredActions } from '../../../src/model/domain/failureCodes.ts';
import { failureOffers } from '../../../webview/kit/controls/messageBox.ts';

const failed = (code: FailureCode): Failure => ({ code, message: 'It failed.', cure: 'Mend it.' });

describe('the box of a failure', () => {
  it.each(Object.keys(failureKinds) as FailureCode[])(
    'offers what the table says of %s, and sends what the extension carries out',
    (code) => {
      const told: FromPanel[] = [];
      const offers = failureOffers(failed(code), { tell: (message) => told.push(message), target: 'shop' });
      const actions = offeredActions(code, 'shop');
      expect(offers.map(({ text }) => text)).toEqual([...actions.map((action) => failureButtons[action]), 'Show Log']);
      for (const { run } of offers) run();
      expect(told.map((message) => fromPanelSchema.parse(message))).toEqual([
        ...actions.map((action) => ({ type: 'actOnFailure', action, target: 'shop' })),
        { type: 'showLog' },
      ]);
    },
  );

  it('offers the output only of a target that is known', () => {
    const offers = failureOffers(failed('target-exited'), { tell: () => undefined });
    expect(offers.map(({ text }) => text)).toEqual(['Open benchside.json', 'Show Log']);
  });

  it('offers first to add the variable that was missing, and to open the file before the output', () => {
    const told: FromPanel[] = [];
    const variable = { target: 'shop', name: 'DATABASE_URL' };
    const offers = failureOffers({ ...failed('target-exited'), variable }, { tell: (message) => told.push(message), target: 'shop' });
    expect(offers.map(({ text }) => text)).toEqual([
      'Add DATABASE_URL to benchside.json',
      'Open benchside.json',
      'Show Its Output',
      'Show Log',
    ]);
    offers[0]?.run();
    expect(fromPanelSchema.parse(told[0])).toEqual({ type: 'addVariable', ...variable });
  });

  it('puts what belongs to its place before and after that', () => {
    const named = (text: string) => ({ text, run: () => undefined });
    const offers = failureOffers(failed('load-descriptors'), { tell: () => undefined, before: [named('Open')], after: [named('Dismiss')] });
    expect(offers.map(({ text }) => text)).toEqual(['Open', 'Check This Machine', 'Show Log', 'Dismiss']);
  });
});

describe('the buttons that failures offer', () => {
  it('say different things', () => {
    const words = Object.values(failureButtons);
    expect(new Set(words).size).toBe(words.length);
  });
});

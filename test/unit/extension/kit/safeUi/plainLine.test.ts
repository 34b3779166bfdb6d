import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainLine } from '../../../../../src/extension/kit/safeUi/plainLine.ts';
import { anyText } from '../../../../support/anyText.ts';
import { hostileTexts } from '../../../../support/hostileTexts.ts';

describe('a text in the editor’s own surfaces', () => {
  it('is neither link nor icon, whatever it was', () => {
    const isPlain = (text: string): boolean => !/\]\(|\$\(|[\n\r]/.test(plainLine(text)) && plainLine(text).length <= 3_000;
    fc.assert(fc.property(anyText, isPlain));
    expect(hostileTexts.filter((text) => !isPlain(text))).toEqual([]);
  });

  it('becomes no link by what was taken out of it', () => {
    for (const between of ['', '\u0000', '\u200b', '\u001b[0m', '\u202e', '\u001b]0;x\u0007'])
      expect(plainLine(`[Install]${between}(command:harm)`)).toBe('[Install] (command:harm)');
  });

  it('says what it said', () => {
    const sentence = 'render (server.mjs:8) takes 12.3 % of “/ads?id=[1]” · $5 a day';
    expect(plainLine(sentence)).toBe(sentence);
  });
});

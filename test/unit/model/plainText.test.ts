import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { onOneLine, withoutControls } from '../../../src/model/domain/plainText.ts';
import { hostileTexts } from '../../support/hostileTexts.ts';
import { anyText } from '../../support/anyText.ts';

/** What a terminal or an editor would carry out, or would not show: said in another way than in what is tested. */
function acts(character: string): boolean {
  const code = character.codePointAt(0) ?? 0;
  const isControl = /\p{Cc}/u.test(character) && character !== '\t' && character !== '\n';
  const turnsWriting = /\p{Bidi_Control}/u.test(character);
  // Tags are letters that nobody sees; U+FFF9 to U+FFFB hide a text next to another.
  const hides = (code >= 0xe0000 && code <= 0xe007f) || (code >= 0xfff9 && code <= 0xfffb);
  return isControl || turnsWriting || hides || /[\p{Zl}\p{Zp}\p{Cs}]/u.test(character) || [0x180e, 0x200b, 0x2060, 0xfeff].includes(code);
}

describe('a text that somebody else wrote', () => {
  it('has nothing that acts, whatever it was', () => {
    fc.assert(fc.property(anyText, (text) => [...withoutControls(text)].filter(acts).length === 0));
    for (const text of hostileTexts) expect([...withoutControls(text)].filter(acts), JSON.stringify(text)).toEqual([]);
  });

  it('stays as it is where nothing acts: letters of any script, emoji, tabs, line ends', () => {
    const text = 'größer\tשלום 日本 नमस्ते 👩‍👩‍👧\n[x](y) $(z) <b> ${0} -1';
    expect(withoutControls(text)).toBe(text);
    fc.assert(fc.property(fc.string(), (printable) => withoutControls(printable) === printable));
  });

  it('loses nothing more when it is done again', () => {
    fc.assert(fc.property(anyText, (text) => withoutControls(withoutControls(text)) === withoutControls(text)));
  });

  it('loses a terminal’s sequences whole, so that a coloured log reads well', () => {
    expect(withoutControls('\u001b[1;32mINFO\u001b[0m ready\r\n')).toBe('INFO ready\n');
    expect(withoutControls('\u001b]8;;https://harm.invalid\u0007link\u001b]8;;\u0007')).toBe('link');
    expect(withoutControls('\u001b\u001b[31m[31mred')).toBe('[31mred');
    expect(withoutControls('50 %\r100 %')).toBe('50 %100 %');
  });

  it('is on one line where there is one only, and says that it was longer', () => {
    expect(onOneLine(' a\r\nb\tc\n')).toBe('a b c');
    expect(onOneLine('x'.repeat(50), 10)).toBe(`${'x'.repeat(9)}…`);
    expect(onOneLine(`12345678${'😀'.repeat(9)}`, 10)).toBe('12345678…');
    fc.assert(fc.property(anyText, fc.integer({ min: 1, max: 40 }), (text, longest) => onOneLine(text, longest).length <= longest));
  });
});

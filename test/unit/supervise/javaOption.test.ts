import { expect, it } from 'vitest';
import { javaToolOption } from '../../../src/engine/supervise/javaOption.ts';

/** As HotSpot reads the variable. */
function read(text: string): string[] {
  const options: string[] = [];
  let at = 0;
  while (at < text.length) {
    while (/\s/.test(text[at] ?? '')) at += 1;
    let option = '';
    while (at < text.length && !/\s/.test(text[at] ?? '')) {
      const quote = text[at] ?? '';
      if (quote !== "'" && quote !== '"') option += text[at++] ?? '';
      else {
        const end = text.indexOf(quote, at + 1);
        option += text.slice(at + 1, end);
        at = end + 1;
      }
    }
    options.push(option);
  }
  return options;
}

it('an option reaches the JVM whole, whatever its path has: blanks, apostrophes, quotes', () => {
  const options = ['/plain', '/a b', "/it's", '/a "b" c', '/o\'clock\'s "end"', "'", '/a\nb'].map((one) => `-javaagent:${one}/probe.jar`);
  expect(read(options.map(javaToolOption).join(' '))).toEqual(options);
});

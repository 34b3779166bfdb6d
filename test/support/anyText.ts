import fc from 'fast-check';

const distinctive = [
  '\u001b',
  '[',
  ']',
  '(',
  ')',
  '$',
  ';',
  '\u0007',
  '\\',
  '\u009b',
  '\u202e',
  '\u200b',
  '\ud83d',
  '\ude00',
  '\r',
  '\n',
  'm',
  '0',
  'command:',
  'https://x',
  '`',
  '<',
  '|',
  '=',
];

/** Any text at all, broken characters among them, and mostly of what a terminal, an editor, Markdown, a spreadsheet or a page would carry out. */
export const anyText: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      fc.constantFrom(...distinctive),
      fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)),
    ),
    { maxLength: 40 },
  )
  .map((parts) => parts.join(''));

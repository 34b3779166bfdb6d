import { describe, expect, it } from 'vitest';
import { variableInsertion } from '../../../../src/extension/kit/placesInFile.ts';

const text = `{
  "targets": [
    {
      "id": "pay",
      "routes": [{ "path": "/" }]
    },
    { "id": "flat", "routes": [] },
    {
      "id": "both",
      "env": {
        "A": "1"
      }
    },
    { "id": "none", "env": {} }
  ]
}
`;
/** The lines of the file that are new or changed, with a bar where the caret is. */
function changed(id: string): string[] | null {
  const insertion = variableInsertion(text, id, 'KEY');
  if (insertion === null) return null;
  const { at, caret } = insertion;
  const after = text.slice(0, at) + insertion.text + text.slice(at);
  const before = new Set(text.split('\n'));
  return `${after.slice(0, caret)}|${after.slice(caret)}`.split('\n').filter((line) => !before.has(line));
}

describe('a variable that is added to benchside.json', () => {
  it('stands on a line of its own where the member before it does, with the caret between its quotes', () => {
    expect(changed('pay')).toEqual(['      "routes": [{ "path": "/" }],', '      "env": { "KEY": "|" }']);
    expect(changed('both')).toEqual(['        "A": "1",', '        "KEY": "|"']);
  });

  it('stands in the same line where the target does', () => {
    expect(changed('flat')).toEqual(['    { "id": "flat", "routes": [], "env": { "KEY": "|" } },']);
    expect(changed('none')).toEqual(['    { "id": "none", "env": { "KEY": "|" } }']);
  });

  it('is added to no other target', () => {
    expect(changed('unknown')).toBeNull();
  });
});

import { describe, expect, it } from 'vitest';
import { documentationOf } from '../../../src/engine/versions/documentation.ts';

describe('a change of documentation alone', () => {
  it.each([['README.md'], ['docs/how/to.rst', 'LICENSE', 'a b/CHANGELOG.md'], ['guide.adoc', '.github/CODEOWNERS']])(
    'is one: %s',
    (...changed) => {
      expect(documentationOf(changed)).toEqual(changed);
    },
  );
  it.each([[['README.md', 'src/server.js']], [['license.js']], [['docs/conf.py']], [['data.txt']], [['a.md.js']], [[]]])(
    'is none: %o',
    (changed) => {
      expect(documentationOf(changed)).toBeNull();
    },
  );
  it('is none where Git cannot say', () => {
    expect(documentationOf(null)).toBeNull();
  });
});

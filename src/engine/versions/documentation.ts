/** Text for people: by how it ends, or by the names under which projects keep it. */
const document = /\.(md|markdown|rst|adoc|asciidoc)$|(^|\/)(LICEN[CS]E|COPYING|NOTICE|AUTHORS|CONTRIBUTORS|CHANGELOG|CODEOWNERS)$/i;

/**
 * The changed files where all of them are documentation, which no program runs: nothing that is timed can differ, and a difference that is seen is chance.
 * Null where another file changed, or where it is not known what did.
 */
export function documentationOf(changed: readonly string[] | null): readonly string[] | null {
  return changed !== null && changed.length > 0 && changed.every((path) => document.test(path)) ? changed : null;
}

import type { FolderFiles } from './folderFiles.ts';

/** A statement as a text of its own. In a sentence for people other words follow the name. */
const makes =
  /['"`]\s*(?:CREATE\s+DATABASE|create\s+database)\s+(?:IF\s+NOT\s+EXISTS\s+)?(?:\\?"([A-Za-z_]\w*)\\?"|([A-Za-z_]\w*))\s*(?:;|['"`]|(?:WITH|OWNER|ENCODING|TEMPLATE)\b)/i;
/** A statement with the name in an expression: `CREATE DATABASE ${name}`, 'CREATE DATABASE ' + name. Quotes, the first of the three, keep its case. */
const makesBy =
  /[`'"]\s*(?:CREATE\s+DATABASE|create\s+database)\s+(?:IF\s+NOT\s+EXISTS\s+)?(?:(\\?")?\$\{\s*([^{}]{1,120}?)\s*\}|(\\?")?['"]\s*\+\s*([\w$.]{1,80}))/i;
/** A text, which may be what counts where a variable of the environment is not set. */
const text = /^(?:process\.env(?:\.\w+|\[['"]\w+['"]\])\s*(?:\?\?|\|\|)\s*)?(['"`])([A-Za-z_]\w*)\1/;
/** What a target may call its database. */
export const declarableName = /^[a-z_][a-z0-9_]{0,30}$/;

/**
 * What a service calls the database that it makes as it starts; null where it makes none, or its code does not say the name. The role of a service may not make
 * databases: where there is one of that name it needs no other.
 */
export function madeDatabase(files: FolderFiles, sources: readonly string[]): string | null {
  for (const file of sources) {
    const source = files.source(file);
    const [, quoted, plain] = makes.exec(source) ?? [];
    const by = makesBy.exec(source);
    const held = by === null ? null : heldText(source, by[2] ?? by[4] ?? '');
    const isQuoted = quoted !== undefined || by?.[1] !== undefined || by?.[3] !== undefined;
    const named = quoted ?? plain ?? held;
    // PostgreSQL folds what is not quoted.
    const name = isQuoted ? named : named?.toLowerCase();
    if (name !== undefined && name !== null && declarableName.test(name)) return name;
  }
  return null;
}

/** The text of an expression, or of the variable of this file that it names; null where it has none. */
function heldText(source: string, expression: string): string | null {
  const own = text.exec(expression)?.[2];
  if (own !== undefined || !/^[A-Za-z_$][\w$]*$/.test(expression)) return own ?? null;
  const set = new RegExp(`\\b(?:const|let|var)\\s+${expression.replaceAll('$', '\\$')}\\s*(?::\\s*string\\s*)?=\\s*`).exec(source);
  return set === null ? null : (text.exec(source.slice(set.index + set[0].length, set.index + set[0].length + 200))?.[2] ?? null);
}

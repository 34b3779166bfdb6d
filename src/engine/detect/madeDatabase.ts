import type { FolderFiles } from './folderFiles.ts';

/** A statement as a text of its own. In a sentence for people other words follow the name. */
const makes =
  /['"`]\s*(?:CREATE\s+DATABASE|create\s+database)\s+(?:IF\s+NOT\s+EXISTS\s+)?(?:\\?"([A-Za-z_]\w*)\\?"|([A-Za-z_]\w*))\s*(?:;|['"`]|(?:WITH|OWNER|ENCODING|TEMPLATE)\b)/i;
/** What a target may call its database. */
export const declarableName = /^[a-z_][a-z0-9_]{0,30}$/;

/**
 * What a service calls the database that it makes as it starts; null where it makes none, or its code does not say the name. The role of a service may not make
 * databases: where there is one of that name it needs no other.
 */
export function madeDatabase(files: FolderFiles, sources: readonly string[]): string | null {
  for (const file of sources) {
    const [, quoted, plain] = makes.exec(files.source(file)) ?? [];
    // PostgreSQL folds what is not quoted.
    const name = quoted ?? plain?.toLowerCase();
    if (name !== undefined && declarableName.test(name)) return name;
  }
  return null;
}

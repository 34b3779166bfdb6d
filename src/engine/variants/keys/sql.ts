import { existsSync } from 'node:fs';
import path from 'node:path';
import { misread, understood } from '../../../model/domain/parsed.ts';
import { seenInCopy } from '../variantKey.ts';
import type { VariantKey } from '../variantKey.ts';

const asItIs = 'none';

export const sql: VariantKey = {
  key: 'sql',
  meaning: 'A file of SQL that is run in a copy of the database of this side alone, such as one that makes an index.',
  takes: 'names of files, or none for the copy as it is',
  example: 'sql=none,index.sql',
  fits: ({ postgres, running }) => postgres !== undefined && running === undefined,
  of: 'a target that is given PostgreSQL by Benchside',
  means: 'copy of the database',
  effect: 'Other plans by an index, a view or other statistics, and whatever else SQL changes.',
  cost: 'An index takes room and makes writes slower; each side takes the disk space of one more database while it is measured.',
  source: 'https://www.postgresql.org/docs/current/sql-createindex.html',
  read: (text) => {
    if (text.toLowerCase() === asItIs) return understood(asItIs);
    return /^[^\0-\x1f]{1,400}$/.test(text) && text.trim() === text ? understood(text) : misread(`“${text}” is no name of a file.`);
  },
  refuses: (value) =>
    value === asItIs || existsSync(path.resolve(value))
      ? null
      : {
          code: 'sql-missing',
          message: `There is no file ${value} to run in a copy of the database.`,
          cure: 'Name it from this folder on, or by its whole path.',
        },
  copies: (emptyFile) => [asItIs, emptyFile],
  activation: (value) => ({ copy: value === asItIs ? {} : { sql: value } }),
  seen: (_value, view) => seenInCopy(view),
};

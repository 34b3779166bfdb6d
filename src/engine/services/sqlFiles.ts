import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { failure } from '../../model/failure.ts';

/** A SQL file of a target as it is now. */
export interface SqlFile {
  file: string;
  /** The last part of its path. */
  name: string;
  text: string;
  sha256: string;
}

export function readSqlFiles(files: readonly string[]): SqlFile[] {
  return files.map((file) => {
    let text: string;
    try {
      text = readFileSync(file, 'utf8');
    } catch {
      throw failure('sql-missing', `The SQL file ${file} cannot be read.`, 'Correct "postgres.sql" of the target in benchside.json.');
    }
    return { file, name: path.basename(file), text, sha256: createHash('sha256').update(text).digest('hex') };
  });
}

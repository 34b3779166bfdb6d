import path from 'node:path';
import { failure } from '../../model/domain/failure.ts';
import { readBoundedText } from '../files/boundedFile.ts';
import { sha256 } from '../files/safeFiles.ts';

/** A SQL file of a target as it is now. */
export interface SqlFile {
  file: string;
  /** The last part of its path. */
  name: string;
  text: string;
  sha256: string;
}

/** What one statement batch may hold: it goes to the server as one text. */
const largestSqlBytes = 256 * 1024 * 1024;

export function readSqlFiles(files: readonly string[]): SqlFile[] {
  return files.map((file) => {
    let text: string;
    try {
      text = readBoundedText(file, { largestBytes: largestSqlBytes });
    } catch (error) {
      throw failure(
        'sql-missing',
        `The SQL file ${file} cannot be read.`,
        'Correct "postgres.sql" of the target in benchside.json.',
        error instanceof Error ? error.message : String(error),
      );
    }
    return { file, name: path.basename(file), text, sha256: sha256(text) };
  });
}

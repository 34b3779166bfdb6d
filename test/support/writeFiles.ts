import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Writes files below a folder, with the folders that they lie in. */
export function writeFiles(dir: string, files: Readonly<Record<string, string | Buffer>>): void {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(dir, file)), { recursive: true });
    writeFileSync(path.join(dir, file), text);
  }
}

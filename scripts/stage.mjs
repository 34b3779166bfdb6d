import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** What lies in the folders that something is packed of, from the root. */
const folders = ['bin', 'dist', 'media', 'schemas', 'profiles', 'samples', 'skills', 'vendor', 'tools/clinic'];

/**
 * A copy of the folders that something is packed of, which goes when the process ends. vsce matches every file below its folder with every line of .vscodeignore: of all that lies in a
 * checkout (dependencies, caches, test hosts) that is 70,000 files and takes minutes.
 * @param files those of the root as well
 * @param left folders that are not packed
 */
export function stage(root, files, left = []) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'benchside-package-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  const names = [...files, ...folders].filter((name) => !left.includes(name) && existsSync(path.join(root, name)));
  for (const name of names) {
    cpSync(path.join(root, name), path.join(folder, name), {
      recursive: true,
      dereference: true,
      filter: (source) => !source.endsWith('.map') && !left.includes(path.relative(root, source)),
    });
  }
  return folder;
}

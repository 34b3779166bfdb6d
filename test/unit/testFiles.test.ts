import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const testDir = path.resolve(import.meta.dirname, '..');

it('makes no folder while a file of tests is loaded: the hook that removes it does not run where all its tests are skipped', () => {
  const files = ['parallel', 'alone', 'slow', 'editor'].flatMap((kind) =>
    readdirSync(path.join(testDir, kind), { encoding: 'utf8', recursive: true })
      .filter((file) => file.endsWith('.test.ts'))
      .map((file) => path.join(kind, file)),
  );
  const making = files.filter((file) =>
    /^(?:const|let) [^=]+ = (?:mkdtempSync|temporaryFolder)\(/m.test(readFileSync(path.join(testDir, file), 'utf8')),
  );
  expect(files).not.toEqual([]);
  expect(making).toEqual([]);
});

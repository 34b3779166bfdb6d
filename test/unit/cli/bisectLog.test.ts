import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { BisectLog } from '../../../src/cli/bisectLog.ts';
import { removeTemporaryFolders, temporaryFolder } from '../../support/engine.ts';

afterAll(removeTemporaryFolders);

it('the log of a bisection is read as it was written, of its own search, and neither read nor written through a link', () => {
  const folder = path.join(temporaryFolder('bisect'), '.benchside');
  const file = path.join(folder, 'bisect.ndjson');
  const entry = { commit: 'abc', finding: 'good', run: null, sentence: 'as fast', changes: {} } as const;
  const log = new BisectLog(file, 'one');
  expect(log.entries()).toEqual([]);
  log.add(entry);
  new BisectLog(file, 'other').add(entry);
  expect(log.entries()).toEqual([{ search: 'one', ...entry }]);

  const linked = path.join(temporaryFolder('bisect'), '.benchside', 'bisect.ndjson');
  mkdirSync(path.dirname(linked));
  const theirs = path.join(temporaryFolder('bisect'), 'profile');
  writeFileSync(theirs, 'theirs');
  symlinkSync(theirs, linked);
  expect(() => new BisectLog(linked, 'one').add(entry)).toThrow(/could not be written/);
  expect(() => new BisectLog(linked, 'one').entries()).toThrow(/cannot be read/);
  expect(readFileSync(theirs, 'utf8')).toBe('theirs');
});

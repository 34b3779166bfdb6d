import { describe, expect, it } from 'vitest';
import { changedFile } from '../../../../src/extension/versions/changedFile.ts';
import { hostileTexts } from '../../../support/hostileTexts.ts';

const commit = '3f2a91c0'.repeat(5);
const versions = (path: string, ofBase: string | null = commit, ofHead: string | null = null) => ({
  files: [{ path, added: 1, removed: 0 }],
  base: { label: 'main', commit: ofBase, trialKey: null },
  head: { label: 'the working tree', commit: ofHead, trialKey: null },
});

describe('a changed file of a stored run', () => {
  it('is one of the folder, in two commits or one and the working tree', () => {
    expect(changedFile('/shop', versions('src/items.ts'), 0)).toEqual({ file: '/shop/src/items.ts', base: commit, head: null });
    expect(changedFile('/shop', versions('..items.ts', null, commit), 0)).toEqual({ file: '/shop/..items.ts', base: null, head: commit });
    expect(changedFile('/shop', versions('src/items.ts'), 1)).toBeNull();
  });

  it('is none where it leads out of the folder', () => {
    for (const path of ['/etc/passwd', '../other/.env', 'src/../../x', '..', '.', ''])
      expect(changedFile('/shop', versions(path), 0), path).toBeNull();
  });

  it('is none where a version is no commit: Git would take it for an option', () => {
    for (const no of ['--output=/home/me/.bashrc', 'HEAD', 'main:x', `${commit} `, ...hostileTexts]) {
      expect(changedFile('/shop', versions('a.ts', no), 0), no).toBeNull();
      expect(changedFile('/shop', versions('a.ts', commit, no), 0), no).toBeNull();
    }
  });
});

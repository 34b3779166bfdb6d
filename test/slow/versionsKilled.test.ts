import { afterAll, expect, it } from 'vitest';
import { SeededRandom } from '../../src/engine/statistics/seededRandom.ts';
import { type VersionKill, killComparisons } from '../bench/faults/versionKills.ts';
import { removeTemporaryFolders } from '../support/engine.ts';

const kills = 6;

afterAll(removeTemporaryFolders);

it(
  'a comparison of versions whose engine is killed at any moment leaves the repository as it was and no process, and nothing after the next start',
  { timeout: 500_000 },
  async () => {
    const found: Omit<VersionKill, 'commit'>[] = [];
    await killComparisons(kills, new SeededRandom(Date.now()), (one) => found.push(one));
    expect(found).toHaveLength(kills);
    expect(found.filter(({ changed, left }) => changed.length + left.length > 0)).toEqual([]);
  },
);

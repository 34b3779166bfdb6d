import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';
import { SeededRandom } from '../../src/engine/statistics/seededRandom.ts';
import { declaration, service } from '../support/computingService.ts';
import { removeTemporaryFolders, temporaryFolder, TestEngine, untilGone } from '../support/engine.ts';
import { commitFiles, gitIn, gitRepository } from '../support/gitRepository.ts';

const kills = 6;
/** From the first look at the repository to the recordings. */
const longestMs = 25_000;

afterAll(removeTemporaryFolders);

/** Everything that Git knows of a repository and of its working tree, but for what Benchside keeps of runs. */
function stateOf(top: string): unknown {
  const files = readdirSync(top, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => !file.includes('.benchside'))
    // Of an object that the working tree holds as well, Git renews the time wherever it finds it, so that nobody prunes it.
    .map((file) => [file, file.includes('/.git/objects/') ? 0 : statSync(file).mtimeMs, statSync(file).size]);
  const asked = [['branch', '--list', '--all'], ['worktree', 'list'], ['stash', 'list'], ['for-each-ref']].map((args) =>
    gitIn(top, ...args),
  );
  return [files.sort(), asked];
}

function namesIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder) : [];
}

it(
  'a comparison of versions whose engine is killed at any moment leaves the repository as it was and no process, and nothing after the next start',
  { timeout: 500_000 },
  async () => {
    const top = gitRepository({ 'benchside.json': JSON.stringify(declaration), 'server.js': service(1000), '.gitignore': '.benchside\n' });
    commitFiles(top, { 'server.js': service(1100) }, 'second');
    gitIn(top, 'stash', 'list');
    const [storageDir, scratch] = [temporaryFolder('storage'), temporaryFolder('scratch')];
    const random = new SeededRandom(Date.now());
    for (let kill = 1; kill <= kills; kill += 1) {
      // Each time other code, so that it is copied and built anew: a change that is in no commit.
      const file = `changed-${kill}.txt`;
      commitFiles(top, { [file]: 'staged' }, file);
      gitIn(top, 'rm', '--quiet', '--cached', file);
      const before = stateOf(top);
      const engine = await TestEngine.start({ workspaceDir: top, storageDir, env: { TMPDIR: scratch } });
      const cut = engine.request('diff/start', { base: 'HEAD~1', head: null, load: 'brief', budgetS: 10 }).catch(() => undefined);
      await pause(longestMs * random.nextFraction() ** 2);
      const processes = engine.processes();
      process.kill(engine.client.pid, 'SIGKILL');
      await untilGone(processes, 10_000);
      await cut;
      await engine.dispose();
      expect(stateOf(top)).toEqual(before);
      const next = await TestEngine.start({ workspaceDir: top, storageDir, env: { TMPDIR: scratch } });
      try {
        expect(namesIn(scratch).filter((name) => name.includes('-versions-'))).toEqual([]);
        expect(namesIn(path.join(storageDir, 'versions')).filter((name) => !/^[0-9a-f]{24}$/.test(name))).toEqual([]);
        expect(namesIn(path.join(storageDir, 'journals'))).toHaveLength(1);
        expect(next.processes()).toEqual([]);
      } finally {
        await next.dispose();
      }
      expect(stateOf(top)).toEqual(before);
    }
  },
);

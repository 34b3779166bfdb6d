import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod';
import type { SeededRandom } from '../../../src/engine/statistics/seededRandom.ts';
import { declaration, service } from '../../support/computingService.ts';
import { temporaryFolder, TestEngine, untilGone } from '../../support/engine.ts';
import { commitFiles, gitIn, gitRepository } from '../../support/gitRepository.ts';

/** A comparison of two versions of the code whose engine was killed, and what came of the user’s repository. */
export const versionKillSchema = z.object({
  during: z.string().describe('what it was doing at that moment, as it told'),
  delayMs: z.number().describe('from its start to the kill'),
  changed: z
    .array(z.string())
    .describe('what was different of checkout, index, refs, stash, worktrees or any file below .git, locks among them'),
  left: z.array(z.string()).describe('processes, copies and temporary folders that were there after the next start'),
  commit: z.string().nullable(),
});
export type VersionKill = z.infer<typeof versionKillSchema>;

/** What Git and the file system know of a repository, a line each, but for what Benchside keeps of runs. */
export function repositoryState(top: string): string[] {
  const files = readdirSync(top, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => !file.includes('.benchside'))
    .map((file) => {
      // Of an object that the working tree holds as well, Git renews the time wherever it finds it, so that nobody prunes it.
      const timeMs = file.includes('/.git/objects/') ? 0 : statSync(file).mtimeMs;
      return `${path.relative(top, file)} ${timeMs} ${createHash('sha256').update(readFileSync(file)).digest('hex')}`;
    });
  const asked = [['worktree', 'list'], ['stash', 'list'], ['for-each-ref'], ['status', '--porcelain', '--untracked-files=all']].map(
    (args) => `git ${args.join(' ')}: ${gitIn(top, '--no-optional-locks', ...args)}`,
  );
  return [...files.sort(), ...asked];
}

function namesIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder) : [];
}

function differences(before: readonly string[], after: readonly string[]): string[] {
  const [then, now] = [new Set(before), new Set(after)];
  const lines = [...before.filter((line) => !now.has(line)), ...after.filter((line) => !then.has(line))];
  return [...new Set(lines.map((line) => line.split(/ \d|: /)[0] ?? line))];
}

/** A repository as one is in the middle of work: staged, changed and untracked files, a stash, a second branch. */
function repositoryAtWork(): string {
  const top = gitRepository({ 'benchside.json': JSON.stringify(declaration), 'server.js': service(1000), '.gitignore': '.benchside\n' });
  commitFiles(top, { 'server.js': service(1100) }, 'second');
  gitIn(top, 'branch', 'other', 'HEAD~1');
  writeFileSync(path.join(top, 'server.js'), service(1200));
  gitIn(top, 'stash', 'push', '--quiet');
  writeFileSync(path.join(top, 'staged.txt'), 'staged');
  gitIn(top, 'add', 'staged.txt');
  return top;
}

/**
 * Kills engines, one after the other, each at a random moment of a comparison of the working tree: from the first look at the repository to the recordings. After
 * each the next engine is started, as after a crash. `took` is given each.
 */
export async function killComparisons(
  count: number,
  random: SeededRandom,
  took: (result: Omit<VersionKill, 'commit'>) => void,
  goesOn: () => boolean = () => true,
): Promise<void> {
  const top = repositoryAtWork();
  const [storageDir, scratch] = [temporaryFolder('storage'), temporaryFolder('scratch')];
  const start = (): Promise<TestEngine> => TestEngine.start({ workspaceDir: top, storageDir, env: { TMPDIR: scratch } });
  const compare = (engine: TestEngine): Promise<unknown> =>
    engine.measure({ kind: 'diff', base: 'HEAD~1', head: null, load: 'brief', budgetS: 6 }).catch(() => undefined);
  const whole = await start();
  const wholeMs = await timed(() => compare(whole));
  await whole.dispose();
  for (let kill = 0; kill < count && goesOn(); kill += 1) {
    // Each time other code, so that it is copied again: a change that is in no commit.
    writeFileSync(path.join(top, 'changed.txt'), `${kill} ${random.nextFraction()}`);
    const before = repositoryState(top);
    const engine = await start();
    let during = 'looking at the repository';
    engine.client.on('progress', ({ doing }) => (during = doing.code));
    engine.client.on('run/event', (event) => {
      if (event.type === 'phase') during = event.phase;
    });
    const cut = compare(engine).then(() => (during = 'over'));
    const delayMs = wholeMs * random.nextFraction();
    await pause(delayMs);
    const at = during;
    const processes = engine.processes();
    process.kill(engine.client.pid, 'SIGKILL');
    await untilGone(processes, 30_000);
    await cut;
    await engine.dispose();
    const next = await start();
    const left = [
      ...namesIn(scratch).filter((name) => name.includes('-versions-')),
      ...namesIn(path.join(storageDir, 'versions')).filter((name) => !/^[0-9a-f]{24}$/.test(name)),
      ...namesIn(path.join(storageDir, 'journals')).slice(1),
      ...next.runFolders().filter((name) => name.startsWith('.tmp-')),
      ...next.processes().map(({ pid }) => `process ${pid}`),
    ].map((name) => name.replace(/[0-9a-f-]{8,}.*/, '…'));
    await next.dispose();
    took({ during: at, delayMs: Math.round(delayMs), changed: differences(before, repositoryState(top)), left });
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

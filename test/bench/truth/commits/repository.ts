import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

export type Files = Readonly<Record<string, string>>;

/** A repository that the bench has made: one commit after the other. */
export interface PlantedRepository {
  dir: string;
  git: (...args: string[]) => string;
  /** No worktree, no lock, no branch and no change that was not there before. */
  untouched: () => boolean;
  remove: () => void;
}

/** Commits of these files, each on top of the one before. */
export function plantedRepository(commits: readonly { message: string; files: Files }[]): PlantedRepository {
  const dir = mkdtempSync(path.join(tmpdir(), 'benchside-truth-'));
  const git = (...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=Someone', '-c', 'user.email=someone@example.org', '-c', 'commit.gpgSign=false', ...args], {
      cwd: dir,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  git('init', '--quiet', '--initial-branch=main');
  for (const { message, files } of commits) {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(path.dirname(path.join(dir, name)), { recursive: true });
      writeFileSync(path.join(dir, name), text);
    }
    git('add', '--all');
    git('commit', '--quiet', '--allow-empty', `--message=${message}`);
  }
  return {
    dir,
    git,
    untouched: () =>
      git('status', '--porcelain') === '' &&
      git('worktree', 'list').trim().split('\n').length === 1 &&
      git('branch', '--list').trim() === '* main' &&
      git('stash', 'list') === '' &&
      !existsSync(path.join(dir, '.git', 'index.lock')),
    remove: () => rmSync(dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }),
  };
}

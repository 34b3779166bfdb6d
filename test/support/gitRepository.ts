import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { temporaryFolder } from './engine.ts';

/** Runs Git in a folder, whatever this machine is configured to, and gives what it printed. */
export function gitIn(cwd: string, ...args: string[]): string {
  const own = [
    '-c',
    'user.email=someone@example.org',
    '-c',
    'user.name=Someone',
    '-c',
    'protocol.file.allow=always',
    '-c',
    'commit.gpgSign=false',
  ];
  return execFileSync('git', [...own, ...args], { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
}

/** A repository of its own with one commit of these files. */
export function gitRepository(files: Readonly<Record<string, string>>): string {
  const top = temporaryFolder('repository');
  gitIn(top, 'init', '--quiet', '--initial-branch=main');
  commitFiles(top, files, 'first');
  return top;
}

/** Writes files and commits everything. */
export function commitFiles(top: string, files: Readonly<Record<string, string>>, message: string): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(top, name)), { recursive: true });
    writeFileSync(path.join(top, name), text);
  }
  gitIn(top, 'add', '--all');
  gitIn(top, 'commit', '--quiet', '--allow-empty', `--message=${message}`);
}

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parse } from 'jsonc-parser';
import { workspaceFileSchema } from '../../../src/model/domain/target.ts';
import { repositoryDir } from '../../support/engine.ts';

const samplesDir = path.join(repositoryDir, 'samples');
const source = path.join(repositoryDir, 'test', 'bench', 'truth', 'apps', 'wait');
const program = path.join(repositoryDir, '.cache', 'truth', process.platform === 'win32' ? 'wait.exe' : 'wait');
let problem: string | null | undefined;

/** Why the Go app cannot be built here; null when it is ready. Built once for each run of the bench. */
export function goMissing(): string | null {
  if (problem !== undefined) return problem;
  mkdirSync(path.dirname(program), { recursive: true });
  const built = spawnSync('go', ['build', '-o', program, '.'], { cwd: source, encoding: 'utf8' });
  if (built.status === 0) problem = null;
  else
    problem =
      built.error === undefined
        ? `the Go app could not be built: ${built.stderr.trim().slice(-300)}`
        : 'it needs Go, 1.22 or later, on the PATH';
  return problem;
}

export interface Workspace {
  folder: string;
  remove(): void;
}

/** The pool of the samples in use today, where a cell compares a pair of sizes of which neither is the declared one. */
export const ampleToday = 40;

/**
 * The samples with an ample pool in use today, as `node-ample` and `java-ample`: a comparison measures today’s size in addition to those that are asked for,
 * so that a pair of others is a comparison of three.
 */
function ampleSamples(folder: string): object[] {
  const { targets } = workspaceFileSchema.parse(parse(readFileSync(path.join(samplesDir, 'benchside.json'), 'utf8')));
  const there = (file: string): string => path.relative(folder, path.join(samplesDir, file));
  return targets.map((target) => ({
    ...target,
    id: `${target.id}-ample`,
    cwd: there(target.cwd),
    settings: { ...target.settings, pool: { ...target.settings['pool'], default: ampleToday } },
    postgres: target.postgres && { ...target.postgres, sql: target.postgres.sql.map(there), prepare: there('database/prepare.sql') },
  }));
}

/** A folder that declares the Go app next to the samples, and these with an ample pool. Runs that are made in it go with it. */
export function makeWorkspace(): Workspace {
  const folder = mkdtempSync(path.join(tmpdir(), 'benchside-truth-'));
  const targets = existsSync(program)
    ? [
        {
          id: 'go',
          label: 'Go',
          description: 'Holds a connection of its pool while the database waits.',
          command: [program],
          ready: { path: '/health' },
          routes: [{ path: '/wait?ms=20', label: 'Holds a connection for 20 ms' }],
          settings: { pool: { label: 'Pool size', min: 1, max: 256, default: 8, env: 'DB_POOL_SIZE' } },
          postgres: { env: { url: 'DATABASE_URL' } },
        },
      ]
    : [];
  writeFileSync(path.join(folder, 'benchside.json'), JSON.stringify({ targets: [...targets, ...ampleSamples(folder)] }, null, 2));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }) };
}

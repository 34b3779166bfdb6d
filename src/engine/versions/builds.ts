import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { failure } from '../../model/domain/failure.ts';
import type { Target } from '../../model/domain/target.ts';
import { childEnvironment } from '../supervise/environment.ts';
import { runProgram } from '../supervise/runTool.ts';
import { makeTemporaryFolder } from '../supervise/temporaryFolder.ts';
import type { Supervisor } from '../supervise/supervisor.ts';
import { buildSteps } from './buildCommands.ts';
import type { Repository, Version } from './git.ts';

/** Another number for copies that are made otherwise: those that are kept are of this one. */
const copies = 2;
/** Built versions that are kept, so that the second time costs seconds. */
const kept = 8;
const buildMs = 15 * 60_000;
/** The names of folders in progress hold their owner, so that the next engine removes what a kill has left. */
const making = 'making';
const wholeName = /^[0-9a-f]{24}$/;

export interface BuildOptions {
  supervisor: Supervisor;
  /** The folder of `benchside.json`, relative to the top of the repository. */
  folder: string;
  target: Target;
  signal: AbortSignal;
  onProgress: (message: string) => void;
}

/**
 * Copies of versions with what their builds made, kept by code and build. A copy is made under another name and renamed when it is whole: an existing copy is
 * whole.
 */
export class Builds {
  constructor(private readonly dir: string) {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
  }

  /** The folder of a version, built. Fails with `build-failed`, which names the version and the command and carries the end of its output. */
  async make(repository: Repository, version: Version, options: BuildOptions): Promise<string> {
    const { folder, target } = options;
    const key = createHash('sha256')
      .update(JSON.stringify([copies, version.tree, folder, target.cwd, target.build ?? null, process.version]))
      .digest('hex')
      .slice(0, 24);
    const ready = path.join(this.dir, key);
    if (!existsSync(ready)) {
      const made = makeTemporaryFolder(making, this.dir);
      try {
        options.onProgress(`Copying ${version.label}`);
        await repository.checkOut(version, made);
        for (const step of buildSteps(made, folder, target)) await this.#executeStrategy(step, made, version, options);
        renameSync(made, ready);
      } finally {
        rmSync(made, { recursive: true, force: true });
      }
    }
    const now = new Date();
    utimesSync(ready, now, now);
    return ready;
  }

  /** Removes the oldest of what is kept. */
  prune(): void {
    const names = readdirSync(this.dir).filter((name) => wholeName.test(name));
    const whole = names.map((name) => ({ name, usedMs: statSync(path.join(this.dir, name)).mtimeMs })).sort((a, b) => b.usedMs - a.usedMs);
    for (const { name } of whole.slice(kept)) rmSync(path.join(this.dir, name), { recursive: true, force: true });
  }

  async #executeStrategy(
    { argv, cwd }: { argv: readonly string[]; cwd: string },
    dir: string,
    { label }: Version,
    { supervisor, signal, onProgress }: BuildOptions,
  ): Promise<void> {
    const said = argv.join(' ');
    onProgress(`Building ${label}: ${said}`);
    const spec = {
      name: `build of ${label}`,
      kind: 'tool',
      argv,
      cwd: path.join(dir, cwd),
      env: childEnvironment({ CI: 'true' }),
    } as const;
    const { code, tail } = await runProgram(supervisor, spec, { timeoutMs: buildMs, signal });
    if (code === 0) return;
    throw failure(
      'build-failed',
      `${label} could not be built: “${said}” ${code === null ? 'was ended by a signal' : `exited with code ${code}`}.`,
      'Mend the build, or name the commands in "build" of the target in benchside.json.',
      tail,
    );
  }
}

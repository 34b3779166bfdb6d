import type { Step } from '../../model/domain/progress/stepKinds.ts';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, realpathSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { failure, FailureError } from '../../model/domain/failure.ts';
import type { RunContext } from '../run/runContext.ts';
import { childEnvironment } from '../supervise/environment.ts';
import { runProgram } from '../supervise/runTool.ts';
import { makeTemporaryFolder } from '../supervise/temporaryFolder.ts';
import { type DeclaredTarget, targetProblem } from '../targets/catalog.ts';
import { type BuildStep, buildSteps } from './buildCommands.ts';
import type { Repository, Version } from './git.ts';

/** Another number for copies that are made otherwise: those that are kept are of this one. */
const copies = 2;
/** Built versions that are kept, so that the second time costs seconds. */
const kept = 8;
const buildMs = 15 * 60_000;
/** The names of folders in progress hold their owner, so that the next engine removes what a kill has left. */
const making = 'making';
const wholeName = /^[0-9a-f]{24}$/;

/** PostgreSQL cuts names at 63 bytes, and a side may have a copy whose name is longer. */
const longestOriginal = 20;

/** A target in a copy of its code. */
type CopiedTarget = DeclaredTarget & Required<Pick<DeclaredTarget, 'copied'>>;

/** What builds versions. */
export interface BuildOptions extends Pick<RunContext, 'supervisor' | 'signal' | 'toolchain'> {
  /** Where built versions are kept. */
  storageDir: string;
  onProgress: (step: Step) => void;
}

/**
 * Copies of versions with what their builds made, kept by code and build. A copy is made under another name and renamed when it is whole: an existing copy is
 * whole.
 */
export class Builds {
  readonly #dir: string;

  constructor(
    private readonly repository: Repository,
    private readonly options: BuildOptions,
  ) {
    this.#dir = path.join(realpathSync(options.storageDir), 'versions');
    mkdirSync(this.#dir, { recursive: true, mode: 0o700 });
  }

  /**
   * A target in a built copy of a version, with a database of its own, of which `mark` ends the name. What the workspace declares now counts for all versions.
   * Fails with `build-failed`, which names the version and the command and carries the end of its output, and with what keeps the target from being started.
   */
  async copyOf(declared: DeclaredTarget, version: Version, mark: string): Promise<CopiedTarget> {
    const folder = this.repository.within(declared.baseDir);
    const copy = await this.#make(version, folder, declared);
    const { target } = declared;
    const { postgres } = target;
    const own =
      postgres === undefined ? {} : { postgres: { ...postgres, database: `${postgres.database.slice(0, longestOriginal)}_${mark}` } };
    const copied = {
      ...declared,
      target: { ...target, ...own },
      baseDir: path.join(copy, folder),
      copied: { copy, of: this.repository.root },
    };
    const problem = targetProblem(copied, this.options.toolchain);
    if (problem === null) return copied;
    throw new FailureError({
      ...problem,
      message: `${version.label}: ${problem.message}`,
      cure: `${problem.cure} What benchside.json says now counts for all versions.`,
    });
  }

  /** The folder of a version, built. */
  async #make(version: Version, folder: string, { target }: DeclaredTarget): Promise<string> {
    const key = createHash('sha256')
      .update(JSON.stringify([copies, version.tree, folder, target.cwd, target.build ?? null, process.version]))
      .digest('hex')
      .slice(0, 24);
    const ready = path.join(this.#dir, key);
    if (!existsSync(ready)) {
      const made = makeTemporaryFolder(making, this.#dir);
      try {
        this.options.onProgress({ code: 'copying-version', version: version.label });
        await this.repository.checkOut(version, made);
        for (const step of buildSteps(made, folder, target)) await this.#build(step, made, version);
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
    const names = readdirSync(this.#dir).filter((name) => wholeName.test(name));
    const whole = names.map((name) => ({ name, usedMs: statSync(path.join(this.#dir, name)).mtimeMs })).sort((a, b) => b.usedMs - a.usedMs);
    for (const { name } of whole.slice(kept)) rmSync(path.join(this.#dir, name), { recursive: true, force: true });
  }

  async #build({ argv, cwd }: BuildStep, dir: string, { label }: Version): Promise<void> {
    const { supervisor, signal, onProgress } = this.options;
    const said = argv.join(' ');
    onProgress({ code: 'building-version', version: label, command: [...argv] });
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

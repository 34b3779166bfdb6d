import { createHash } from 'node:crypto';
import { realpathSync, rmSync } from 'node:fs';
import path from 'node:path';
import { failure } from '../../model/domain/failure.ts';
import type { RunRequest } from '../../model/domain/run.ts';
import type { RunContext } from '../run/runContext.ts';
import { makeTemporaryFolder } from '../supervise/temporaryFolder.ts';
import { findTarget } from '../targets/catalog.ts';
import type { DeclaredTarget } from '../targets/catalog.ts';
import { variantOf } from '../variants/varied.ts';
import { Builds } from './builds.ts';
import { Repository } from './git.ts';
import type { Version } from './git.ts';
import { assertStartable, requireAncestors } from './measureVersions.ts';
import type { VersionsOptions } from './measureVersions.ts';

/** The value of `code` that means the files as they are. */
const asItIs = 'worktree';
/** PostgreSQL cuts names at 63 bytes, and a side may have a copy whose name is longer. */
const longestOriginal = 20;

/**
 * Makes the copies of the code that a request varies by `code`, each built and with a database of its own, and gives the context in which its targets have them.
 * Does nothing where it varies none. What the workspace declares now counts for all versions.
 */
export async function withVersionCopies(
  { settings, targets }: Pick<RunRequest, 'settings' | 'targets'>,
  context: RunContext,
  options: VersionsOptions | null,
): Promise<RunContext> {
  const { declarations, supervisor, signal } = context;
  const names = [...new Set((settings['code'] ?? []).map(String))];
  const found = [...new Set(targets)].map((id) => findTarget(declarations, id));
  // Where none of them can have versions, whoever plans the run says so.
  const varied = found.filter((declared) => declared.origin === 'workspace' && variantOf(declared, 'code') !== undefined);
  if (names.length === 0 || varied.length === 0 || options === null) return context;
  if (!context.trusted)
    throw failure('untrusted', 'The versions of a workspace that is not trusted are not built.', 'Trust the workspace first.');
  const scratch = makeTemporaryFolder('versions');
  try {
    const repository = await Repository.around(supervisor, options.workspaceDir, scratch, signal);
    const versions = new Map<string, Version>();
    for (const name of names) versions.set(name, await (name === asItIs ? repository.workingTree() : repository.version(name)));
    if (options.ancestorsOnly === true) await requireAncestors(repository, [...versions.values()]);
    const builds = new Builds(path.join(realpathSync(options.storageDir), 'versions'));
    const copied = new Map<DeclaredTarget, DeclaredTarget>();
    for (const declared of varied) {
      const folder = repository.within(declared.baseDir);
      const made: Record<string, DeclaredTarget> = {};
      for (const [name, version] of versions) {
        const { target } = declared;
        const copy = await builds.make(repository, version, { supervisor, folder, target, signal, onProgress: options.onProgress });
        made[name] = ofVersion(declared, version, { copy, of: repository.root }, folder);
        assertStartable(made[name], context, version.label);
      }
      copied.set(declared, { ...declared, versions: made });
    }
    builds.prune();
    return { ...context, declarations: { ...declarations, targets: declarations.targets.map((one) => copied.get(one) ?? one) } };
  } finally {
    rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
  }
}

function ofVersion(
  declared: DeclaredTarget,
  { tree }: Version,
  copied: NonNullable<DeclaredTarget['copied']>,
  folder: string,
): DeclaredTarget {
  const { postgres } = declared.target;
  const mark = createHash('sha256').update(tree).digest('hex').slice(0, 6);
  const own =
    postgres === undefined ? {} : { postgres: { ...postgres, database: `${postgres.database.slice(0, longestOriginal)}_${mark}` } };
  return { ...declared, target: { ...declared.target, ...own }, baseDir: path.join(copied.copy, folder), copied };
}

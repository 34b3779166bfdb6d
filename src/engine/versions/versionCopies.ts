import { createHash } from 'node:crypto';
import type { RunRequest } from '../../model/domain/run.ts';
import type { RunContext } from '../run/runContext.ts';
import { type DeclaredTarget, findTarget } from '../targets/catalog.ts';
import { variantOf } from '../variants/varied.ts';
import { Builds } from './builds.ts';
import { type Version, inRepository } from './git.ts';
import { type VersionsOptions, requireAncestors } from './measureVersions.ts';

/** The value of `code` that means the files as they are. */
const asItIs = 'worktree';

/**
 * Makes the copies of the code that a request varies by `code`, each built and with a database of its own, and gives the context in which its targets have them.
 * Does nothing where it varies none. What the workspace declares now counts for all versions.
 */
export async function withVersionCopies(
  { settings, targets }: Pick<RunRequest, 'settings' | 'targets'>,
  context: RunContext,
  options: VersionsOptions | null,
): Promise<RunContext> {
  const { declarations } = context;
  const names = [...new Set((settings['code'] ?? []).map(String))];
  const found = [...new Set(targets)].map((id) => findTarget(declarations, id));
  // Where none of them can have versions, whoever plans the run says so.
  const varied = found.filter((declared) => declared.origin === 'workspace' && variantOf(declared, 'code') !== undefined);
  if (names.length === 0 || varied.length === 0 || options === null) return context;
  return inRepository(context, options.workspaceDir, async (repository) => {
    const versions = new Map<string, Version>();
    for (const name of names) versions.set(name, await (name === asItIs ? repository.workingTree() : repository.version(name)));
    if (options.ancestorsOnly === true) await requireAncestors(repository, [...versions.values()]);
    const builds = new Builds(repository, { ...context, ...options });
    const copied = new Map<DeclaredTarget, DeclaredTarget>();
    for (const declared of varied) {
      const made: Record<string, DeclaredTarget> = {};
      for (const [name, version] of versions) made[name] = await builds.copyOf(declared, version, markOf(version));
      copied.set(declared, { ...declared, versions: made });
    }
    builds.prune();
    return { ...context, declarations: { ...declarations, targets: declarations.targets.map((one) => copied.get(one) ?? one) } };
  });
}

function markOf({ tree }: Version): string {
  return createHash('sha256').update(tree).digest('hex').slice(0, 6);
}

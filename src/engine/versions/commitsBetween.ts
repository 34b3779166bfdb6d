import { rmSync } from 'node:fs';
import { failure } from '../../model/domain/failure.ts';
import type { ResultOf } from '../../model/protocol/protocol.ts';
import type { RunContext } from '../run/runContext.ts';
import { makeTemporaryFolder } from '../supervise/temporaryFolder.ts';
import { Repository } from './git.ts';

type Context = Pick<RunContext, 'supervisor' | 'signal' | 'trusted'>;

/** The commits among which one made a difference. Fails with `untrusted`, and as `Repository` does. */
export async function commitsBetween(
  { good, bad }: { good: string; bad: string },
  context: Context,
  workspaceDir: string,
): Promise<ResultOf<'diff/commits'>> {
  return inRepository(context, workspaceDir, async (repository) => {
    const [older, newer] = [await repository.version(good), await repository.version(bad)];
    return { good: older.commit ?? '', bad: newer.commit ?? '', commits: await repository.commitsBetween(older, newer) };
  });
}

/** What versions are called in the workspace’s repository. Fails with `untrusted`, and as `Repository` does. */
export function versionNames(context: Context, workspaceDir: string): Promise<ResultOf<'diff/names'>> {
  return inRepository(context, workspaceDir, (repository) => repository.names());
}

/**
 * Does something with the repository around a folder, which is only read. Fails with `untrusted`, since a repository's own configuration can make Git start
 * programs, and as `Repository` does.
 */
export async function inRepository<T>(
  { supervisor, signal, trusted }: Context,
  workspaceDir: string,
  work: (repository: Repository) => Promise<T>,
): Promise<T> {
  if (!trusted) throw failure('untrusted', 'The repository of a workspace that is not trusted is not asked.', 'Trust the workspace first.');
  const scratch = makeTemporaryFolder('versions');
  try {
    return await work(await Repository.around(supervisor, workspaceDir, scratch, signal));
  } finally {
    rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
  }
}

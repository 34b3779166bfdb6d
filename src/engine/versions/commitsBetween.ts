import { rmSync } from 'node:fs';
import { failure } from '../../model/failure.ts';
import type { ResultOf } from '../../model/protocol.ts';
import type { RunContext } from '../run/runContext.ts';
import { makeTemporaryFolder } from '../supervise/temporaryFolder.ts';
import { Repository } from './git.ts';

/** The commits among which one made a difference. Fails with `untrusted`, and as `Repository` does. */
export async function commitsBetween(
  { good, bad }: { good: string; bad: string },
  { supervisor, signal, trusted }: Pick<RunContext, 'supervisor' | 'signal' | 'trusted'>,
  workspaceDir: string,
): Promise<ResultOf<'diff/commits'>> {
  // A repository's own configuration can make git start programs.
  if (!trusted) throw failure('untrusted', 'The repository of a workspace that is not trusted is not asked.', 'Trust the workspace first.');
  const scratch = makeTemporaryFolder('versions');
  try {
    const repository = await Repository.around(supervisor, workspaceDir, scratch, signal);
    const [older, newer] = [await repository.version(good), await repository.version(bad)];
    return { good: older.commit ?? '', bad: newer.commit ?? '', commits: await repository.commitsBetween(older, newer) };
  } finally {
    rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
  }
}

import { rmSync } from 'node:fs';
import type { ResultOf } from '../../model/protocol.ts';
import type { RunContext } from '../run/runContext.ts';
import { makeTemporaryFolder } from '../supervise/temporaryFolder.ts';
import { Repository } from './git.ts';

/** The commits among which one made a difference. Fails as `Repository` does. */
export async function commitsBetween(
  { good, bad }: { good: string; bad: string },
  { supervisor, signal }: Pick<RunContext, 'supervisor' | 'signal'>,
  workspaceDir: string,
): Promise<ResultOf<'diff/commits'>> {
  const scratch = makeTemporaryFolder('versions');
  try {
    const repository = await Repository.around(supervisor, workspaceDir, scratch, signal);
    const [older, newer] = [await repository.version(good), await repository.version(bad)];
    return { good: older.commit ?? '', bad: newer.commit ?? '', commits: await repository.commitsBetween(older, newer) };
  } finally {
    rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
  }
}

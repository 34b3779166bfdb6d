import { failure } from '../../model/domain/failure.ts';
import type { Engine } from '../engine.ts';
import type { Handlers } from '../rpc/engineServer.ts';
import { inRepository } from '../versions/git.ts';
import type { Repository } from '../versions/git.ts';

/** The versions of the workspace’s code that can be compared. */
export function diffHandlers(engine: Engine) {
  const ofFolder = async <T>(signal: AbortSignal, work: (repository: Repository) => Promise<T>): Promise<T> => {
    const context = await engine.runContext([], signal);
    const { workspaceDir } = engine.params;
    if (workspaceDir === null) throw failure('no-repository', 'No folder is open.', 'Open a folder of a Git repository.');
    return inRepository(context, workspaceDir, work);
  };
  return {
    'diff/names': (_, signal) => ofFolder(signal, (repository) => repository.names()),
    'diff/commits': ({ good, bad }, signal) => ofFolder(signal, (repository) => repository.commitsBetween(good, bad)),
  } satisfies Partial<Handlers>;
}

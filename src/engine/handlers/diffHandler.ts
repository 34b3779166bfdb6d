import { failure } from '../../model/domain/failure.ts';
import type { RunContext } from '../run/runContext.ts';
import type { Handlers } from '../rpc/engineServer.ts';
import { inRepository } from '../versions/git.ts';
import type { Repository } from '../versions/git.ts';

/** What the handler needs of the engine. */
export interface DiffHandlerOptions {
  workspaceDir: string | null;
  context: (targets: readonly string[], signal: AbortSignal) => Promise<RunContext>;
}

/** The requests that the handler answers. */
export const diffRequests = ['diff/commits', 'diff/names'] as const;

/** The versions of the workspace’s code that can be compared. */
export class DiffHandler {
  constructor(private readonly options: DiffHandlerOptions) {}

  handlers(): Pick<Handlers, (typeof diffRequests)[number]> {
    const { context, workspaceDir } = this.options;
    const ofFolder = async <T>(signal: AbortSignal, work: (repository: Repository) => Promise<T>): Promise<T> => {
      const given = await context([], signal);
      if (workspaceDir === null) throw failure('no-repository', 'No folder is open.', 'Open a folder of a Git repository.');
      return inRepository(given, workspaceDir, work);
    };
    return {
      'diff/names': (_, signal) => ofFolder(signal, (repository) => repository.names()),
      'diff/commits': ({ good, bad }, signal) => ofFolder(signal, (repository) => repository.commitsBetween(good, bad)),
    };
  }
}

import { failure } from '../../model/domain/failure.ts';
import type { RunContext } from '../run/runContext.ts';
import type { Handlers } from '../rpc/engineServer.ts';
import { commitsBetween, versionNames } from '../versions/commitsBetween.ts';

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
    const folder = (): string => {
      if (workspaceDir === null) throw failure('no-repository', 'No folder is open.', 'Open a folder of a Git repository.');
      return workspaceDir;
    };
    return {
      'diff/names': async (_, signal) => versionNames(await context([], signal), folder()),
      'diff/commits': async ({ good, bad }, signal) => commitsBetween({ good, bad }, await context([], signal), folder()),
    };
  }
}

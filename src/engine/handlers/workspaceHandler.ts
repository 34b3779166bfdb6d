import { failure, failureSchema } from '../../model/domain/failure.ts';
import { told } from '../files/redactRecord.ts';
import { introspectService } from '../introspect/introspectService.ts';
import type { IntrospectionContext } from '../introspect/introspectService.ts';
import type { ReadingThread } from '../reading/readingThread.ts';
import type { Handlers } from '../rpc/engineServer.ts';

/** What the handler needs of the engine. */
export interface WorkspaceHandlerOptions {
  workspaceDir: string | null;
  reading: ReadingThread;
  trusted: () => boolean;
  secrets: () => readonly string[];
  /** Reserves the machine, so that nothing is measured meanwhile; fails when something is. */
  exclusive: <T>(signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>) => Promise<T>;
  context: () => Promise<Omit<IntrospectionContext, 'workspaceDir' | 'signal'>>;
}

/** The requests that the handler answers. */
export const workspaceRequests = ['workspace/discover', 'workspace/look'] as const;

/** What the open folder contains, and what is seen of it when it runs. */
export class WorkspaceHandler {
  constructor(private readonly options: WorkspaceHandlerOptions) {}

  handlers(): Pick<Handlers, (typeof workspaceRequests)[number]> {
    const { workspaceDir, reading, trusted, secrets, exclusive, context } = this.options;
    return {
      'workspace/discover': async ({ command = [] }, signal) =>
        workspaceDir === null
          ? { services: [], candidates: [], notes: [] }
          : reading.read('discover', { dir: workspaceDir, command }, signal),
      'workspace/look': async ({ service }, signal) => {
        if (workspaceDir === null) throw failure('look-not-possible', 'No folder is open.', 'Open the folder of the service first.');
        if (!trusted())
          throw failure(
            'untrusted',
            `${service.label} stands in a workspace that is not trusted.`,
            'Trust the workspace (“Workspaces: Manage Workspace Trust”) to start it.',
          );
        const seen = await exclusive(signal, async (own) =>
          introspectService(service, { ...(await context()), workspaceDir, signal: own }),
        );
        return seen.problem === null ? seen : { ...seen, problem: told(failureSchema, seen.problem, secrets()) };
      },
    };
  }
}

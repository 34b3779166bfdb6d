import { failure } from '../../model/failure.ts';
import type { RunContext } from '../run/runContext.ts';
import type { Handlers, Notify } from '../rpc/engineServer.ts';
import { commitsBetween, versionNames } from '../versions/commitsBetween.ts';
import { measureVersions } from '../versions/measureVersions.ts';

/** What the desk needs of the engine. */
export interface DiffDeskOptions {
  workspaceDir: string | null;
  storageDir: string;
  notify: Notify;
  /** Reserves the machine, so that nothing else is measured meanwhile; fails when something is. */
  exclusive: <T>(signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>) => Promise<T>;
  context: (targets: readonly string[], signal: AbortSignal, starts?: string) => Promise<RunContext>;
}

/** The requests that the desk answers. */
export const diffRequests = ['diff/start', 'diff/commits', 'diff/names'] as const;

/** Two versions of the workspace’s code, compared. */
export class DiffDesk {
  constructor(private readonly options: DiffDeskOptions) {}

  handlers(): Pick<Handlers, (typeof diffRequests)[number]> {
    const { notify, exclusive, context, storageDir, workspaceDir } = this.options;
    const folder = (): string => {
      if (workspaceDir === null) throw failure('no-repository', 'No folder is open.', 'Open a folder of a Git repository.');
      return workspaceDir;
    };
    return {
      'diff/names': async (_, signal) => versionNames(await context([], signal), folder()),
      'diff/commits': async ({ good, bad }, signal) => commitsBetween({ good, bad }, await context([], signal), folder()),
      'diff/start': async ({ starts, ancestorsOnly, ...request }, signal) => {
        const dir = folder();
        try {
          return await exclusive(signal, async (own) =>
            measureVersions(request, await context([], own, starts), {
              ancestorsOnly,
              workspaceDir: dir,
              storageDir,
              onProgress: (message) => notify('engine/log', { level: 'info', source: 'versions', message }),
            }),
          );
        } finally {
          notify('runs/changed', {});
          notify('catalog/changed', {});
        }
      },
    };
  }
}

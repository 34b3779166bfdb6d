import { existsSync } from 'node:fs';
import path from 'node:path';
import type { ReadingThread } from '../reading/readingThread.ts';
import { withBackingServices } from '../run/backingServices.ts';
import { experimentsFolder, readSavedRequests, saveRequest } from '../run/tuning/savedRequestFiles.ts';
import type { RunContext } from '../run/runContext.ts';
import { runTuning } from '../run/tuning/tuneRun.ts';
import type { Handlers, Notify } from '../rpc/engineServer.ts';

/** What the desk needs of the engine. */
export interface TuningDeskOptions {
  reading: ReadingThread;
  assetsDir: string;
  workspaceDir: string | null;
  notify: Notify;
  /** Reserves the machine, so that nothing else is measured meanwhile; fails when something is. */
  exclusive: <T>(signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>) => Promise<T>;
  /** What a run needs, once each of these targets was found to be ours to start. */
  context: (targets: readonly string[], signal: AbortSignal, starts?: string) => Promise<RunContext>;
}

/** The requests that the desk answers. */
export const tuningRequests = ['tune/start', 'savedRequests/list', 'savedRequests/save'] as const;
type TuningRequest = (typeof tuningRequests)[number];

/** The best settings of an app: finding them, and the experiments that ask for them. */
export class TuningDesk {
  constructor(private readonly options: TuningDeskOptions) {}

  handlers(): Pick<Handlers, TuningRequest> {
    const { options } = this;
    const { notify } = options;
    return {
      'tune/start': async ({ starts, ...request }, signal) => {
        try {
          return await options.exclusive(signal, async (own) =>
            withBackingServices(request, await options.context(request.targets, own, starts), (context) => runTuning(request, context)),
          );
        } finally {
          notify('runs/changed', {});
          notify('catalog/changed', {});
        }
      },
      'savedRequests/list': (_, signal) => {
        const { assetsDir, workspaceDir, reading } = options;
        const hasOwn = workspaceDir !== null && existsSync(path.join(workspaceDir, experimentsFolder));
        return hasOwn ? reading.read('savedRequests', { assetsDir, workspaceDir }, signal) : readSavedRequests(assetsDir, null);
      },
      'savedRequests/save': async ({ savedRequest }) => ({ file: await saveRequest(options.workspaceDir, savedRequest) }),
    };
  }
}

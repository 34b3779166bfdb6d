import { existsSync } from 'node:fs';
import path from 'node:path';
import type { ReadingThread } from '../reading/readingThread.ts';
import { experimentsFolder, readSavedRequests, saveRequest } from '../run/tuning/savedRequestFiles.ts';
import type { Handlers } from '../rpc/engineServer.ts';

/** What the handler needs of the engine. */
export interface TuningHandlerOptions {
  reading: ReadingThread;
  assetsDir: string;
  workspaceDir: string | null;
}

/** The requests that the handler answers. */
export const tuningRequests = ['savedRequests/list', 'savedRequests/save'] as const;
type TuningRequest = (typeof tuningRequests)[number];

/** The experiments that ask for the best settings of an app. */
export class TuningHandler {
  constructor(private readonly options: TuningHandlerOptions) {}

  handlers(): Pick<Handlers, TuningRequest> {
    const { options } = this;
    return {
      'savedRequests/list': (_, signal) => {
        const { assetsDir, workspaceDir, reading } = options;
        const hasOwn = workspaceDir !== null && existsSync(path.join(workspaceDir, experimentsFolder));
        return hasOwn ? reading.read('savedRequests', { assetsDir, workspaceDir }, signal) : readSavedRequests(assetsDir, null);
      },
      'savedRequests/save': async ({ savedRequest }) => ({ file: await saveRequest(options.workspaceDir, savedRequest) }),
    };
  }
}

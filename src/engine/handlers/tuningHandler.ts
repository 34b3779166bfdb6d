import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Engine } from '../engine.ts';
import { experimentsFolder, readSavedRequests, saveRequest } from '../run/tuning/savedRequestFiles.ts';
import type { Handlers } from '../rpc/engineServer.ts';

/** The experiments that ask for the best settings of an app. */
export function tuningHandlers({ params: { assetsDir, workspaceDir }, reading }: Engine) {
  return {
    'savedRequests/list': (_, signal) => {
      const hasOwn = workspaceDir !== null && existsSync(path.join(workspaceDir, experimentsFolder));
      return hasOwn ? reading.read('savedRequests', { assetsDir, workspaceDir }, signal) : readSavedRequests(assetsDir, null);
    },
    'savedRequests/save': async ({ savedRequest }) => ({ file: await saveRequest(workspaceDir, savedRequest) }),
  } satisfies Partial<Handlers>;
}

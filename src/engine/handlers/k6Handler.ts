import path from 'node:path';
import { failure } from '../../model/domain/failure.ts';
import type { Params } from '../../model/protocol/protocol.ts';
import { exportK6 } from '../cluster/exportK6.ts';
import { exportedExperiment, exportedRun } from '../cluster/exportPlan.ts';
import { importK6 } from '../cluster/importK6.ts';
import type { Handlers, Notify } from '../rpc/engineServer.ts';
import type { RunContext } from '../run/runContext.ts';
import type { RunStore } from '../runs/runStore.ts';
import type { Declarations } from '../targets/catalog.ts';

/** What the handler needs of the engine. */
export interface K6HandlerOptions {
  assetsDir: string;
  store: RunStore;
  notify: Notify;
  declarations: () => Promise<Declarations>;
  readEnvironment: RunContext['readEnvironment'];
}

/** The requests that the handler answers. */
export const k6Requests = ['k6/export', 'k6/import'] as const;
type K6Request = (typeof k6Requests)[number];

/** The same measurement on a cluster: out as a folder for k6, back in from the files of its runners. */
export class K6Handler {
  constructor(private readonly options: K6HandlerOptions) {}

  handlers(): Pick<Handlers, K6Request> {
    const { store, notify, readEnvironment, declarations, assetsDir } = this.options;
    return {
      'k6/export': (params) => this.#export(params),
      'k6/import': async ({ files, as }, signal) => {
        const run = await importK6(files, {
          store,
          readEnvironment,
          signal,
          assetsDir,
          declarations: await declarations(),
          as: as === null ? null : await store.read(as),
          onProgress: (message, fraction) => notify('k6/progress', { message, fraction }),
        });
        notify('runs/changed', {});
        return { run };
      },
    };
  }

  async #export({ of, folder, url, parallelism }: Params<'k6/export'>): ReturnType<Handlers['k6/export']> {
    const { store, declarations, assetsDir } = this.options;
    if (!path.isAbsolute(folder)) throw failure('k6-folder', 'The folder to export to needs its whole path.', 'Name it with its folders.');
    const exported = 'run' in of ? exportedRun(await store.read(of.run)) : exportedExperiment(of.request);
    return exportK6(exported, await declarations(), { folder, url, parallelism, assetsDir });
  }
}

import { renderReport } from '../report/renderReport.ts';
import type { Handlers, Notify } from '../rpc/engineServer.ts';
import { compareStoredRuns } from '../runs/compareStoredRuns.ts';
import type { RunStore } from '../runs/runStore.ts';

/** What the handler needs of the engine. */
export interface RunsHandlerOptions {
  assetsDir: string;
  store: RunStore;
  notify: Notify;
}

/** The requests that the handler answers. */
export const runsRequests = ['runs/list', 'runs/get', 'runs/delete', 'runs/restore', 'runs/mark', 'runs/compare', 'runs/report'] as const;
type RunsRequest = (typeof runsRequests)[number];

/** The runs that are stored: looking at them, comparing them, and what a person does with them. */
export class RunsHandler {
  constructor(private readonly options: RunsHandlerOptions) {}

  handlers(): Pick<Handlers, RunsRequest> {
    const { assetsDir, store, notify } = this.options;
    return {
      'runs/list': async () => ({ runs: await store.list() }),
      'runs/get': async ({ id }) => ({ run: await store.read(id) }),
      'runs/delete': async ({ id }) => {
        await store.remove(id);
        notify('runs/changed', {});
        return {};
      },
      'runs/restore': async ({ id }) => {
        await store.restore(id);
        notify('runs/changed', {});
        return {};
      },
      'runs/mark': async ({ id, marks }) => {
        await store.mark(id, marks);
        notify('runs/changed', {});
        return {};
      },
      'runs/compare': (of) => compareStoredRuns(store, of),
      'runs/report': async ({ id, format }) => renderReport(await store.read(id), format, assetsDir),
    };
  }
}

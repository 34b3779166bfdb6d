import type { AdviceStore } from '../advise/adviceStore.ts';
import { renderReport } from '../report/renderReport.ts';
import type { Handlers, Notify } from '../rpc/engineServer.ts';
import { compareStoredRuns } from '../runs/compareStoredRuns.ts';
import type { RunStore } from '../runs/runStore.ts';
import { adviceHandlers, adviceRequests } from './adviceHandlers.ts';

/** What the handler needs of the engine. */
export interface RunsHandlerOptions {
  assetsDir: string;
  store: RunStore;
  advices: AdviceStore;
  notify: Notify;
}

/** The requests that the handler answers. */
export const runsRequests = [
  'runs/list',
  'runs/get',
  'runs/delete',
  'runs/restore',
  'runs/mark',
  'runs/compare',
  'runs/report',
  ...adviceRequests,
] as const;
type RunsRequest = (typeof runsRequests)[number];

/** The runs and advices that are stored: looking at them, comparing them, and what a person does with them. */
export class RunsHandler {
  constructor(private readonly options: RunsHandlerOptions) {}

  handlers(): Pick<Handlers, RunsRequest> {
    const { assetsDir, store, advices, notify } = this.options;
    return {
      ...adviceHandlers(advices),
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

import type { Engine } from '../engine.ts';
import { renderReport } from '../report/renderReport.ts';
import type { Handlers } from '../rpc/engineServer.ts';
import { compareStoredRuns } from '../runs/compareStoredRuns.ts';

/** The runs that are stored: looking at them, comparing them, and what a person does with them. */
export function runsHandlers({ params: { assetsDir }, store, notify }: Engine) {
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
  } satisfies Partial<Handlers>;
}

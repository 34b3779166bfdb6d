import type { Engine } from './engine.ts';
import { renderReport } from '../report/renderReport.ts';
import type { Handlers } from '../rpc/engineServer.ts';
import { compareStoredRuns } from '../runs/compareStoredRuns.ts';

/** The runs that are stored: looking at them, comparing them, and what a person does with them. */
export function runsHandlers(engine: Engine) {
  const { store } = engine;
  return {
    'runs/list': async () => ({ runs: await store.list() }),
    'runs/get': async ({ id }) => ({ run: await store.read(id) }),
    'runs/delete': ({ id }) => engine.changing('runs/changed', store.remove(id)),
    'runs/restore': ({ id }) => engine.changing('runs/changed', store.restore(id)),
    'runs/mark': ({ id, marks }) => engine.changing('runs/changed', store.mark(id, marks)),
    'runs/compare': (of) => compareStoredRuns(store, of),
    'runs/report': async ({ id, format }) => renderReport(await store.read(id), format, engine.params.assetsDir),
  } satisfies Partial<Handlers>;
}

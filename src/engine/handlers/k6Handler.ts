import path from 'node:path';
import { failure } from '../../model/domain/failure.ts';
import { exportK6 } from '../cluster/exportK6.ts';
import { exportedExperiment, exportedRun } from '../cluster/exportPlan.ts';
import { importK6 } from '../cluster/importK6.ts';
import type { Engine } from './engine.ts';
import type { Handlers } from '../rpc/engineServer.ts';
import { machineFacts } from './machineFacts.ts';

/** The same measurement on a cluster: out as a folder for k6, back in from the files of its runners. */
export function k6Handlers(engine: Engine) {
  const { store, notify } = engine;
  return {
    'k6/export': async ({ of, folder, url, parallelism }) => {
      if (!path.isAbsolute(folder))
        throw failure('k6-folder', 'The folder to export to needs its whole path.', 'Name it with its folders.');
      const exported = 'run' in of ? exportedRun(await store.read(of.run)) : exportedExperiment(of.request);
      return exportK6(exported, await engine.readDeclared(), { folder, url, parallelism, assetsDir: engine.params.assetsDir });
    },
    'k6/import': async ({ files, as }, signal) => {
      const run = await importK6(files, {
        store,
        readEnvironment: (facts) => machineFacts(engine).environment(facts, false),
        signal,
        assetsDir: engine.params.assetsDir,
        declarations: await engine.readDeclared(),
        as: as === null ? null : await store.read(as),
        onProgress: (step, fraction) => engine.tell('k6', step, fraction),
      });
      notify('runs/changed', {});
      return { run };
    },
  } satisfies Partial<Handlers>;
}

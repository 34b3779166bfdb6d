import { existsSync } from 'node:fs';
import path from 'node:path';
import type { ListedExperiment } from '../../model/domain/experiment.ts';
import { tierOfExperiment } from '../../model/domain/answerTier.ts';
import type { Engine } from './engine.ts';
import type { Handlers } from '../rpc/engineServer.ts';
import type { RunStore } from '../runs/runStore.ts';
import { readExperiments } from '../run/experiment/experimentFiles.ts';
import { missingRequirements } from '../run/experiment/requirements.ts';
import { experimentsFolder, readSavedRequests, saveRequest } from '../run/tuning/savedRequestFiles.ts';
import { experimentSeconds } from '../strategies/experiment/experimentTime.ts';

/** The published experiments: which there are, what they need, and what was found of them last; and those that ask for the best settings of an app. */
export function experimentHandlers(engine: Engine) {
  const { assetsDir, workspaceDir } = engine.params;
  return {
    'experiments/list': async () => {
      const { experiments, problems } = await readExperiments(assetsDir, workspaceDir);
      const last = await lastRuns(engine.store);
      return {
        problems,
        experiments: experiments.map((experiment): ListedExperiment => ({
          id: experiment.id,
          title: experiment.title,
          asks: experiment.asks,
          source: experiment.source,
          needs: experiment.needs,
          then: experiment.then ?? null,
          missing: missingRequirements(experiment.needs, engine.toolchain),
          shortS: experimentSeconds(experiment, experiment.short),
          fullS: experimentSeconds(experiment, experiment.full),
          lastRunId: last.get(experiment.id)?.id ?? null,
          lastAgrees: last.get(experiment.id)?.agrees ?? null,
        })),
      };
    },
    'savedRequests/list': (_, signal) => {
      const hasOwn = workspaceDir !== null && existsSync(path.join(workspaceDir, experimentsFolder));
      return hasOwn ? engine.reading.read('savedRequests', { assetsDir, workspaceDir }, signal) : readSavedRequests(assetsDir, null);
    },
    'savedRequests/save': async ({ savedRequest }) => ({ file: await saveRequest(workspaceDir, savedRequest) }),
  } satisfies Partial<Handlers>;
}

/** The newest run of each; whether it agreed is in the record itself, and of what was only seen it is not said. */
async function lastRuns(store: RunStore): Promise<Map<string, { id: string; agrees: boolean | null }>> {
  const newest = new Map<string, { id: string; agrees: boolean | null }>();
  for (const summary of await store.list()) {
    if (summary.kind !== 'run' || summary.experimentId === null || newest.has(summary.experimentId)) continue;
    const record = await store.read(summary.id).catch(() => null);
    if (record?.result.kind !== 'experiment') newest.set(summary.experimentId, { id: summary.id, agrees: null });
    else {
      const { result, delta } = record;
      newest.set(summary.experimentId, { id: summary.id, agrees: tierOfExperiment(result, delta) === 'seen' ? null : result.agrees });
    }
  }
  return newest;
}

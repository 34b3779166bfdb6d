import type { ListedExperiment } from '../../model/domain/experiment.ts';
import { tierOfExperiment } from '../../model/domain/answerTier.ts';
import type { Engine } from '../engine.ts';
import type { Handlers } from '../rpc/engineServer.ts';
import type { RunStore } from '../runs/runStore.ts';
import { readExperiments } from '../run/experiment/experimentFiles.ts';
import { missingRequirements } from '../run/experiment/requirements.ts';
import { experimentSeconds } from '../strategies/experiment/experimentTime.ts';

/** The published experiments: which there are, what they need, and what was found of them last. */
export function experimentHandlers(engine: Engine) {
  return {
    'experiments/list': async () => {
      const { assetsDir, workspaceDir } = engine.params;
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

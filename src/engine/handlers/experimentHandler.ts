import type { ListedExperiment } from '../../model/domain/experiment.ts';
import { tierOfExperiment } from '../../model/domain/answerTier.ts';
import type { Handlers } from '../rpc/engineServer.ts';
import type { RunStore } from '../runs/runStore.ts';
import { readExperiments } from '../run/experiment/experimentFiles.ts';
import { missingRequirements } from '../run/experiment/requirements.ts';
import { experimentSeconds } from '../strategies/experiment/experimentTime.ts';
import type { Toolchain } from '../targets/toolchain.ts';

/** What the handler needs of the engine. */
export interface ExperimentHandlerOptions {
  assetsDir: string;
  workspaceDir: string | null;
  store: RunStore;
  toolchain: () => Toolchain;
}

/** The requests that the handler answers. */
export const experimentRequests = ['experiments/list'] as const;
type ExperimentRequests = (typeof experimentRequests)[number];

/** The published experiments: which there are, what they need, and what was found of them last. */
export class ExperimentHandler {
  constructor(private readonly options: ExperimentHandlerOptions) {}

  handlers(): Pick<Handlers, ExperimentRequests> {
    return { 'experiments/list': () => this.#list() };
  }

  async #list(): ReturnType<Handlers['experiments/list']> {
    const { experiments, problems } = await readExperiments(this.options.assetsDir, this.options.workspaceDir);
    const last = await this.#lastRuns();
    return {
      problems,
      experiments: experiments.map((experiment): ListedExperiment => ({
        id: experiment.id,
        title: experiment.title,
        asks: experiment.asks,
        source: experiment.source,
        needs: experiment.needs,
        then: experiment.then ?? null,
        missing: missingRequirements(experiment.needs, this.options.toolchain()),
        shortS: experimentSeconds(experiment, experiment.short),
        fullS: experimentSeconds(experiment, experiment.full),
        lastRunId: last.get(experiment.id)?.id ?? null,
        lastAgrees: last.get(experiment.id)?.agrees ?? null,
      })),
    };
  }

  /** The newest run of each; whether it agreed is in the record itself, and of what was only seen it is not said. */
  async #lastRuns(): Promise<Map<string, { id: string; agrees: boolean | null }>> {
    const newest = new Map<string, { id: string; agrees: boolean | null }>();
    for (const summary of await this.options.store.list()) {
      if (summary.kind !== 'run' || summary.experimentId === null || newest.has(summary.experimentId)) continue;
      const record = await this.options.store.read(summary.id).catch(() => null);
      if (record?.result.kind !== 'experiment') newest.set(summary.experimentId, { id: summary.id, agrees: null });
      else {
        const { result, delta } = record;
        newest.set(summary.experimentId, { id: summary.id, agrees: tierOfExperiment(result, delta) === 'seen' ? null : result.agrees });
      }
    }
    return newest;
  }
}

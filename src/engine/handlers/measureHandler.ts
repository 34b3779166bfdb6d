import type { AdviceProgress } from '../../model/domain/adviceRecord.ts';
import { failure } from '../../model/domain/failure.ts';
import type { MeasureKind, RequestOf } from '../../model/protocol/measureRequest.ts';
import type { Measured } from '../../model/protocol/protocol.ts';
import { advise } from '../advise/advise.ts';
import type { Engine } from './engine.ts';
import { withBackingServices } from '../run/backingServices.ts';
import { runBenchmark } from '../run/runBenchmark.ts';
import { asSides } from '../sides/asSides.ts';
import type { RunContext } from '../run/runContext.ts';
import { requestedExperiment } from '../run/experiment/experimentFiles.ts';
import { missingRequirements } from '../run/experiment/requirements.ts';
import { runExperiment } from '../run/experiment/experimentRun.ts';
import { runTuning } from '../run/tuning/tuneRun.ts';
import type { Handlers } from '../rpc/engineServer.ts';
import { type VersionsOptions, measureVersions } from '../versions/measureVersions.ts';
import { withVersionCopies } from '../versions/versionCopies.ts';

interface Given {
  engine: Engine;
  /** What a run needs, after the check that Benchside may start each of these targets. */
  context: (targets: readonly string[]) => Promise<RunContext>;
  ancestorsOnly: boolean;
}

type Procedure<K extends MeasureKind> = (request: Omit<RequestOf<K>, 'kind'>, given: Given) => Promise<Measured>;

/** How each kind of request is measured: an additional kind is a line here. */
const procedures: { readonly [K in MeasureKind]: Procedure<K> } = {
  run: async (request, given) =>
    withBackingServices(request, await withVersionCopies(request, await given.context(request.targets), copiesIn(given)), (own) =>
      runBenchmark(request, own, asSides),
    ),
  tune: async (request, { context }) => withBackingServices(request, await context(request.targets), (own) => runTuning(request, own)),
  experiment: async (request, { engine, context }) => {
    const experiment = await requestedExperiment(request.id, { ...engine.params, toolchain: engine.toolchain });
    const runnable = experiment.variants.filter((variant) => missingRequirements(variant.needs, engine.toolchain).length === 0);
    return runExperiment(request, experiment, await context([...new Set(runnable.map(({ target }) => target))]));
  },
  advise: async (request, { engine: { advices, notify }, context }) => {
    const startedAt = new Date().toISOString();
    const onProgress = (progress: AdviceProgress): void => notify('advise/progress', progress);
    const targets = request.target === undefined ? [] : [request.target];
    const { advice, ...ended } = await withBackingServices({ ...request, targets }, await context(targets), (own) =>
      advise(request, own, { folder: advices.folder, onProgress }),
    );
    if (advice === null) return ended;
    return { ...ended, advised: await advices.add({ startedAt, outcome: ended.outcome, request, advice }) };
  },
  diff: async (request, given) => {
    const copies = copiesIn(given);
    if (copies === null) throw failure('no-repository', 'No folder is open.', 'Open a folder of a Git repository.');
    return measureVersions(request, await given.context([]), copies);
  },
};

/** Where versions of the code are copied; null where no folder is open. */
function copiesIn({ engine, ancestorsOnly }: Given): VersionsOptions | null {
  const { workspaceDir, storageDir } = engine.params;
  if (workspaceDir === null) return null;
  return { workspaceDir, storageDir, ancestorsOnly, onProgress: (step) => engine.tell('versions', step) };
}

/** Whatever is measured to its end and kept, one at a time. */
export function measureHandlers(engine: Engine) {
  return {
    'measure/start': async ({ request: { kind, ...asked }, starts, ancestorsOnly }, signal) => {
      const procedure = procedures[kind] as (request: typeof asked, given: Given) => Promise<Measured>;
      try {
        // Reserved before anything is read: a cancellation that comes meanwhile finds what it is to break off.
        return await engine.exclusive(signal, (own) =>
          procedure(asked, { engine, ancestorsOnly, context: (targets) => engine.runContext(targets, own, starts) }),
        );
      } finally {
        engine.notify('runs/changed', {});
        engine.notify('catalog/changed', {});
      }
    },
  } satisfies Partial<Handlers>;
}

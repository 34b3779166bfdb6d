import type { LiveEvent } from '../model/live.ts';
import { failure } from '../model/failure.ts';
import { withBackingServices } from './run/backingServices.ts';
import { readExperiments, saveExperiment } from './run/tuning/experimentFiles.ts';
import { LiveSession } from './run/live/liveSession.ts';
import type { RunContext } from './run/runContext.ts';
import { runTuning } from './run/tuning/tuneRun.ts';
import type { Handlers, Notify } from './rpc/engineServer.ts';
import type { RunStore } from './runs/runStore.ts';
import type { DeclaredTarget } from './targets/catalog.ts';
import { whereToSet } from './targets/whereToSet.ts';

/** What the desk needs of the engine. */
export interface TuningDeskOptions {
  assetsDir: string;
  workspaceDir: string | null;
  store: RunStore;
  notify: Notify;
  /** Reserves the machine, so that nothing else is measured meanwhile; fails when something is. */
  exclusive: <T>(signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>) => Promise<T>;
  /** What a run needs, once each of these targets was found to be ours to start. */
  context: (targets: readonly string[], signal: AbortSignal) => Promise<RunContext>;
  target: (id: string) => Promise<DeclaredTarget>;
}

/** The requests that the desk answers. */
export const tuningRequests = [
  'tune/start',
  'live/start',
  'live/set',
  'live/keep',
  'live/stop',
  'experiments/list',
  'experiments/save',
  'settings/where',
  'runs/mark',
] as const;
type TuningRequest = (typeof tuningRequests)[number];

/** Everything about settings: finding the best ones, moving them by hand, and where they are written down. */
export class TuningDesk {
  /** The session that runs, or the last one: what it measured can be kept until the next one starts. */
  #live: LiveSession | null = null;
  #running = false;

  constructor(private readonly options: TuningDeskOptions) {}

  handlers(): Pick<Handlers, TuningRequest> {
    const { options } = this;
    const { notify } = options;
    return {
      'tune/start': async (request, signal) => {
        try {
          return await options.exclusive(signal, async (own) =>
            withBackingServices(request, await options.context(request.targets, own), (context) => runTuning(request, context)),
          );
        } finally {
          notify('runs/changed', {});
          notify('catalog/changed', {});
        }
      },
      'live/start': async (request, signal) => {
        try {
          return await options.exclusive(signal, async (own) => {
            const asked = { ...request, targets: [request.target] };
            return withBackingServices(asked, await options.context([request.target], own), async (context) => {
              const session = new LiveSession(request, context, (event: LiveEvent) => notify('live/event', event));
              this.#live = session;
              this.#running = true;
              return { runId: await session.run() };
            });
          });
        } finally {
          this.#running = false;
          notify('runs/changed', {});
          notify('catalog/changed', {});
        }
      },
      'live/set': async ({ setting, value }) => {
        if (!this.#running) throw noSession();
        return this.#session().set(setting, value);
      },
      'live/keep': async () => {
        const runId = await this.#session().keep();
        notify('runs/changed', {});
        return { runId };
      },
      'live/stop': async () => {
        const running = this.#running;
        if (running) this.#live?.stop();
        return { stopped: running };
      },
      'experiments/list': () => readExperiments(options.assetsDir, options.workspaceDir),
      'experiments/save': async ({ experiment }) => ({ file: await saveExperiment(options.workspaceDir, experiment) }),
      'settings/where': async ({ target, setting, value }) => whereToSet(await options.target(target), setting, value),
      'runs/mark': async ({ id, marks }) => {
        await options.store.mark(id, marks);
        notify('runs/changed', {});
        return {};
      },
    };
  }

  #session(): LiveSession {
    if (this.#live === null) throw noSession();
    return this.#live;
  }
}

function noSession(): Error {
  return failure('no-live-session', 'No live session is running.', 'Start one in the Live view.');
}

import type { LiveEvent } from '../../model/protocol/live.ts';
import { failure } from '../../model/domain/failure.ts';
import { withBackingServices } from '../run/backingServices.ts';
import { LiveSession } from '../run/live/liveSession.ts';
import type { RunContext } from '../run/runContext.ts';
import type { Handlers, Notify } from '../rpc/engineServer.ts';

/** What the handler needs of the engine. */
export interface LiveHandlerOptions {
  notify: Notify;
  /** Reserves the machine, so that nothing else is measured meanwhile; fails when something is. */
  exclusive: <T>(signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>) => Promise<T>;
  /** What a run needs, after the check that Benchside may start each of these targets. */
  context: (targets: readonly string[], signal: AbortSignal) => Promise<RunContext>;
}

/** The requests that the handler answers. */
export const liveRequests = ['live/start', 'live/set', 'live/keep', 'live/stop'] as const;
type LiveRequest = (typeof liveRequests)[number];

/** Settings moved by hand while the app runs. */
export class LiveHandler {
  /** The session that runs, or the last one: what it measured can be kept until the next one starts. */
  #live: LiveSession | null = null;
  #running = false;

  constructor(private readonly options: LiveHandlerOptions) {}

  handlers(): Pick<Handlers, LiveRequest> {
    const { options } = this;
    const { notify } = options;
    return {
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

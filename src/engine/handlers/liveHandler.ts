import type { LiveEvent } from '../../model/protocol/live.ts';
import { failure } from '../../model/domain/failure.ts';
import type { Engine } from './engine.ts';
import { withBackingServices } from '../run/backingServices.ts';
import { LiveSession } from '../run/live/liveSession.ts';
import type { Handlers } from '../rpc/engineServer.ts';

/** Settings moved by hand while the app runs. */
export function liveHandlers(engine: Engine) {
  const { notify } = engine;
  // The session that runs, or the last one: what it measured can be kept until the next one starts.
  let live: LiveSession | null = null;
  let isRunning = false;
  const session = (): LiveSession => {
    if (live === null) throw noSession();
    return live;
  };
  return {
    'live/start': async (request, signal) => {
      try {
        return await engine.exclusive(signal, async (own) => {
          const asked = { ...request, targets: [request.target] };
          return withBackingServices(asked, await engine.runContext([request.target], own), async (context) => {
            live = new LiveSession(request, context, (event: LiveEvent) => notify('live/event', event));
            isRunning = true;
            return { runId: await live.run() };
          });
        });
      } finally {
        isRunning = false;
        notify('runs/changed', {});
        notify('catalog/changed', {});
      }
    },
    'live/set': async ({ setting, value }) => {
      if (!isRunning) throw noSession();
      return session().set(setting, value);
    },
    'live/keep': async () => {
      const runId = await session().keep();
      notify('runs/changed', {});
      return { runId };
    },
    'live/stop': async () => {
      if (isRunning) live?.stop();
      return { stopped: isRunning };
    },
  } satisfies Partial<Handlers>;
}

function noSession(): Error {
  return failure('no-live-session', 'No live session is running.', 'Start one in the Live view.');
}

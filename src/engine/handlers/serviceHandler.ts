import type { Engine } from './engine.ts';
import { findLeak } from '../leak/findLeak.ts';
import type { LeakContext } from '../leak/watchedHeap.ts';
import type { Handlers } from '../rpc/engineServer.ts';
import { withBackingServices } from '../run/backingServices.ts';
import { measureStartup } from '../startup/measureStartup.ts';

/** Questions about one service that are answered by starting it: does it keep memory, and what does its start take? Nothing of them is stored. */
export function serviceHandlers(engine: Engine) {
  const contextOf = async (id: string, signal: AbortSignal, starts: string | undefined): Promise<LeakContext> => {
    const progress: LeakContext['progress'] = (step, fraction) => engine.tell('service', step, fraction);
    return { ...(await engine.recordingContext([id], signal, starts)), reading: engine.reading, progress };
  };
  return {
    'service/leak': ({ request, starts }, signal) =>
      engine.exclusive(signal, async (own) => {
        const { target, load, route } = request;
        const context = await contextOf(target, own, starts);
        return { leak: await withBackingServices({ targets: [target], load, route }, context, (backed) => findLeak(request, backed)) };
      }),
    'service/startup': ({ request, starts }, signal) =>
      engine.exclusive(signal, async (own) => {
        const { target } = request;
        const context = await contextOf(target, own, starts);
        return {
          startup: await withBackingServices({ targets: [target], load: null }, context, (backed) => measureStartup(request, backed)),
        };
      }),
  } satisfies Partial<Handlers>;
}

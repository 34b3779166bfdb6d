import type { LeakReport, LeakRequest } from '../../model/domain/leak.ts';
import type { StartupReport, StartupRequest } from '../../model/domain/startup.ts';
import { findLeak } from '../leak/findLeak.ts';
import type { LeakContext } from '../leak/watchedHeap.ts';
import type { ReadingThread } from '../reading/readingThread.ts';
import type { Handlers, Notify } from '../rpc/engineServer.ts';
import { withBackingServices } from '../run/backingServices.ts';
import type { RecordingContext } from '../run/recording/recordPlan.ts';
import { measureStartup } from '../startup/measureStartup.ts';

/** What the handler needs of the engine. */
export interface ServiceHandlerOptions {
  notify: Notify;
  /** Reserves the machine, so that nothing is measured meanwhile. Fails when something is. */
  exclusive: <T>(signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>) => Promise<T>;
  context: (id: string, signal: AbortSignal, starts?: string) => Promise<Omit<RecordingContext, 'progress'>>;
  reading: ReadingThread;
}

/** The requests that the handler answers. */
export const serviceRequests = ['service/leak', 'service/startup'] as const;

/** Questions about one service that are answered by starting it: does it keep memory, and what does its start take? Nothing of them is stored. */
export class ServiceHandler {
  constructor(private readonly options: ServiceHandlerOptions) {}

  handlers(): Pick<Handlers, (typeof serviceRequests)[number]> {
    return {
      'service/leak': ({ request, starts }, signal) =>
        this.options.exclusive(signal, async (own) => this.#leak(request, await this.#context(request.target, own, starts))),
      'service/startup': ({ request, starts }, signal) =>
        this.options.exclusive(signal, async (own) => this.#startup(request, await this.#context(request.target, own, starts))),
    };
  }

  async #leak(request: LeakRequest, context: LeakContext): Promise<{ leak: LeakReport }> {
    const asked = { targets: [request.target], load: request.load, route: request.route };
    return { leak: await withBackingServices(asked, context, (own) => findLeak(request, own)) };
  }

  async #startup(request: StartupRequest, context: LeakContext): Promise<{ startup: StartupReport }> {
    const asked = { targets: [request.target], load: null };
    return { startup: await withBackingServices(asked, context, (own) => measureStartup(request, own)) };
  }

  async #context(id: string, signal: AbortSignal, starts: string | undefined): Promise<LeakContext> {
    const progress: LeakContext['progress'] = (message, fraction) => this.options.notify('service/progress', { message, fraction });
    return { ...(await this.options.context(id, signal, starts)), reading: this.options.reading, progress };
  }
}

import type { LeakReport, LeakRequest } from '../../model/leak.ts';
import type { StartupReport, StartupRequest } from '../../model/startup.ts';
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
  context: (id: string, signal: AbortSignal) => Promise<Omit<RecordingContext, 'progress'>>;
  reading: ReadingThread;
}

/** The requests that the handler answers. */
export const serviceRequests = ['service/leak', 'service/startup'] as const;

/** Questions about one service that are answered by starting it: does it keep memory, and what does its start take? Nothing of them is stored. */
export class ServiceHandler {
  constructor(private readonly options: ServiceHandlerOptions) {}

  handlers(): Pick<Handlers, (typeof serviceRequests)[number]> {
    return {
      'service/leak': (request, signal) => this.options.exclusive(signal, (own) => this.#leak(request, own)),
      'service/startup': (request, signal) => this.options.exclusive(signal, (own) => this.#startup(request, own)),
    };
  }

  async #leak(request: LeakRequest, signal: AbortSignal): Promise<{ leak: LeakReport }> {
    const context = await this.#context(request.target, signal);
    const asked = { targets: [request.target], load: request.load, route: request.route };
    return { leak: await withBackingServices(asked, context, (own) => findLeak(request, own)) };
  }

  async #startup(request: StartupRequest, signal: AbortSignal): Promise<{ startup: StartupReport }> {
    const context = await this.#context(request.target, signal);
    const asked = { targets: [request.target], load: null };
    return { startup: await withBackingServices(asked, context, (own) => measureStartup(request, own)) };
  }

  async #context(id: string, signal: AbortSignal): Promise<LeakContext> {
    const progress: LeakContext['progress'] = (message, fraction) => this.options.notify('service/progress', { message, fraction });
    return { ...(await this.options.context(id, signal)), reading: this.options.reading, progress };
  }
}

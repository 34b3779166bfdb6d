import path from 'node:path';
import type { InspectorWire } from '../../probe/inspectorChannel.ts';
import { InspectorClient } from './inspectorClient.ts';

/** Threads beyond these are left to the sum of what is not recorded. */
const mostThreads = 64;

/** A worker thread of a recorded process, with an inspector session of its own. */
export interface WorkerThread {
  /** Its number and its script, for people: `worker 3 · resize.mjs`. */
  title: string;
  client: InspectorClient;
}

/**
 * The worker threads of a process, through the domain NodeWorker of its inspector. Includes those that start later; one that ends takes its session with it.
 * Source: the protocol of Node, src/inspector/node_protocol.pdl.
 */
export class WorkerThreads {
  readonly #threads = new Map<string, WorkerThread>();
  readonly #begun: Promise<void>[] = [];
  readonly #stopListening: () => void;

  private constructor(
    private readonly client: InspectorClient,
    begin: (thread: WorkerThread) => Promise<void>,
  ) {
    const ends = [
      client.on('NodeWorker.attachedToWorker', ({ sessionId, workerInfo }) => {
        if (typeof sessionId !== 'string' || this.#threads.size >= mostThreads) return;
        const thread = { title: titleOf(workerInfo), client: new InspectorClient(workerWire(client, sessionId)) };
        this.#threads.set(sessionId, thread);
        // A thread may end at any moment: then it is not recorded, which its CPU time shows.
        this.#begun.push(begin(thread).catch(() => void this.#threads.delete(sessionId)));
      }),
      client.on('NodeWorker.detachedFromWorker', ({ sessionId }) => void this.#threads.delete(String(sessionId))),
    ];
    this.#stopListening = () => ends.forEach((end) => end());
  }

  /** Begins something in each thread that is there and in each that comes. Resolves when it has begun in those that are there. */
  static async watch(client: InspectorClient, begin: (thread: WorkerThread) => Promise<void>): Promise<WorkerThreads> {
    const threads = new WorkerThreads(client, begin);
    // It announces every thread before it answers.
    await client.send('NodeWorker.enable', { waitForDebuggerOnStart: false });
    await threads.#settled();
    return threads;
  }

  async current(): Promise<WorkerThread[]> {
    await this.#settled();
    return [...this.#threads.values()];
  }

  /** Lets go of all of them. Never fails. */
  async end(): Promise<void> {
    this.#stopListening();
    await this.client.send('NodeWorker.disable').catch(() => undefined);
  }

  async #settled(): Promise<void> {
    await Promise.all(this.#begun);
  }
}

/** A session within a session: its messages travel as texts in those of the main thread. */
function workerWire(parent: InspectorClient, sessionId: string): InspectorWire {
  let close = (): void => undefined;
  return {
    send: (message) => void parent.send('NodeWorker.sendMessageToWorker', { sessionId, message }).catch(() => close()),
    listen: (onMessage, onClose) => {
      const ends = [
        parent.on('NodeWorker.receivedMessageFromWorker', (params) => {
          if (params['sessionId'] === sessionId && typeof params['message'] === 'string') onMessage(params['message']);
        }),
        parent.on('NodeWorker.detachedFromWorker', (params) => {
          if (params['sessionId'] === sessionId) close();
        }),
      ];
      close = () => {
        for (const end of ends) end();
        onClose();
      };
      void parent.closed.then(close);
    },
    end: () => close(),
    destroy: () => close(),
  };
}

/** Node calls a thread `Worker 3`, or `[worker 3] name` where it has a name. */
function titleOf(workerInfo: unknown): string {
  const { title, url } = (workerInfo ?? {}) as { title?: unknown; url?: unknown };
  const number = /\d+/.exec(String(title))?.[0] ?? '';
  const script = typeof url === 'string' ? path.basename(url.replace(/[?#].*$/, '')).slice(0, 80) : '';
  return `worker ${number}${script === '' ? '' : ` · ${script}`}`;
}

import { randomBytes } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import { failure, FailureError } from '../../model/domain/failure.ts';
import type { ProfileHead } from '../../model/domain/flame.ts';
import { nextHeapMb, usableMemoryMb } from './heapBudget.ts';
import type { FromProfileWorker, ProfileInput, ProfileQueries, ProfileQuery, ToProfileWorker } from './profileMessages.ts';

/** More at a time are a mistake of the client. */
const maxOpen = 24;

interface Waiting {
  resolve: (result: unknown) => void;
  reject: (error: Error) => void;
}

/** One recording, opened in a thread of its own: the engine's own thread stays free for whatever it measures meanwhile. */
class OpenProfile {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  #nextId = 1;
  #ended: Error | null = null;

  constructor(
    workerPath: string,
    readonly heapMb: number,
  ) {
    this.#worker = new Worker(workerPath, { resourceLimits: { maxOldGenerationSizeMb: heapMb }, stdout: false, stderr: false });
    this.#worker.on('message', (message: FromProfileWorker) => this.#receive(message));
    this.#worker.on('error', (error) => this.#end(workerFailure(error)));
    this.#worker.on('exit', () => this.#end(closed()));
  }

  ask<Q extends ProfileQuery>(query: Q, params: ProfileQueries[Q]['params']): Promise<ProfileQueries[Q]['result']> {
    if (this.#ended !== null) return Promise.reject(this.#ended);
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve: resolve as (result: unknown) => void, reject });
      this.#worker.postMessage({ id, query, params } as ToProfileWorker);
    });
  }

  async close(): Promise<void> {
    this.#end(closed());
    await this.#worker.terminate();
  }

  #receive(message: FromProfileWorker): void {
    const waiting = this.#waiting.get(message.id);
    if (waiting === undefined) return;
    this.#waiting.delete(message.id);
    if ('failure' in message) waiting.reject(new FailureError(message.failure));
    else waiting.resolve(message.result);
  }

  #end(error: Error): void {
    this.#ended ??= error;
    for (const waiting of this.#waiting.values()) waiting.reject(this.#ended);
    this.#waiting.clear();
  }
}

function closed(): Error {
  return failure('profile-closed', 'This recording is not open any more.', 'Open it again.');
}

function workerFailure(error: Error & { code?: string }): Error {
  if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') {
    return failure(
      'profile-too-large',
      'This recording is too large: it does not fit into the memory that is left for it.',
      'Close other recordings, or record a shorter time, or fewer events.',
    );
  }
  return failure(
    'profile-worker',
    `Reading the recording failed: ${error.message}`,
    'Open it again; if it happens again, report it with the log.',
    error.stack,
  );
}

/** The recordings that are open in a window or terminal, by an id that only lives as long as they are. */
export class ProfileHost {
  readonly #open = new Map<string, OpenProfile>();

  constructor(
    private readonly workerPath: string,
    private readonly assetsDir: string,
  ) {}

  /** Reads a recording and returns its head. An abort ends the reading. */
  async open(input: ProfileInput, signal: AbortSignal): Promise<ProfileHead> {
    const open = [...this.#open.values()];
    const granted = open.map((one) => one.heapMb);
    const heapMb = nextHeapMb(usableMemoryMb(), granted);
    if (open.length >= maxOpen || heapMb === null)
      throw failure(
        'profiles-open',
        `${open.length} recordings are open already: there is no memory for more.`,
        'Close some of them first.',
      );
    const profileId = randomBytes(12).toString('hex');
    const profile = new OpenProfile(this.workerPath, heapMb);
    this.#open.set(profileId, profile);
    const cancel = (): void => void this.close(profileId);
    signal.addEventListener('abort', cancel, { once: true });
    try {
      const head = await profile.ask('open', { profileId, input, assetsDir: this.assetsDir });
      signal.throwIfAborted();
      return head;
    } catch (error) {
      await this.close(profileId);
      signal.throwIfAborted();
      throw error;
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  }

  ask<Q extends ProfileQuery>(profileId: string, query: Q, params: ProfileQueries[Q]['params']): Promise<ProfileQueries[Q]['result']> {
    const profile = this.#open.get(profileId);
    return profile === undefined ? Promise.reject(closed()) : profile.ask(query, params);
  }

  /** Closing what is not open does nothing. */
  async close(profileId: string): Promise<void> {
    const profile = this.#open.get(profileId);
    this.#open.delete(profileId);
    await profile?.close();
  }

  async closeAll(): Promise<void> {
    await Promise.all([...this.#open.keys()].map((id) => this.close(id)));
  }
}

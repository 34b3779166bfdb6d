import { randomBytes } from 'node:crypto';
import { failure } from '../../model/domain/failure.ts';
import type { ProfileHead } from '../../model/domain/flame.ts';
import { nextHeapMb, usableMemoryMb } from './heapBudget.ts';
import type { ProfileInput, ProfileQueries, ProfileQuery } from './profileMessages.ts';
import { AskedThread, isOutOfMemory } from '../supervise/askedThread.ts';

/** More at a time are a mistake of the client. */
const maxOpen = 24;

function closed(): Error {
  return failure('profile-closed', 'This recording is not open any more.', 'Open it again.');
}

function workerFailure(error: Error): Error {
  if (isOutOfMemory(error)) {
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

/**
 * The recordings that are open in a window or terminal, by an id that only lives as long as they are. Each is in a thread of its own: the engine's own thread
 * stays free for whatever it measures meanwhile.
 */
export class ProfileHost {
  readonly #open = new Map<string, AskedThread<ProfileQueries>>();

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
    const profile = new AskedThread<ProfileQueries>(this.workerPath, heapMb, { ended: closed, broken: workerFailure });
    this.#open.set(profileId, profile);
    try {
      const head = await profile.ask('open', { profileId, input, assetsDir: this.assetsDir }, signal);
      signal.throwIfAborted();
      return head;
    } catch (error) {
      await this.close(profileId);
      throw error;
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

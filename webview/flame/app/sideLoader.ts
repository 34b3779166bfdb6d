import { type Failure, FailureError } from '../../../src/model/domain/failure.ts';
import type { FlameSide, FromFlame, ProfileHead, ProfilePart, ToFlame } from '../../../src/model/domain/flame.ts';
import type { FlameModel } from '../core/flameModel.ts';
import type { FlameNames } from '../core/layout.ts';
import { PieceLoader } from './pieceLoader.ts';

/** Samples below this size are fetched in the background; larger ones only when something needs them. */
export const backgroundSampleBytes = 30_000_000;

/** A recording whose tree is not larger than this is shown at once; a picture of its wide nodes first would not be earlier. */
const smallTreeBytes = 300_000;

const damaged: Failure = {
  code: 'flame-damaged',
  message: 'The recording arrived damaged.',
  cure: 'Press Retry. If that does not help, open the file again.',
};

/** One recording on its way from its owner into the worker. */
export class SideLoader {
  phase: 'none' | 'loading' | 'skeleton' | 'complete' | 'failed' = 'none';
  title = '';
  head: ProfileHead | null = null;
  failure: Failure | null = null;
  samples: 'none' | 'coming' | 'here' = 'none';
  /** Names as the worker gave them with the tree. */
  names: FlameNames | null = null;
  readonly #loaders = new Map<ProfilePart, PieceLoader>();

  constructor(
    readonly side: FlameSide,
    private readonly model: FlameModel,
    private readonly post: (message: FromFlame) => void,
    private readonly changed: () => void,
  ) {}

  /** Share of the tree that is here, from 0 to 1. */
  get progress(): number {
    return share(this.#loaders.get('tree'), this.head?.treeBytes);
  }

  get sampleProgress(): number {
    return share(this.#loaders.get('samples'), this.head?.sampleBytes);
  }

  get drawable(): boolean {
    return this.phase === 'skeleton' || this.phase === 'complete';
  }

  get isEmpty(): boolean {
    return this.head !== null && (this.head.nodeCount <= 1 || this.head.events.length === 0);
  }

  loading(title: string): void {
    this.#forget();
    this.phase = 'loading';
    this.title = title;
  }

  /** Begins with the wide nodes of `event` unless null. */
  open(head: ProfileHead, event: string | null): void {
    this.loading(head.title);
    this.head = head;
    this.model.setRequests(this.side, head.requests);
    if (this.isEmpty) this.phase = 'complete';
    else if (event !== null && head.treeBytes > smallTreeBytes) this.#fetch('skeleton', event);
    else this.#fetch('tree', null);
  }

  fail(failure: Failure): void {
    this.phase = 'failed';
    this.failure = failure;
  }

  close(): void {
    if (this.head !== null) this.model.close(this.side);
    this.#forget();
  }

  fetchSamples(): void {
    if (this.samples !== 'none' || this.phase !== 'complete' || (this.head?.sampleCount ?? 0) === 0) return;
    this.samples = 'coming';
    this.#fetch('samples', null);
  }

  /** Takes a piece if it is of the recording that is open. */
  take(piece: Extract<ToFlame, { type: 'piece' }>): void {
    const loader = this.#loaders.get(piece.part);
    if (piece.profileId !== this.head?.profileId || loader?.event !== piece.event) return;
    const bytes = loader.take(piece.index, piece.last, piece.data);
    if (bytes !== null) {
      // In this order, so that the worker has the wide nodes before the tree that takes their place.
      void this.#hand(piece.part, bytes, piece.profileId);
      if (piece.part === 'skeleton') this.#fetch('tree', null);
    }
    this.changed();
  }

  async #hand(part: ProfilePart, bytes: Uint8Array, profileId: string): Promise<void> {
    const { model, side } = this;
    try {
      if (part === 'samples') await model.openSamples(side, bytes);
      const names = part === 'samples' ? null : part === 'tree' ? await model.openTree(side, bytes) : await model.openSkeleton(side, bytes);
      if (this.head?.profileId !== profileId) return;
      if (part === 'samples') this.samples = 'here';
      // The whole tree may be there before the wide nodes of it have been read.
      else if (part === 'tree' || this.phase !== 'complete') {
        this.names = names;
        this.phase = part === 'tree' ? 'complete' : 'skeleton';
      }
    } catch (error) {
      if (this.head?.profileId !== profileId) return;
      this.fail(
        error instanceof FailureError ? error.failure : { ...damaged, detail: error instanceof Error ? error.message : String(error) },
      );
    }
    this.changed();
  }

  #fetch(part: ProfilePart, event: string | null): void {
    const { head, side } = this;
    if (head === null) return;
    const loader = new PieceLoader(part, event, (index) =>
      this.post({ type: 'readPiece', side, profileId: head.profileId, part, event, index }),
    );
    this.#loaders.set(part, loader);
    loader.start();
  }

  #forget(): void {
    this.phase = 'none';
    this.title = '';
    this.head = null;
    this.failure = null;
    this.samples = 'none';
    this.names = null;
    this.#loaders.clear();
  }
}

function share(loader: PieceLoader | undefined, bytes: number | undefined): number {
  return loader === undefined || bytes === undefined || bytes === 0 ? 0 : Math.min(1, loader.received / bytes);
}

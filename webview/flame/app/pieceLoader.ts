import type { ProfilePart } from '../../../src/model/domain/flame.ts';

/** Pieces asked for and not here yet: more keep the pipe busy, but delay what the user asks for in the meantime. */
const inFlight = 2;

/** A part of a recording on its way: asks for its pieces one after the other and joins them. */
export class PieceLoader {
  readonly #pieces: (Uint8Array | undefined)[] = [];
  #asked = 0;
  #count: number | null = null;
  /** Bytes that are here. */
  received = 0;

  constructor(
    readonly part: ProfilePart,
    readonly event: string | null,
    private readonly ask: (index: number) => void,
  ) {}

  start(): void {
    // Of a skeleton there is only one.
    while (this.#asked < (this.part === 'skeleton' ? 1 : inFlight)) this.#askNext();
  }

  /** Takes a piece, in any order; gives all bytes once the last of them is here, else null. */
  take(index: number, last: boolean, data: Uint8Array): Uint8Array | null {
    if (this.#pieces[index] !== undefined || (this.#count !== null && index >= this.#count)) return null;
    this.#pieces[index] = data;
    this.received += data.length;
    if (last) this.#count = index + 1;
    const here = this.#pieces.reduce((sum, piece) => sum + (piece === undefined ? 0 : 1), 0);
    if (this.#count !== null && here >= this.#count) return this.#joined(this.#count);
    if (this.#count === null) this.#askNext();
    return null;
  }

  #askNext(): void {
    const index = this.#asked;
    this.#asked += 1;
    this.ask(index);
  }

  #joined(count: number): Uint8Array {
    const only = this.#pieces[0];
    if (count === 1 && only !== undefined) return only;
    const bytes = new Uint8Array(this.received);
    let offset = 0;
    for (const piece of this.#pieces.slice(0, count)) {
      if (piece === undefined) continue;
      bytes.set(piece, offset);
      offset += piece.length;
    }
    return bytes;
  }
}

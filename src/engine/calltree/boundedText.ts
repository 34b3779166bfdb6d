import { failure } from '../../model/domain/failure.ts';

/** V8 holds no longer string than about 512 MiB. */
const maxCharacters = 256 * 1024 * 1024;

/** Text that is put together piece by piece and that may not outgrow the memory. */
export class BoundedText {
  readonly #pieces: string[] = [];
  #length = 0;

  push(piece: string): void {
    this.#length += piece.length;
    if (this.#length > maxCharacters)
      throw failure('output-too-large', 'The output would be larger than 256 MB.', 'Choose the format “pprof”, which is the smallest.');
    this.#pieces.push(piece);
  }

  toString(): string {
    return this.#pieces.join('');
  }
}

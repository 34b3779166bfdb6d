import { failure } from '../../model/domain/failure.ts';
import { jsonText } from '../../model/domain/plainText.ts';

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

/** One JSON document: an object with a list `functions` after its other fields, a line for each. */
export function functionDocument<Row>(head: object, rows: readonly Row[], shown: (row: Row) => object): string {
  const out = new BoundedText();
  out.push(`${jsonText(head).slice(0, -1)},"functions":[`);
  for (const [index, row] of rows.entries()) out.push(`${index === 0 ? '\n' : ',\n'}${jsonText(shown(row))}`);
  out.push('\n]}\n');
  return out.toString();
}

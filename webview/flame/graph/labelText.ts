import { remembered } from '../../../src/model/domain/remembered.ts';
import { shortName } from '../../../src/calltree/shownNames.ts';

export type Measure = (text: string) => number;

/**
 * Fits names into boxes. In a monospaced font plain ASCII needs no measuring: its width is its length. Anything else (wide or right-to-left
 * characters, a proportional font) is measured once per text, and trimmed by bisection once per width.
 */
export class LabelFitter {
  readonly #advance: number;
  readonly #monospaced: boolean;
  readonly #shorts = new Map<number, string>();
  readonly #plain = new Map<string, boolean>();
  readonly #fitted = new Map<string, string>();

  constructor(private readonly measure: Measure) {
    this.#advance = measure('M');
    this.#monospaced = Math.abs(measure('iiiiiiii') - 8 * this.#advance) < 0.5;
  }

  /** The label of a function in `width` CSS pixels; with its line where that fits. '' where not even three characters do. */
  label(func: number, name: string, line: number, width: number): string {
    const short = remembered(this.#shorts, func, () => shortName(name));
    if (line > 0) {
      const withLine = `${short}:${line}`;
      if (withLine.length * this.#advance <= width * 1.5 && this.fit(withLine, width) === withLine) return withLine;
    }
    return this.fit(short, width);
  }

  /** The text, or as much of its start as fits with `…` after it. */
  fit(text: string, width: number): string {
    const room = Math.floor(width / this.#advance);
    if (this.#isPlain(text)) {
      if (text.length <= room) return text;
      return room < 3 ? '' : `${text.slice(0, room - 1)}…`;
    }
    if (this.#fitted.size > 5000) this.#fitted.clear();
    return remembered(this.#fitted, `${Math.floor(width)} ${text}`, () => this.#trim(text, width));
  }

  #isPlain(text: string): boolean {
    if (!this.#monospaced) return false;
    if (this.#plain.size > 50_000) this.#plain.clear();
    return remembered(this.#plain, text, () => /^[\x20-\x7e]*$/.test(text));
  }

  #trim(text: string, width: number): string {
    if (this.measure(text) <= width) return text;
    const characters = [...text];
    let low = 0;
    let high = characters.length;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (this.measure(`${characters.slice(0, middle).join('')}…`) <= width) low = middle;
      else high = middle - 1;
    }
    return low < 2 ? '' : `${characters.slice(0, low).join('')}…`;
  }
}

import type { FlameModel } from '../core/flameModel.ts';
import type { SearchResult } from '../core/layout.ts';

/** A search over the names of the layout on show, and which of its matches is selected. */
export class NameSearch {
  text: string;
  regex: boolean;
  result: SearchResult | null = null;
  /** Why the regular expression cannot be used, or ''. */
  problem = '';
  /** Index into the matches; -1: none is selected. */
  at = -1;
  #asked = 0;

  constructor(
    private readonly model: FlameModel,
    private readonly changed: () => void,
    saved: { text: string; regex: boolean },
  ) {
    this.text = saved.text;
    this.regex = saved.regex;
  }

  set(text: string, regex: boolean): void {
    if (text === this.text && regex === this.regex) return;
    this.text = text;
    this.regex = regex;
    this.at = -1;
    this.again();
  }

  /** Searches what is on show now; the old result stays until the new one is there. */
  again(): void {
    this.#asked += 1;
    const asked = this.#asked;
    if (this.text === '') {
      this.result = null;
      this.problem = '';
      this.changed();
      return;
    }
    this.model.search(this.text, this.regex).then(
      (result) => {
        if (asked !== this.#asked) return;
        this.result = result;
        this.problem = '';
        if (this.at >= result.order.length) this.at = -1;
        this.changed();
      },
      (error: unknown) => {
        if (asked !== this.#asked || !(error instanceof Error) || error.name === 'AbortError') return;
        this.result = null;
        this.problem = error.name === 'SyntaxError' ? 'Not a regular expression' : error.message;
        this.changed();
      },
    );
  }

  /** Goes to the next (+1) or previous (−1) match, around the ends; gives its box, or null where nothing matches. */
  step(by: 1 | -1): number | null {
    const count = this.result?.order.length ?? 0;
    if (count === 0) return null;
    this.at = this.at < 0 ? (by === 1 ? 0 : count - 1) : (this.at + by + count) % count;
    this.changed();
    return this.result?.order[this.at] ?? null;
  }

  clear(): void {
    this.#asked += 1;
    this.result = null;
    this.at = -1;
  }
}

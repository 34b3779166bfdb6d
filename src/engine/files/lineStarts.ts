/** The lines of a text, from 0, by their offsets. */
export class LineStarts {
  readonly #starts: number[] = [0];

  constructor(readonly text: string) {
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) this.#starts.push(at + 1);
  }

  /** Where a line begins; undefined where there is no such line. */
  startOf(line: number): number | undefined {
    return this.#starts[line];
  }

  lineAt(offset: number): number {
    let [low, high] = [0, this.#starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#starts[middle] as number) <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

const lineLimit = 64 * 1024;

/** Cuts a stream of text into lines; a line of 64 KiB and more is given out in pieces of that, and a shorter one, so that no endless line fills the memory. */
export class LineSplitter {
  #rest = '';

  constructor(private readonly onLine: (line: string) => void) {}

  push(text: string): void {
    this.#rest += text;
    let start = 0;
    for (let end = this.#rest.indexOf('\n', start); end !== -1; end = this.#rest.indexOf('\n', start)) {
      this.#emit(this.#rest.slice(start, end).replace(/\r$/, ''));
      start = end + 1;
    }
    this.#rest = this.#rest.slice(start);
    while (this.#rest.length > lineLimit) {
      this.onLine(this.#rest.slice(0, lineLimit));
      this.#rest = this.#rest.slice(lineLimit);
    }
  }

  #emit(line: string): void {
    for (let start = 0; start <= line.length; start += lineLimit) this.onLine(line.slice(start, start + lineLimit));
  }

  end(): void {
    if (this.#rest !== '') this.onLine(this.#rest);
    this.#rest = '';
  }
}

/** Puts the pieces of lines together again, for a program of Benchside’s; a line that is longer than `longest` is given out in pieces of that. */
export function wholeLines(onLine: (line: string) => void, longest = 64 * 1024 * 1024): (piece: string) => void {
  let line = '';
  return (piece) => {
    line += piece;
    if (piece.length === lineLimit && line.length < longest) return;
    onLine(line);
    line = '';
  };
}

const lineLimit = 64 * 1024;

/** Cuts a stream of text into lines; a line longer than 64 KiB is given out in pieces, so that no endless line fills the memory. */
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
    for (let start = 0; start === 0 || start < line.length; start += lineLimit) this.onLine(line.slice(start, start + lineLimit));
  }

  end(): void {
    if (this.#rest !== '') this.onLine(this.#rest);
    this.#rest = '';
  }
}

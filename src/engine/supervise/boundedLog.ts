const headLimit = 64 * 1024;
const tailLimit = 256 * 1024;

/**
 * What a child printed, in bounded memory: the first 64 KiB and the last 256 KiB. Output between these is counted, not kept, so that a child that prints a
 * gigabyte costs no more than one that prints a page, and its pipe is always drained.
 */
export class BoundedLog {
  #head = '';
  #tail: string[] = [];
  #tailLength = 0;
  #total = 0;

  /** Characters seen so far. */
  get totalLength(): number {
    return this.#total;
  }

  /** Characters that were let go. */
  get droppedBytes(): number {
    return Math.max(0, this.#total - this.#head.length - this.#tailLength);
  }

  append(text: string): void {
    this.#total += text.length;
    const room = headLimit - this.#head.length;
    if (room > 0) this.#head += text.slice(0, room);
    const rest = room > 0 ? text.slice(room) : text;
    if (rest === '') return;
    this.#tail.push(rest);
    this.#tailLength += rest.length;
    while (this.#tailLength > tailLimit) {
      const first = this.#tail[0];
      if (first === undefined) break;
      const surplus = this.#tailLength - tailLimit;
      if (first.length <= surplus) {
        this.#tail.shift();
        this.#tailLength -= first.length;
      } else {
        this.#tail[0] = first.slice(surplus);
        this.#tailLength -= surplus;
      }
    }
  }

  /** All that is kept, with a line that says how much is missing between head and tail. */
  text(): string {
    const tail = this.#tail.join('');
    if (this.droppedBytes === 0) return this.#head + tail;
    return `${this.#head}\n… ${this.droppedBytes.toLocaleString('en-US')} characters left out …\n${tail}`;
  }

  /** The last `count` lines that are not empty, each cut at 500 characters, as is the first that is kept; “…” says so. */
  tail(count: number): string {
    const end = this.#tail.join('');
    const kept = this.droppedBytes === 0 ? this.#head + end : `…${end}`;
    return kept
      .split(/\r?\n/)
      .filter((line) => line.trim() !== '')
      .slice(-count)
      .map((line) => (line.length > 500 ? `${line.slice(0, 500)}…` : line))
      .join('\n');
  }
}

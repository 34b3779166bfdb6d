import { parsedJson } from '../files/parsedJson.ts';
import { type FromProbe, fromProbeSchema } from '../../model/domain/probe.ts';

/** No report of a real app is longer; a sender of more is no probe. */
const lineLimit = 4 * 1024 * 1024;

/** What a probe sends, piece by piece, as messages: one JSON document a line. */
export class ProbeLines {
  #text = '';

  add(piece: string): void {
    this.#text += piece;
  }

  /** The next message; `undefined` while none is whole, `null` where the bytes are no message: the sender is not Benchside's probe. */
  next(): FromProbe | null | undefined {
    for (;;) {
      const end = this.#text.indexOf('\n');
      if ((end === -1 ? this.#text.length : end) > lineLimit) return null;
      if (end === -1) return undefined;
      const line = this.#text.slice(0, end);
      this.#text = this.#text.slice(end + 1);
      if (line !== '') return fromProbeSchema.safeParse(parsedJson(line)).data ?? null;
    }
  }

  /** The bytes after the last message, for the next protocol on this connection. */
  takeRest(): string {
    const rest = this.#text;
    this.#text = '';
    return rest;
  }
}

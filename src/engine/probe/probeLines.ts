import { fromProbeSchema } from '../../model/probe.ts';
import type { FromProbe } from '../../model/probe.ts';

/** No report of a real app is longer; whoever sends more is no probe. */
const lineLimit = 4 * 1024 * 1024;

/** What a probe sends, piece by piece, as messages: one JSON document a line. */
export class ProbeLines {
  #rest = '';

  /** The messages that are whole now; `null` as soon as anything is none: what sends it is no probe of ours. */
  read(piece: string): FromProbe[] | null {
    this.#rest += piece;
    const lines = this.#rest.split('\n');
    this.#rest = lines.pop() ?? '';
    if (this.#rest.length > lineLimit) return null;
    const messages: FromProbe[] = [];
    for (const line of lines) {
      if (line === '') continue;
      const message = line.length > lineLimit ? null : parsed(line);
      if (message === null) return null;
      messages.push(message);
    }
    return messages;
  }
}

function parsed(line: string): FromProbe | null {
  try {
    const message = fromProbeSchema.safeParse(JSON.parse(line));
    return message.success ? message.data : null;
  } catch {
    return null;
  }
}

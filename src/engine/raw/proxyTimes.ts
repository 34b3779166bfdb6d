import { StringDecoder } from 'node:string_decoder';
import { parsedJson } from '../files/parsedJson.ts';
import { openRegular } from '../files/boundedFile.ts';
import { thenClosed } from '../files/safeFiles.ts';
import { LineSplitter } from '../supervise/lineSplitter.ts';

/** What a proxy's log says of one request, in µs. nginx writes whole milliseconds. */
export interface ProxyTime {
  /** From the first byte of the request to the last of the answer. */
  requestUs: number;
  /** The part of it that it waited for the app behind it; null when it did not ask any. */
  upstreamUs: number | null;
}

const none = -1;
/** The limit for all blocks together: 256 MB. A run never has ids that would need more. */
const mostPlaces = 2 ** 25;

/** The times of a proxy's access logs, found by the ids of requests. Kept in plain columns, 8 bytes a request: a run may have millions. */
export class ProxyTimes {
  /** Lines with the times of a request with an id. */
  lines = 0;
  #places = 0;
  readonly #blocks = new Map<string, { request: Int32Array; upstream: Int32Array }>();

  /** Reads logs of JSON lines with `id`, `request_time` and `upstream_response_time` (in s, as nginx writes them). Other lines are skipped. */
  static async read(files: readonly string[], signal?: AbortSignal): Promise<ProxyTimes> {
    const times = new ProxyTimes();
    for (const file of files) {
      const { handle } = await openRegular(file);
      const lines = times.logLines();
      const decoder = new StringDecoder('utf8');
      await thenClosed(handle, async () => {
        for await (const bytes of handle.createReadStream({ autoClose: false })) {
          signal?.throwIfAborted();
          lines.push(decoder.write(bytes as Buffer));
        }
        lines.end();
      });
    }
    return times;
  }

  /** Takes the text of a log, piece by piece, until its `end`. */
  logLines(): LineSplitter {
    return new LineSplitter((line) => this.#add(line));
  }

  find(idPrefix: string, sequence: number): ProxyTime | null {
    const block = this.#blocks.get(idPrefix);
    const requestUs = block?.request[sequence] ?? none;
    if (block === undefined || requestUs === none) return null;
    const upstreamUs = block.upstream[sequence] ?? none;
    return { requestUs, upstreamUs: upstreamUs === none ? null : upstreamUs };
  }

  #add(line: string): void {
    const entry = parseLine(line);
    if (entry === null) return;
    const dash = entry.id.lastIndexOf('-');
    const rest = entry.id.slice(dash + 1);
    if (dash <= 0 || !/^[0-9a-z]{1,5}$/.test(rest)) return;
    const sequence = Number.parseInt(rest, 36);
    const prefix = entry.id.slice(0, dash);
    let block = this.#blocks.get(prefix);
    if (block === undefined || block.request.length <= sequence) {
      const before = block?.request.length ?? 0;
      const length = Math.max(1024, before * 2, sequence + 1);
      const places = this.#places + length - before;
      if (places > mostPlaces) return;
      this.#places = places;
      block = { request: grown(block?.request, length), upstream: grown(block?.upstream, length) };
      this.#blocks.set(prefix, block);
    }
    block.request[sequence] = entry.requestUs;
    block.upstream[sequence] = entry.upstreamUs ?? none;
    this.lines += 1;
  }
}

function grown(old: Int32Array | undefined, length: number): Int32Array {
  const larger = new Int32Array(length).fill(none);
  if (old !== undefined) larger.set(old);
  return larger;
}

function parseLine(line: string): (ProxyTime & { id: string }) | null {
  const entry = parsedJson(line);
  if (typeof entry !== 'object' || entry === null || !('id' in entry) || typeof entry.id !== 'string' || !('request_time' in entry))
    return null;
  const requestUs = microseconds(entry.request_time);
  if (requestUs === null) return null;
  return { id: entry.id, requestUs, upstreamUs: 'upstream_response_time' in entry ? microseconds(entry.upstream_response_time) : null };
}

/** Seconds as a number or text. Where several servers were tried nginx writes `0.001, 0.002` (and `:` between groups): their sum was waited. */
function microseconds(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) && value >= 0 ? Math.min(Math.round(value * 1e6), 0x7fffffff) : null;
  if (typeof value !== 'string') return null;
  const parts = value.split(/[,:]/).map((part) => part.trim());
  const numbers = parts.filter((part) => /^\d+(\.\d+)?$/.test(part)).map(Number);
  return numbers.length === 0 ? null : Math.min(Math.round(numbers.reduce((sum, one) => sum + one, 0) * 1e6), 0x7fffffff);
}

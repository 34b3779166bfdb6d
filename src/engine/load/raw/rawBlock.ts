import { performance } from 'node:perf_hooks';
import type { RawBlockResult } from '../../../model/domain/rawSample.ts';
import { redactText } from '../../files/redact.ts';
import type { MixRequest } from '../loadProtocol.ts';
import type { RawCommand } from './rawCommand.ts';
import {
  type RawHeader,
  errorKinds,
  frameHeadBytes,
  frameKinds,
  isKept,
  noTime,
  prefixHash,
  requestId,
  rowBytes,
  rowFlags,
  rowLayout,
} from './rawFormat.ts';
import { RawSink } from './rawSink.ts';
import { parseServerTiming } from './serverTiming.ts';

/** Rows of one frame: 64 KiB. */
const rowsAtOnce = 1638;
/** The oldest row waits no longer than this for the disk. */
const flushMs = 500;

export interface RawTag {
  readonly sequence: number;
  readonly route: number;
  readonly kept: boolean;
}

/** How a request ended. Times in ms of `performance.now()`. */
export interface RawEnding {
  startMs: number;
  latencyMs: number;
  /** 0 without an answer. */
  status: number;
  /** Bytes of the answer, headers included. */
  bytes: number;
  /** One of {@link errorKinds}; '' for an answer of 2xx or 3xx. */
  error: string;
  serverTiming: string | null;
  /** It counts in the block's requests or errors. */
  counted: boolean;
  /** Its latency counts in the block's figures. */
  timed: boolean;
}

/** Keeps the requests of one block as rows of a file. It never throws and never waits: what it cannot keep it counts. */
export class RawBlock {
  readonly #sink: RawSink;
  readonly #hash: number;
  #issued = 0;
  #ended = 0;
  /** All samples, including those that could not be kept. */
  #taken = 0;
  #full = false;
  #frame = newFrame();
  #inFrame = 0;
  #timer: NodeJS.Timeout;
  #finished: Promise<RawBlockResult> | null = null;

  constructor(
    private readonly command: RawCommand,
    mix: readonly Pick<MixRequest, 'method' | 'path'>[],
  ) {
    const { idPrefix, trialKey, block, share, timing } = command;
    this.#sink = new RawSink(command.file);
    this.#hash = prefixHash(idPrefix);
    // As in the run's record: a token in a path is not measured.
    const routes = mix.map(({ method, path }) => redactText(`${method} ${path}`));
    const header: RawHeader = {
      version: 1,
      idPrefix,
      trialKey,
      block,
      share,
      timing,
      routes,
      wallMs: Date.now(),
      clockUs: performance.now() * 1000,
    };
    this.#sink.add(jsonFrame(frameKinds.header, header));
    this.#timer = setInterval(() => this.#flush(), flushMs);
    this.#timer.unref();
  }

  /** Gives the next request its id; `route` is the index of its entry in the mix. */
  issue(route: number): RawTag {
    this.#issued += 1;
    const sequence = this.#issued;
    return { sequence, route, kept: isKept(this.#hash, sequence, this.command.share) };
  }

  /** The headers that a request carries, as text with its line ends. */
  headerText(tag: RawTag): string {
    const id = `X-Request-Id: ${requestId(this.command.idPrefix, tag.sequence)}\r\n`;
    return tag.kept && this.command.timing ? `${id}X-Server-Timing: 1\r\n` : id;
  }

  /** The same as names and values in turn. */
  headerList(tag: RawTag): string[] {
    const id = ['X-Request-Id', requestId(this.command.idPrefix, tag.sequence)];
    return tag.kept && this.command.timing ? [...id, 'X-Server-Timing', '1'] : id;
  }

  /** A request has ended, by an answer or without. To be called once for each request. */
  ended(tag: RawTag, ending: RawEnding): void {
    this.#ended += 1;
    if (!tag.kept || this.#finished !== null) return;
    if (this.#taken >= this.command.maxRows) {
      this.#full = true;
      return;
    }
    this.#taken += 1;
    this.#write(tag, ending);
    if (this.#inFrame === rowsAtOnce) this.#flush();
  }

  /** Writes what is left and closes the file. What is still in progress has no row. */
  finish(): Promise<RawBlockResult> {
    this.#finished ??= this.#finish();
    return this.#finished;
  }

  async #finish(): Promise<RawBlockResult> {
    clearInterval(this.#timer);
    this.#flush();
    const end = { unfinished: this.#issued - this.#ended, full: this.#full };
    this.#sink.add(jsonFrame(frameKinds.end, end));
    await this.#sink.close();
    const { writtenRows: rows, problem } = this.#sink;
    return { rows, droppedRows: this.#taken - rows, ...end, problem };
  }

  #write(tag: RawTag, ending: RawEnding): void {
    const at = frameHeadBytes + this.#inFrame * rowBytes;
    const frame = this.#frame;
    const times = ending.serverTiming === null ? null : parseServerTiming(ending.serverTiming);
    frame.writeDoubleLE(ending.startMs * 1000, at + rowLayout.startUs);
    frame.writeUInt32LE(tag.sequence >>> 0, at + rowLayout.sequence);
    frame.writeUInt32LE(wholeUs(ending.latencyMs * 1000), at + rowLayout.latencyUs);
    frame.writeUInt32LE(Math.min(ending.bytes, 0xffffffff), at + rowLayout.bytes);
    frame.writeUInt32LE(times?.appUs ?? noTime, at + rowLayout.appUs);
    frame.writeUInt32LE(times?.poolUs ?? noTime, at + rowLayout.poolUs);
    frame.writeUInt32LE(times?.dbUs ?? noTime, at + rowLayout.dbUs);
    frame.writeUInt16LE(ending.status, at + rowLayout.status);
    frame.writeUInt16LE(tag.route, at + rowLayout.route);
    frame.writeUInt8(Math.max(0, errorKinds.indexOf(ending.error)), at + rowLayout.error);
    frame.writeUInt8((ending.counted ? rowFlags.counted : 0) | (ending.timed ? rowFlags.timed : 0), at + rowLayout.flags);
    this.#inFrame += 1;
  }

  #flush(): void {
    const rows = this.#inFrame;
    if (rows === 0) return;
    const frame = this.#frame.subarray(0, frameHeadBytes + rows * rowBytes);
    frame.writeUInt8(frameKinds.rows, 0);
    frame.writeUInt32LE(rows * rowBytes, 1);
    this.#sink.add(frame, rows);
    this.#frame = newFrame();
    this.#inFrame = 0;
  }
}

function newFrame(): Buffer {
  return Buffer.allocUnsafeSlow(frameHeadBytes + rowsAtOnce * rowBytes);
}

function jsonFrame(kind: number, value: unknown): Buffer {
  const text = Buffer.from(JSON.stringify(value));
  const head = Buffer.alloc(frameHeadBytes);
  head.writeUInt8(kind, 0);
  head.writeUInt32LE(text.byteLength, 1);
  return Buffer.concat([head, text]);
}

function wholeUs(us: number): number {
  return Math.min(Math.max(0, Math.round(us)), noTime - 1);
}

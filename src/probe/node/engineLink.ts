import { type Socket, connect } from 'node:net';
import type { FromProbe, ToProbe } from '../../model/domain/probe.ts';
import { later, nowUs } from './clock.ts';
import type { EngineAddress } from './launchedAs.ts';

/** Pauses before another attempt; then the probe gives up. */
const retryAfterMs = [50, 200, 1_000, 3_000, 10_000];
const longestLine = 64 * 1024;
/** A write that is pending keeps a process alive: when the engine has read nothing for so long, the connection is dropped. */
const stuckAfterUs = 3_000_000;

/**
 * The connection to the engine. It never keeps the app alive, and an engine that is slow or gone is not felt: messages are dropped while
 * earlier ones have not left, and a connection that is lost ends the probe's work silently.
 */
export class EngineLink {
  #socket: Socket | null = null;
  #attempts = 0;
  #rest = '';
  #stuckSinceUs = 0;
  #ended = false;

  constructor(
    private readonly address: EngineAddress,
    private readonly hello: FromProbe,
    private readonly received: (message: ToProbe) => void,
    /** The engine is gone. */
    private readonly over: () => void,
    private readonly stuckUs = stuckAfterUs,
  ) {
    this.#connect();
  }

  /** Sends a message that the engine waits for. */
  answer(message: FromProbe): void {
    const socket = this.#socket;
    if (socket !== null && socket.writable && socket.writableLength < 1024 * 1024) socket.write(`${JSON.stringify(message)}\n`);
  }

  /** Whether the engine reads: only then is there a point in making a report. To be asked once a second. */
  ready(): boolean {
    const socket = this.#socket;
    if (socket === null || socket.connecting || !socket.writable) return false;
    if (socket.writableLength === 0) {
      this.#stuckSinceUs = 0;
      return true;
    }
    const time = nowUs();
    if (this.#stuckSinceUs === 0) this.#stuckSinceUs = time;
    else if (time - this.#stuckSinceUs >= this.stuckUs) socket.destroy();
    return false;
  }

  #connect(): void {
    let said = false;
    try {
      const socket = connect({ ...this.address.connect });
      this.#socket = socket;
      this.#rest = '';
      this.#stuckSinceUs = 0;
      socket.unref();
      socket.setEncoding('utf8');
      socket.on('error', () => undefined);
      socket.on('connect', () => {
        said = true;
        this.answer(this.hello);
      });
      socket.on('data', (chunk: string) => this.#read(chunk));
      socket.on('close', (broken) => {
        const stuck = this.#stuckSinceUs !== 0;
        this.#socket = null;
        // An app that computes for seconds while it loads says hello when nobody waits for it any more, and has to come again.
        if (said && !stuck && !broken) this.#end();
        else this.#again();
      });
    } catch {
      this.#again();
    }
  }

  #again(): void {
    const pause = retryAfterMs[this.#attempts];
    this.#attempts += 1;
    if (pause === undefined) this.#end();
    else later(() => this.#connect(), pause);
  }

  #end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.over();
  }

  #read(chunk: string): void {
    const lines = (this.#rest + chunk).split('\n');
    this.#rest = lines.pop() ?? '';
    if (this.#rest.length > longestLine) {
      this.#socket?.destroy();
      return;
    }
    for (const line of lines) {
      const message = parse(line);
      if (message !== null) this.received(message);
    }
  }
}

/** A message of the engine, checked by hand: the app is not to carry a schema library. */
function parse(line: string): ToProbe | null {
  let message: Partial<Record<string, unknown>>;
  try {
    message = (JSON.parse(line) ?? {}) as Partial<Record<string, unknown>>;
  } catch {
    return null;
  }
  const { type, id, what, poolId, max, limit, timeoutMs, token } = message;
  if (!isWhole(id)) return null;
  if (type === 'get' || type === 'collect') return { type, id };
  if (type === 'inspect') return typeof token === 'string' ? { type, id, token } : null;
  if (typeof poolId !== 'string') return null;
  if (type === 'lend') return limit === null || isPositive(limit) ? { type, id, poolId, limit } : null;
  if (type !== 'set' || (what !== 'pool' && what !== 'threads') || !isPositive(max) || !isPositive(timeoutMs)) return null;
  return { type, id, what, poolId, max, timeoutMs };
}

function isWhole(value: unknown): value is number {
  return Number.isSafeInteger(value);
}

function isPositive(value: unknown): value is number {
  return isWhole(value) && value > 0;
}

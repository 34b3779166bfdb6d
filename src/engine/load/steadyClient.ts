import net from 'node:net';
import type { Client, RequestSource } from 'autocannon';
import type { ConnectQueue } from './connectQueue.ts';
import { type ConnectionTarget, openConnection } from './connection.ts';
import { type LostKind, lostKind } from './lostKind.ts';
import { OutstandingRequest } from './outstandingRequest.ts';
import type { ThinkTime } from './thinkTime.ts';

/** The limit for a line that frames a body (the size of a chunk with its extensions, a trailer), which autocannon's parser keeps without a limit of its own. */
const mostLineBytes = 64 * 1024;
/** Names and values of trailers. */
const mostTrailers = 2_000;
/** Pause before a server is tried again that refused a connection, or that failed twice on it without an answer in between. */
const retryPauseMs = 50;

/** The longest that a timer of Node can be set to. */
const restMs = 2 ** 31 - 1;

export interface SteadyClientOptions extends ConnectionTarget {
  /** The queue in which the client waits for its turn to open its first connection. */
  queue: ConnectQueue;
  timeoutMs: number;
  /** Between an answer and the next request; null: none. */
  thinkTime: ThinkTime | null;
  /** Returns the HTTP/1.1 text of the next request. */
  nextRequest: () => string;
  /** Whether the body of the answer to the request that was given last is kept until the next one is sent; null: none is. */
  readsBody: (() => boolean) | null;
  onLost: (kind: LostKind | 'unanswered') => void;
  /** The server answered and closed the connection, as it had announced; the next request opens a new one. */
  onClosedByServer: () => void;
}

/** What the end of a block wants to know of a client. */
export interface SteadyClient {
  readonly outstanding: OutstandingRequest;
  /** Sends no more; the answer to its present request may still come. */
  rest(): void;
  /** Sends its next request, on a new connection where the server has closed the one it had. */
  resume(): void;
  /** The present request, if there is one, will get no answer. */
  giveUp(): void;
  /** Closes the connection, whatever it is doing; resolves when it is closed. */
  close(): Promise<void>;
}

/**
 * Makes one autocannon client (given by `setupClient`, before it connects) count and time right when connections end.
 *
 * autocannon 9.0.0 keeps the request of a closed connection in its queue, so that every later latency is that of an earlier request; it
 * counts no error when a server closes instead of answering, sends on connections that the server has announced to close, ignores what
 * its parser says about garbage, and tries a refused connection again without pause. Its loop, parser and time-out stay in use;
 * how a client connects and what it does when the connection ends is replaced here.
 */
export function steadyClient(client: Client, options: SteadyClientOptions): SteadyClient {
  const outstanding = new OutstandingRequest(options.readsBody);
  client.pipelinedRequests = outstanding;
  client.requestIterator = requestSource(options.nextRequest);
  // autocannon's own option refuses less than a second, the client does not.
  client.timeout = options.timeoutMs;

  const sendNext = client._doRequest.bind(client);
  let waiting = false;
  let pause: NodeJS.Timeout | undefined;
  let failuresInARow = 0;
  let ended = false;
  /** Between an answer and the next request. */
  let thinking = false;
  let resting = false;
  let opened = false;

  const isIdle = (): boolean => resting && outstanding.size() === 0;

  const connect = (): void => {
    // autocannon's time-out may ask for a connection while the next attempt is waiting for its turn.
    if (client.destroyed || waiting) return;
    if (resting) {
      ended = true;
      return;
    }
    client.parser.reinitialize('RESPONSE');
    ended = false;
    opened = true;
    const conn = openConnection(options);
    client.conn = conn;
    const isCurrent = (): boolean => client.conn === conn && !client.destroyed && !ended;
    const giveUp = (kind: LostKind): void => {
      if (isCurrent()) abandon(kind);
    };
    conn.on('data', (chunk: Buffer) => {
      if (!isCurrent()) return;
      // Nothing was asked: there is no request that this could be the answer to.
      if (thinking || isIdle()) {
        giveUp('other');
        return;
      }
      outstanding.addByteCount(chunk.length);
      const { parser } = client;
      if (parser.execute(chunk) instanceof Error || parser.line.length > mostLineBytes || parser.trailers.length > mostTrailers)
        giveUp('other');
    });
    conn.on('error', (error: NodeJS.ErrnoException) => giveUp(lostKind(error)));
    conn.on('end', () => {
      // The end of the connection is the end of an answer that does not declare its length.
      if (isCurrent()) client.parser.finish();
      giveUp('reset');
    });
    conn.on('close', () => giveUp('reset'));
    sendNext();
  };

  const abandon = (kind: LostKind): void => {
    if (thinking || isIdle()) {
      // A server may close a connection that is idle. The next request, when its time has come, opens another one.
      ended = true;
      client.conn.destroy();
      options.onClosedByServer();
      return;
    }
    if (outstanding.lose()) options.onLost(kind);
    failuresInARow += 1;
    reconnect(kind === 'refused' || failuresInARow > 1 ? retryPauseMs : 0);
  };

  const reconnect = (pauseMs: number): void => {
    ended = true;
    waiting = true;
    client.conn.destroy();
    const attempt = (): void => {
      waiting = false;
      connect();
    };
    // Never from within the parser: the rest of its chunk would be read as the answer to the new connection's request.
    if (pauseMs === 0) queueMicrotask(attempt);
    else pause = setTimeout(attempt, pauseMs);
  };

  const guardParser = (): void => {
    const complete = client.parser[4];
    client.parser[4] = () => {
      const head = outstanding.head;
      if (ended || head === null) return;
      // 100 and 103 come before the answer.
      if (head.statusCode < 200) return;
      if (client.parser.offset < client.parser.end) {
        // More bytes than one answer has would count as the answer to the next request, in no time at all.
        abandon('other');
        return;
      }
      failuresInARow = 0;
      complete();
    };
  };

  client._connect = () => {
    // The client calls this first at the end of its constructor, when its parser's callbacks are in place.
    guardParser();
    client._connect = connect;
    // A time-out that comes while it waits finds a connection to close.
    client.conn = new net.Socket();
    waiting = true;
    options.queue.enter(() => {
      if (opened) return;
      waiting = false;
      connect();
    });
  };
  const goOn = (): void => {
    if (ended) reconnect(0);
    else sendNext();
  };
  const think = (thinkTime: ThinkTime): void => {
    const began = performance.now();
    const drawnMs = thinkTime.begin(began);
    thinking = true;
    client.timeoutTicker.reschedule(drawnMs + options.timeoutMs);
    pause = setTimeout(() => {
      thinking = false;
      thinkTime.end(performance.now(), began, drawnMs);
      goOn();
    }, drawnMs);
  };

  client._doRequest = () => {
    if (outstanding.head?.shouldKeepAlive === false) {
      options.onClosedByServer();
      ended = true;
    }
    if (resting) {
      // It is asked again when its turn comes: until then nothing can be late.
      client.timeoutTicker.reschedule(restMs);
      return;
    }
    const { thinkTime } = options;
    if (thinkTime === null) goOn();
    else think(thinkTime);
  };
  client.on('timeout', () => {
    if (outstanding.takeAbandoned()) options.onLost('timeout');
  });

  return {
    outstanding,
    rest: () => {
      resting = true;
      waiting = false;
      clearTimeout(pause);
    },
    resume: () => {
      if (!resting) return;
      resting = false;
      if (outstanding.size() > 0) return;
      if (ended || !opened) reconnect(0);
      else sendNext();
    },
    giveUp: () => {
      if (!outstanding.lose()) return;
      options.onLost('unanswered');
      ended = true;
      client.conn.destroy();
    },
    close: () =>
      new Promise((resolve) => {
        clearTimeout(pause);
        client.destroy();
        if (client.conn.closed) resolve();
        else client.conn.once('close', () => resolve());
      }),
  };
}

/** Gives an autocannon client its requests from the sequence that all clients of a block share. */
function requestSource(nextRequest: () => string): RequestSource {
  const currentRequest = { requestBuffer: nextRequest() };
  return {
    resetted: false,
    currentRequest,
    nextRequest: () => {
      currentRequest.requestBuffer = nextRequest();
    },
    recordBody: () => undefined,
  };
}

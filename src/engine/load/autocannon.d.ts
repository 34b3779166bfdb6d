/** What we use of autocannon 9.0.0, which carries no types. The parts of its client are not documented: the version is pinned exactly. */
declare module 'autocannon' {
  import type { EventEmitter } from 'node:events';
  import type { Socket } from 'node:net';

  namespace autocannon {
    interface Options {
      url: string;
      connections: number;
      /** Seconds. */
      duration: number;
      /** `stop()` and the end are noticed at the next sample. */
      sampleInt: number;
      setupClient: (client: Client) => void;
      skipAggregateResult?: boolean;
    }

    /** The head of an answer, as http-parser-js gives it. */
    interface AnswerHead {
      statusCode: number;
      shouldKeepAlive: boolean;
      /** Names and values in turn. */
      headers: readonly string[];
    }

    /** http-parser-js. Its callbacks are properties with small numbers; 4 is the end of a message. */
    interface Parser {
      4: () => void;
      readonly offset: number;
      readonly end: number;
      /** A line whose end has not come yet. */
      readonly line: string;
      /** Names and values in turn, of the answer that is read. */
      readonly trailers: readonly string[];
      /** Number of bytes consumed, or what was wrong with them. */
      execute(chunk: Buffer): number | Error;
      /** The connection ended: completes an answer whose length only the end determines. */
      finish(): Error | undefined;
      reinitialize(type: 'RESPONSE'): void;
    }

    interface PendingRequest {
      req: object;
      bytes: number;
      body: string;
      headers: AnswerHead | null;
      duration: number;
    }

    interface RequestQueue {
      insertRequest(request: object): void;
      addByteCount(count: number): void;
      addBody(data: Buffer): void;
      setHeaders(head: AnswerHead): void;
      terminateRequest(): PendingRequest | undefined;
      size(): number;
      clear(): void;
    }

    interface RequestSource {
      readonly resetted: boolean;
      readonly currentRequest: { requestBuffer: string | Buffer };
      nextRequest(): unknown;
      recordBody(): void;
    }

    /** One connection's client: it sends its next request when the last one was answered. */
    interface Client extends EventEmitter {
      conn: Socket;
      parser: Parser;
      pipelinedRequests: RequestQueue;
      requestIterator: RequestSource;
      destroyed: boolean;
      /** ms */
      timeout: number;
      /** Ends the connection when it rings; each request restarts it. */
      timeoutTicker: { reschedule(ms: number): void };
      _connect(): void;
      _doRequest(): void;
      destroy(): void;
    }
  }

  function autocannon(options: autocannon.Options, done: (error: Error | null) => void): unknown;
  export = autocannon;
}

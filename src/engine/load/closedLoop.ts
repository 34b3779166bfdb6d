import autocannon from 'autocannon';
import { AnswerChecks } from './answerChecks.ts';
import { answerError } from './answerError.ts';
import { lookEveryMs } from './blockEnd.ts';
import type { AnswerMeter, BlockMeter } from './blockMeter.ts';
import type { LoadLoop } from './loadLoop.ts';
import type { BlockCommand } from './loadProtocol.ts';
import { ConnectQueue } from './connectQueue.ts';
import { RawConnection } from './raw/rawConnection.ts';
import type { RawBlock } from './raw/rawBlock.ts';
import { type PortAuthority, portAuthorities } from './loopback.ts';
import { RequestSequence } from './requestSequence.ts';
import { type SteadyClient, steadyClient } from './steadyClient.ts';
import { ThinkTime } from './thinkTime.ts';
import { poll } from '../supervise/pause.ts';

/** autocannon notices its end at its next sample; samples cost nothing. */
const sampleIntervalMs = 50;

export type ClosedLoopPlan = Pick<
  BlockCommand,
  'host' | 'port' | 'morePorts' | 'socketPath' | 'connections' | 'mix' | 'tls' | 'seed' | 'timeoutMs' | 'thinkTimeMs'
> & {
  /** It is ended before that, in ms. */
  longestMs: number;
};

/** Requests that are kept as raw samples, and the meter that knows which window they are in. */
export interface KeptRequests {
  raw: RawBlock;
  meter: BlockMeter;
}

/**
 * Closed-loop load: every connection sends its next request when its last one is answered, or a think time after that. Several ports share the connections, as
 * evenly as they can be shared, and the one sequence of requests; a port for which no connection is left gets none.
 */
export class ClosedLoop implements LoadLoop {
  readonly answeredBy: number[];
  readonly #clients: SteadyClient[] = [];
  readonly #ports: readonly PortAuthority[];
  readonly #sequence: RequestSequence;
  readonly #queue = new ConnectQueue();
  readonly #thinkTime: ThinkTime | null;
  readonly #checks: AnswerChecks | null;
  #generators: Promise<unknown> = Promise.resolve();
  /** Called when nothing is under way, while somebody waits for it. */
  #onIdle: (() => void) | null = null;

  /** Fails when the host is not loopback. `onFailed` is called when autocannon itself fails. */
  constructor(
    private readonly command: ClosedLoopPlan,
    /** Null while nobody counts what is answered; another one from now on where it is set. */
    public meter: AnswerMeter | null,
    private readonly onFailed: (error: unknown) => void,
    private readonly kept: KeptRequests | null = null,
  ) {
    this.#thinkTime = command.thinkTimeMs > 0 ? new ThinkTime(command.thinkTimeMs, command.seed) : null;
    this.#checks = AnswerChecks.of(command.mix);
    this.#ports = portAuthorities(command.host, [command.port, ...command.morePorts], command.socketPath);
    this.answeredBy = this.#ports.map(() => 0);
    this.#sequence = new RequestSequence(command.mix, command.seed, ...this.#ports.map(({ authority }) => authority));
  }

  /** Requests without an answer so far. */
  get underWay(): number {
    return this.#clients.reduce((sum, { outstanding }) => sum + outstanding.size(), 0);
  }

  /** Resolves when nothing is under way. */
  idle(): Promise<void> {
    return new Promise((resolve) => {
      this.#onIdle = resolve;
      this.#settled();
    });
  }

  #settled(): void {
    if (this.#onIdle === null || this.underWay > 0) return;
    this.#onIdle();
    this.#onIdle = null;
  }

  /** Sends no more until it is resumed; connections stay open. */
  rest(): void {
    for (const client of this.#clients) client.rest();
  }

  resume(): void {
    for (const client of this.#clients) client.resume();
  }

  /** Whatever has no answer will get none: its connection is closed, and another one opened when it is resumed. */
  giveUp(): void {
    for (const client of this.#clients) client.giveUp();
  }

  get sent(): number {
    return this.#clients.reduce((sum, client) => sum + client.outstanding.sent, 0);
  }

  start(): void {
    const shares = evenShares(this.command.connections, this.#ports.length);
    this.#generators = Promise.all(this.#ports.map((port, to) => this.#generate(port, to, shares[to] ?? 0)));
    this.#generators.catch(this.onFailed);
  }

  beginWindow(now: number): void {
    // What is completed in a window counts, so that a request has nothing to begin.
    this.#thinkTime?.beginWindow(now);
  }

  get thoughtMs(): number | null {
    return this.#thinkTime?.windowMs ?? null;
  }

  endWindow(now: number): null {
    this.#thinkTime?.endWindow(now);
    return null;
  }

  agesMs(now: number): number[] {
    return this.#clients.map((client) => client.outstanding.ageMs(now)).filter((age) => age !== null);
  }

  async close(mayWait: () => boolean): Promise<void> {
    this.#queue.close();
    for (const client of this.#clients) client.rest();
    await poll(() => this.underWay === 0, { everyMs: lookEveryMs, isOver: () => !mayWait() });
    await Promise.all([this.#generators, ...this.#clients.map((client) => client.close())]);
  }

  #generate({ host, port, socketPath, authority }: PortAuthority, to: number, connections: number): Promise<void> {
    if (connections === 0) return Promise.resolve();
    const { command, kept } = this;
    return new Promise((resolve, reject) => {
      autocannon(
        {
          url: `http://${authority}`,
          connections,
          // The block ends by our own clock; autocannon's is only a net below it.
          duration: Math.ceil(command.longestMs / 1000) + 60,
          sampleInt: sampleIntervalMs,
          skipAggregateResult: true,
          setupClient: (client) => {
            const connection = kept === null ? null : new RawConnection(kept.raw, kept.meter);
            // The entry of the mix that its present request is.
            let entry = 0;
            const steady = steadyClient(client, {
              host,
              port,
              socketPath,
              tls: command.tls,
              queue: this.#queue,
              timeoutMs: command.timeoutMs,
              thinkTime: this.#thinkTime,
              nextRequest: () => {
                const text = connection?.next(this.#sequence, to) ?? this.#sequence.next(to);
                entry = this.#sequence.entry;
                return text;
              },
              readsBody: this.#checks === null ? null : () => this.#checks?.readsBody(entry) === true,
              onLost: (kind) => {
                this.meter?.lost(kind);
                if (kind !== 'unanswered') connection?.lost(kind);
                this.#settled();
              },
              onClosedByServer: () => this.meter?.closedByServer(),
            });
            connection?.follow(steady.outstanding);
            client.on('response', (status: number, bytes: number, durationMs: number) => {
              const error = this.#checks?.judge(entry, status, steady.outstanding.body) ?? answerError(status);
              connection?.answered(status, error, bytes, durationMs);
              this.meter?.answered(error, bytes, durationMs);
              this.answeredBy[to] = (this.answeredBy[to] ?? 0) + 1;
              this.#settled();
            });
            this.#clients.push(steady);
          },
        },
        (error) => (error === null ? resolve() : reject(error)),
      );
    });
  }
}

/** `total` in `parts` whole shares that differ by one at the most, the larger ones first: 33 in 2 is 17 and 16. */
export function evenShares(total: number, parts: number): number[] {
  return Array.from({ length: parts }, (_, part) => Math.floor(total / parts) + (part < total % parts ? 1 : 0));
}

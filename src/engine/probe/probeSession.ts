import type { Socket } from 'node:net';
import { failure } from '../../model/domain/failure.ts';
import type { FromProbe, ProbeReport, ToProbe } from '../../model/domain/probe.ts';
import type { InspectorChannel } from './inspectorChannel.ts';

type Hello = Extract<FromProbe, { type: 'hello' }>;
type Answer = Exclude<FromProbe, { type: 'hello' | 'inspector' }>;

/** An inspector session that a probe was asked for. */
export interface ExpectedInspector {
  token: string;
  arrived: Promise<InspectorChannel>;
  forget(): void;
}
export type Applied = Omit<Extract<FromProbe, { type: 'applied' }>, 'type' | 'answer'>;
export type SizeChange = Omit<Extract<ToProbe, { type: 'set' }>, 'type' | 'id'>;

const reportTimeoutMs = 2_000;
const collectTimeoutMs = 20_000;
const inspectTimeoutMs = 10_000;
/** How much longer than the change itself may take its answer is waited for. */
const answerMs = 1_000;

export class ProbeSession {
  readonly #waiting = new Map<number, (answer: Answer | null) => void>();
  readonly #listeners = new Set<(report: ProbeReport) => void>();
  #nextId = 1;
  #latest: ProbeReport | null = null;
  #open = true;
  #ended: () => void = () => undefined;
  /** Resolves when the process, or its probe, is gone. */
  readonly closed = new Promise<void>((resolve) => (this.#ended = resolve));

  constructor(
    readonly hello: Hello,
    private readonly socket: Socket,
    private readonly expectInspector: () => ExpectedInspector,
  ) {}

  /** The newest report; null before the first. */
  get latest(): ProbeReport | null {
    return this.#latest;
  }

  get open(): boolean {
    return this.#open;
  }

  /** Calls back with every report until the function that it gives is called. */
  onReport(callback: (report: ProbeReport) => void): () => void {
    this.#listeners.add(callback);
    return () => this.#listeners.delete(callback);
  }

  /** A report of now. Fails with `probe-silent` when the process does not answer in time or has ended. */
  async get(timeoutMs = reportTimeoutMs): Promise<ProbeReport> {
    return (await this.#ask('report', (id) => ({ type: 'get', id }), timeoutMs)).report;
  }

  /** Collects the whole heap, and reports then. Fails as {@link get} does. */
  async collect(): Promise<ProbeReport> {
    return (await this.#ask('report', (id) => ({ type: 'collect', id }), collectTimeoutMs)).report;
  }

  /** Changes a size and waits until it is reached, or has not been in time. Fails with `probe-silent` when there is no answer at all. */
  async set(change: SizeChange): Promise<Applied> {
    return this.#applied((id) => ({ type: 'set', id, ...change }), change.timeoutMs + answerMs);
  }

  /**
   * Has a pool lend at most `limit` connections at once, null: all it has; it applies at once. Fails with `probe-silent`, as a probe does that is older than
   * this.
   */
  async lend(poolId: string, limit: number | null): Promise<Applied> {
    return this.#applied((id) => ({ type: 'lend', id, poolId, limit }), answerMs);
  }

  /** A session of V8's inspector within the process. Fails with `probe-silent`, or with `inspector-refused` where its Node cannot give one. */
  async inspect(): Promise<InspectorChannel> {
    const expected = this.expectInspector();
    try {
      const { problem } = await this.#ask('inspecting', (id) => ({ type: 'inspect', id, token: expected.token }), inspectTimeoutMs);
      if (problem !== null)
        throw failure('inspector-refused', 'The Node process cannot be recorded from within.', 'Record again.', problem);
      const arrived = await Promise.race([expected.arrived, this.closed]);
      if (arrived === undefined) throw this.#silent();
      return arrived;
    } finally {
      expected.forget();
    }
  }

  receive(message: FromProbe): void {
    if (message.type === 'hello' || message.type === 'inspector') return;
    if (message.type === 'report') {
      this.#latest = message.report;
      for (const listener of this.#listeners) listener(message.report);
    }
    if (message.answer !== null) this.#waiting.get(message.answer)?.(message);
  }

  end(): void {
    this.#open = false;
    for (const answer of [...this.#waiting.values()]) answer(null);
    this.#ended();
  }

  disconnect(): void {
    this.socket.destroy();
  }

  async #applied(message: (id: number) => ToProbe, timeoutMs: number): Promise<Applied> {
    const { ok, max, effective, tookMs, message: why } = await this.#ask('applied', message, timeoutMs);
    return { ok, max, effective, tookMs, message: why };
  }

  async #ask<Type extends Answer['type']>(
    type: Type,
    message: (id: number) => ToProbe,
    timeoutMs: number,
  ): Promise<Extract<Answer, { type: Type }>> {
    if (!this.#open) throw this.#silent();
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      const answered = (answer: Answer | null): void => {
        clearTimeout(timer);
        this.#waiting.delete(id);
        if (answer?.type === type) resolve(answer as Extract<Answer, { type: Type }>);
        else reject(this.#silent());
      };
      const timer = setTimeout(() => answered(null), timeoutMs);
      this.#waiting.set(id, answered);
      this.socket.write(`${JSON.stringify(message(id))}\n`);
    });
  }

  #silent(): Error {
    return failure(
      'probe-silent',
      `The probe in process ${this.hello.pid} does not answer.`,
      'The app has ended or is too busy to answer; look at its log, or measure each value in a process of its own.',
    );
  }
}

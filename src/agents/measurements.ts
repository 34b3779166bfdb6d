import { type Failure, failure, toFailure } from '../model/domain/failure.ts';
import { inTime } from '../model/domain/inTime.ts';
import type { AgentAnswer, Asked } from '../model/agents/agentAnswer.ts';
import type { ActiveMeasurement } from '../model/agents/activeAnswers.ts';
import type { RunEvent } from '../model/protocol/runEvent.ts';
import type { AgentHost } from './agentHost.ts';

/** How a measurement ended: its answer, in words that depend on the question. */
export type Ended = { kind: 'done'; answer: (asked: Asked) => AgentAnswer } | { kind: 'failed'; failure: Failure };

/** What is to be measured. `work` is aborted at the end of the connection, and asked to end before by `run/cancel`. */
export interface Begun {
  noun: string;
  estimateS: number;
  limitS: number;
  work: (signal: AbortSignal) => Promise<Extract<Ended, { kind: 'done' }>['answer']>;
}

interface Measurement extends Omit<ActiveMeasurement, 'elapsedS'> {
  startedAt: number;
  ended: Ended | null;
  whenEnded: Promise<void>;
  endedAt: number | null;
}

/** More than an agent will come back to. */
const mostKept = 50;

/** The measurements of one connection, one at a time. */
export class Measurements {
  readonly #all = new Map<string, Measurement>();
  readonly #stop = new AbortController();
  #count = 0;
  #current: Measurement | null = null;
  #events: { dispose(): void } | null = null;

  constructor(private readonly host: AgentHost) {}

  get active(): ActiveMeasurement | null {
    return this.#current === null ? null : seen(this.#current);
  }

  /** Begins it and returns at once. Fails with `run-in-progress` while another one is under way, here or elsewhere on this machine. */
  begin({ noun, estimateS, limitS, work }: Begun): ActiveMeasurement {
    if (this.#current !== null)
      throw failure(
        'run-in-progress',
        `${this.#current.handle} is being measured: one measurement would spoil the other.`,
        'Wait for it with get_run, or end it with cancel_run.',
      );
    this.#stop.signal.throwIfAborted();
    const endTurn = this.host.takeTurn();
    // Started with the first measurement, so that a client that only reads starts nothing.
    this.#events ??= this.host.onRunEvent((event) => this.#take(event));
    this.#count += 1;
    const one: Measurement = {
      noun,
      estimateS,
      limitS,
      handle: `m${this.#count}`,
      startedAt: performance.now(),
      runId: null,
      cancelling: false,
      phase: null,
      tuning: null,
      ended: null,
      endedAt: null,
      whenEnded: Promise.resolve(),
    };
    this.#all.set(one.handle, one);
    for (const [handle] of [...this.#all].slice(0, -mostKept)) this.#all.delete(handle);
    this.#current = one;
    const deadline = setTimeout(() => void this.cancel(one.handle), limitS * 1000);
    one.whenEnded = this.#executeStrategy(one, work).finally(() => {
      clearTimeout(deadline);
      one.endedAt = performance.now();
      this.#current = null;
      endTurn();
    });
    return seen(one);
  }

  async #executeStrategy(one: Measurement, work: Begun['work']): Promise<void> {
    try {
      one.ended = { kind: 'done', answer: await work(this.#stop.signal) };
    } catch (error) {
      one.ended = { kind: 'failed', failure: toFailure(error) };
    }
  }

  /** What is known of a handle, after its end was waited for; null for a handle that there is not. */
  async look(handle: string, waitS: number, signal: AbortSignal): Promise<{ active: ActiveMeasurement; ended: Ended | null } | null> {
    const one = this.#all.get(handle);
    if (one === undefined) return null;
    if (one.ended === null && waitS > 0) await within(one.whenEnded, waitS * 1000, signal);
    return { active: seen(one), ended: one.ended };
  }

  /** Asks for its end, and does not wait for it; false where it has ended, or there is none of that name. */
  async cancel(reference: string): Promise<boolean> {
    const current = this.#current;
    if (current === null || (current.handle !== reference && current.runId !== reference)) return false;
    current.cancelling = true;
    await this.host.request('run/cancel', {}).catch(() => undefined);
    return true;
  }

  /** The end of the connection: what is measured ends, and nothing begins any more. */
  async dispose(): Promise<void> {
    this.#stop.abort();
    this.#events?.dispose();
    await this.#current?.whenEnded;
  }

  #take(event: RunEvent): void {
    if (this.#current === null) return;
    if (event.type === 'started') this.#current.runId = event.runId;
    if (event.type === 'phase') this.#current.phase = event;
    if (event.type === 'tuning') this.#current.tuning = event;
  }
}

function seen(one: Measurement): ActiveMeasurement {
  return { ...one, elapsedS: ((one.endedAt ?? performance.now()) - one.startedAt) / 1000 };
}

/** Waits for the end, for this long at most, or until the caller cancels. */
async function within(end: Promise<void>, limitMs: number, signal: AbortSignal): Promise<void> {
  let over: () => void = () => undefined;
  const enough = new Promise<void>((resolve) => {
    over = resolve;
  });
  signal.addEventListener('abort', over, { once: true });
  if (signal.aborted) over();
  await inTime(limitMs, Promise.race([end, enough]), () => undefined);
  signal.removeEventListener('abort', over);
}

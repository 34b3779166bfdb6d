import type { Observation } from '../../model/domain/observation.ts';
import type { HostEdge } from './hostEdge.ts';
import type { ObserverConnection } from './postgresSessions.ts';
import { PostgresObserver } from './postgresSessions.ts';
import { Sampler } from './sampler.ts';

export interface RunSamplerOptions {
  /** ms since the start of the run. */
  elapsedMs: () => number;
  postgresPids: () => readonly number[];
  /** PostgreSQL to ask for its sessions; null when the run uses none. */
  database: { connection: ObserverConnection; databases: readonly string[] } | null;
  onSample: (observation: Observation) => void;
}

/** The sampler of one run: knows which process is under load, and asks PostgreSQL for its sessions. */
export class RunSampler {
  readonly #sampler: Sampler;
  readonly #observer: PostgresObserver | null;
  readonly #onSample: RunSamplerOptions['onSample'];
  #trialKey: string | null = null;
  #appPids: readonly number[] | null = null;
  #generatorPids: () => readonly number[] = () => [];

  constructor(options: RunSamplerOptions) {
    this.#onSample = options.onSample;
    const observer = options.database === null ? null : new PostgresObserver(options.database.connection, options.database.databases);
    this.#observer = observer;
    this.#sampler = new Sampler({
      roots: () => ({
        app: this.#appPids,
        postgres: options.postgresPids(),
        generator: this.#generatorPids(),
      }),
      trialKey: () => this.#trialKey,
      ...(observer === null ? {} : { sessions: () => observer.sessions() }),
      now: options.elapsedMs,
    });
  }

  /** What this platform does not report, as a sentence; null when it reports everything. */
  get note(): string | null {
    return this.#sampler.note;
  }

  /** `generatorPids`: the processes that generate load now. */
  start(generatorPids: () => readonly number[]): void {
    this.#generatorPids = generatorPids;
    this.#sampler.start(this.#onSample);
  }

  /** From now on samples belong to this trial and its processes; null: nobody is under load. */
  attribute(trialKey: string | null, appPids: readonly number[] | null): void {
    this.#trialKey = trialKey;
    this.#appPids = appPids;
  }

  /** CPU time of process trees so far in µs, for differences over a window; null where the platform does not report it. */
  cpuTimeUs(...pids: number[]): Promise<number | null> {
    return this.#sampler.cpuTimeUs(pids);
  }

  /** The machine and all our processes now, for `interferenceBetween` at the edges of a window; null where the platform does not report it. */
  hostCounters(): Promise<HostEdge | null> {
    return this.#sampler.hostCounters();
  }

  async stop(): Promise<void> {
    this.#sampler.stop();
    await this.#observer?.close();
  }
}

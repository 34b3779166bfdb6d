import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Observation, PostgresSessions, ProcessUse } from '../../model/domain/observation.ts';
import { inTime } from '../../model/domain/inTime.ts';
import { readDescriptors } from './descriptors.ts';
import { type HostEdge, HostEdgeReader } from './hostEdge.ts';
import { type HostCounters, HostReader, hostUse } from './hostUse.ts';
import type { ThreadTurns } from './procStat.ts';
import { type ProcessScan, cpuBetween, ProcessTable } from './processTable.ts';
import { type TurnsByThread, joinUses, membersOf, ProcessUseReader } from './processUse.ts';

/** Pids at the top of the process trees to watch. `app` is what is under load now, each instance being one; `null` between trials. */
export interface ObservedRoots {
  app: readonly number[] | null;
  postgres: readonly number[];
  generator: readonly number[];
}

export interface SamplerOptions {
  /** Asked at every sample, because the load moves from one process to the next. */
  roots: () => ObservedRoots;
  /** The trial under load now, if any; asked at every sample. */
  trialKey: () => string | null;
  /** Ours besides the roots, with all their descendants: what they use is not others' CPU. By default, this process. */
  ownPids?: readonly number[];
  /** PostgreSQL's sessions; a failure or a late answer makes them `null` in that sample. */
  sessions?: () => Promise<PostgresSessions | null>;
  /** ms since the start of the run, monotonic. */
  now: () => number;
  procDir?: string;
  cgroupDir?: string;
}

const periodMs = 1000;
/** A sample does not wait longer than this for PostgreSQL. */
const sessionsTimeoutMs = 700;

interface Reading {
  scan: ProcessScan;
  host: HostCounters | null;
  turns: TurnsByThread;
}

/**
 * Takes one sample a second, at the whole seconds of the run's axis, of the app under load, PostgreSQL, the load generator and the
 * machine. A sample that is late covers a longer window and says so; the next is on the second again.
 */
export class Sampler {
  /** What cannot be observed on this platform, as a sentence; `null` when all can. */
  readonly note: string | null;
  readonly #options: SamplerOptions;
  readonly #ownPids: readonly number[];
  readonly #table: ProcessTable;
  readonly #useReader: ProcessUseReader;
  readonly #procDir: string;
  readonly #hostReader: HostReader;
  readonly #edgeReader: HostEdgeReader;
  #timer: NodeJS.Timeout | null = null;
  #before: Reading | null = null;
  #onSample: ((observation: Observation) => void) | null = null;
  #sessionsPending = false;
  #lastTimeMs = 0;
  #costMs = 0;

  constructor(options: SamplerOptions) {
    this.#options = options;
    this.#ownPids = options.ownPids ?? [process.pid];
    const procDir = options.procDir ?? '/proc';
    this.#procDir = procDir;
    this.#table = new ProcessTable(procDir);
    this.#useReader = new ProcessUseReader(procDir);
    this.#hostReader = new HostReader(procDir, options.cgroupDir);
    this.#edgeReader = new HostEdgeReader(procDir, options.cgroupDir);
    this.note = existsSync(join(procDir, 'stat'))
      ? null
      : 'CPU, memory and context switches are not observed on this platform: it has no /proc.';
  }

  /** Time that the last sample took from the engine, in ms. */
  get costMs(): number {
    return this.#costMs;
  }

  /** Begins; the first sample comes at the next whole second and covers the time since this call. */
  start(onSample: (observation: Observation) => void): void {
    if (this.#timer !== null) throw new Error('the sampler is running already');
    this.#onSample = onSample;
    this.#before = this.note === null ? this.#baseline() : null;
    this.#lastTimeMs = this.#options.now();
    this.#arm();
  }

  /** Ends; no sample is given after this. */
  stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#onSample = null;
    this.#before = null;
  }

  /** See `ProcessTable.cpuTimeUs`; for exact differences at the edges of a measured window. */
  cpuTimeUs(pids: readonly number[]): Promise<number | null> {
    return Promise.resolve(this.note === null ? this.#table.cpuTimeUs(pids, this.#ownPids) : null);
  }

  /** The machine and all our processes now; two of these make an `Interference` (`interferenceBetween`). `null` where the platform does not report it. */
  hostCounters(): Promise<HostEdge | null> {
    const { app, postgres, generator } = this.#options.roots();
    const roots = [...(app ?? []), ...postgres, ...generator];
    return Promise.resolve(this.note === null ? this.#edgeReader.read(this.#table, roots, this.#ownPids) : null);
  }

  #arm(): void {
    const now = this.#options.now();
    // A timer may fire a millisecond early; without the margin that second would be sampled twice.
    const next = (Math.floor((now + 5) / periodMs) + 1) * periodMs;
    this.#timer = setTimeout(() => {
      this.#arm();
      void this.#sample();
    }, next - now);
  }

  #scan({ app, postgres, generator }: ObservedRoots): ProcessScan {
    return this.#table.scan([...(app ?? []), ...postgres, ...generator], this.#ownPids);
  }

  /** What the first sample is counted from. */
  #baseline(): Reading {
    const roots = this.#options.roots();
    const scan = this.#scan(roots);
    const members = membersOf(scan, [...(roots.app ?? []), ...roots.postgres, ...roots.generator]);
    return { scan, host: this.#hostReader.read(), turns: this.#useReader.turns(members) };
  }

  async #sample(): Promise<void> {
    const started = performance.now();
    const timeMs = this.#options.now();
    const windowMs = timeMs - this.#lastTimeMs;
    this.#lastTimeMs = timeMs;
    const observation: Observation = {
      timeMs,
      windowMs,
      trialKey: this.#options.trialKey(),
      app: null,
      postgres: null,
      generator: null,
      host: null,
      sessions: null,
      instances: [],
      ...(this.note === null ? this.#observe(windowMs) : {}),
    };
    this.#costMs = performance.now() - started;
    observation.sessions = await this.#sessions();
    this.#onSample?.(observation);
  }

  #observe(windowMs: number): Pick<Observation, 'app' | 'postgres' | 'generator' | 'host' | 'instances'> {
    const before = this.#before;
    const { app, postgres, generator } = this.#options.roots();
    const scan = this.#scan({ app, postgres, generator });
    const host = this.#hostReader.read();
    const used = before === null ? new Map<number, number>() : cpuBetween(before.scan, scan);
    const turns = new Map<string, ThreadTurns>();
    const useOf = (roots: readonly number[] | null): ProcessUse | null => {
      const members = roots === null ? [] : membersOf(scan, roots);
      if (members.length === 0) return null;
      const result = this.#useReader.read(members, used, windowMs, before?.turns ?? new Map());
      for (const [key, value] of result.turns) turns.set(key, value);
      return result.use;
    };
    const instances = [...new Set(app ?? [])].flatMap((pid) => {
      const use = useOf([pid]);
      return use === null ? [] : [{ ...use, ...readDescriptors(membersOf(scan, [pid]), this.#procDir), pid }];
    });
    const uses = { app: this.#together(instances, scan), postgres: useOf(postgres), generator: useOf(generator) };
    const oursUs = [...used.values()].reduce((sum, us) => sum + us, 0);
    const machine = before?.host && host ? hostUse(before.host, host, windowMs, oursUs) : null;
    this.#before = { scan, host, turns };
    return { ...uses, host: machine, instances: instances.length > 1 ? instances : [] };
  }

  #together(instances: Observation['instances'], scan: ProcessScan): ProcessUse | null {
    const uses = instances.map(({ pid: _, ...use }): ProcessUse => use);
    if (uses.length < 2) return uses[0] ?? null;
    const pids = instances.map(({ pid }) => pid);
    return joinUses(uses, this.#useReader.rssBytes(membersOf(scan, pids)));
  }

  async #sessions(): Promise<PostgresSessions | null> {
    const { sessions } = this.#options;
    if (sessions === undefined || this.#sessionsPending) return null;
    this.#sessionsPending = true;
    const answer = sessions()
      .catch(() => null)
      .finally(() => {
        this.#sessionsPending = false;
      });
    return inTime(sessionsTimeoutMs, answer, () => null);
  }
}

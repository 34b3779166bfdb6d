import type { LiveSegment } from '../../../model/protocol/live.ts';
import type { SettingValues } from '../../../model/domain/setting.ts';
import { decodeLatencyHistogram, latencyMetrics } from '../../load/latencyHistogram.ts';
import type { LoadGenerator } from '../../load/loadGenerator.ts';
import type { BlockResult } from '../../load/loadPlans.ts';
import { windowBetween } from '../../probe/probeWindow.ts';
import type { BlockMeasurement } from '../trialRecord.ts';
import { type LiveMeters, type LiveReading, usedUs } from './liveMeters.ts';

/** A segment shorter than this says nothing of its settings. */
const shortestMs = 800;
/** A lap is cut in the generator's process, a moment after or before the time that is noted here. */
const marginMs = 200;

/** A segment that is being measured. */
interface OpenSegment {
  settings: SettingValues;
  before: LiveReading;
  /** PostgreSQL's restarts when it began. */
  crashes: number;
  /** When it began, as `performance.now()`. */
  sinceMs: number;
}

/** What was measured between two changes, with all that a trial's block has. */
export interface MeasuredSegment {
  settings: SettingValues;
  measurement: Omit<BlockMeasurement, 'round'>;
  segment: LiveSegment;
}

export interface SegmentOptions {
  generator: LoadGenerator;
  meters: LiveMeters;
  /** The session's time of a moment of `performance.now()`. */
  sessionMs: (atMs: number) => number;
  /** How often PostgreSQL has restarted its processes so far. */
  crashRestarts: () => number;
}

/** Cuts the load of a session, which never pauses, into segments at the changes. One call at a time. */
export class LiveSegments {
  readonly measured: MeasuredSegment[] = [];
  #open: OpenSegment | null = null;

  constructor(private readonly options: SegmentOptions) {}

  get isOpen(): boolean {
    return this.#open !== null;
  }

  /** How long the open segment still has to last before it shows anything; 0 when it does, or when none is open. */
  get remainingMs(): number {
    return this.#open === null ? 0 : Math.max(0, this.#open.sinceMs + shortestMs + marginMs - performance.now());
  }

  /** Begins a segment now; what was measured since the last one ended (a change and its settling) belongs to none. */
  async open(settings: SettingValues): Promise<void> {
    await this.options.generator.lap();
    await this.#begin(settings);
  }

  /** Discards the segment: the app did not have the requested values. */
  drop(): void {
    this.#open = null;
  }

  /** Ends the segment, and returns it unless there is none or it was too short to show anything. With `goOn` the next one begins at the same moment. */
  async close(goOn = false): Promise<MeasuredSegment | null> {
    const open = this.#open;
    if (open === null) return null;
    this.#open = null;
    const [result, after] = await Promise.all([this.options.generator.lap(), this.options.meters.read()]);
    if (goOn) this.#open = { settings: open.settings, before: after, crashes: this.options.crashRestarts(), sinceMs: performance.now() };
    return this.#keep(open, result, after);
  }

  async #begin(settings: SettingValues): Promise<void> {
    const before = await this.options.meters.read();
    this.#open = { settings: { ...settings }, before, crashes: this.options.crashRestarts(), sinceMs: performance.now() };
  }

  #keep(open: OpenSegment, result: BlockResult, after: LiveReading): MeasuredSegment | null {
    if (result.windowMs < shortestMs || result.requests + result.errors.total === 0) return null;
    const { sessionMs, crashRestarts } = this.options;
    const { before, settings } = open;
    const [startMs, endMs] = [sessionMs(result.windowStart), sessionMs(result.windowEnd)];
    const latency = latencyMetrics(decodeLatencyHistogram(result.histogram), result.latencySums);
    const measured: MeasuredSegment = {
      settings,
      measurement: {
        startMs,
        endMs,
        result,
        ended: null,
        cpuUs: {
          appCpuUs: usedUs(before, after, 'appCpuUs'),
          postgresCpuUs: usedUs(before, after, 'postgresCpuUs'),
          generatorCpuUs: usedUs(before, after, 'generatorCpuUs'),
        },
        probe: before.probes === null || after.probes === null ? null : windowBetween(before.probes, after.probes),
        postgresRestarted: crashRestarts() > open.crashes,
      },
      segment: {
        fromMs: startMs,
        toMs: endMs,
        settings,
        throughput: result.throughput,
        p50Ms: latency?.p50 ?? null,
        p99Ms: latency?.p99 ?? null,
        requests: result.requests,
        errors: result.errors.total,
      },
    };
    this.measured.push(measured);
    return measured;
  }
}

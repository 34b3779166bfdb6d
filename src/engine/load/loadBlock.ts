import { performance } from 'node:perf_hooks';
import { graceMs } from './blockEnd.ts';
import { type WindowEnd, blockMeasurement } from './blockMeasurement.ts';
import { type WindowTotals, BlockMeter, nothingCounted } from './blockMeter.ts';
import { ClosedLoop } from './closedLoop.ts';
import { requireDescriptors } from './descriptorLimit.ts';
import { lapTooLate } from './lapTooLate.ts';
import type { LoadLoop } from './loadLoop.ts';
import type { BlockCommand, LoadMeasurement, LoadTick, OpenLoopCounts } from './loadProtocol.ts';
import { machineMs } from './machineClock.ts';
import { RawBlock } from './raw/rawBlock.ts';
import type { ScenarioLoop } from './scenario/scenarioLoop.ts';

export interface BlockListener {
  onTick: (tick: LoadTick) => void;
  onWindow: (edge: 'open' | 'lap' | 'close') => void;
}

interface WaitingLap {
  resolve: (measurement: LoadMeasurement) => void;
  reject: (error: unknown) => void;
}

/** A lap waits through so many ticks without an answer or an error, and ends after that in any case: the silence is then what it reports of the server. */
const mostSilentTicks = 3;

/** On a machine that was paused the tick's timer fires before the answers that have come are read: such a tick measured nothing. */
const tellsEnough = (tick: LoadTick, tickMs: number): boolean =>
  tick.throughput > 0 || tick.errors > 0 || tick.elapsedMs >= mostSilentTicks * tickMs;

/**
 * One block of load, closed or open. The load runs on without a break from settling into the measured window, and from one lap to the next.
 */
export class LoadBlock {
  readonly #meter: BlockMeter;
  readonly #raw: RawBlock | null;
  readonly #laps: WaitingLap[] = [];
  #loop: LoadLoop | undefined;
  /** The loop, where it is one of users. */
  #scenario: ScenarioLoop | undefined;
  #over = false;
  #cancelled = false;
  /** Nothing is awaited any longer, not even the end of what is in progress. */
  #stopped = false;
  #stageTimer: NodeJS.Timeout | undefined;
  readonly #finished: Promise<LoadMeasurement>;
  #finish: (measurement: LoadMeasurement) => void = () => undefined;
  #fail: (error: unknown) => void = () => undefined;

  constructor(
    private readonly command: BlockCommand,
    private readonly listener: BlockListener,
  ) {
    this.#meter = new BlockMeter({
      stage: command.mode === 'warmUp' ? 'warmUp' : 'settle',
      tickMs: command.tickMs,
      byIntendedTime: command.open !== undefined,
      enough: command.requests === undefined ? undefined : { requests: command.requests, reached: () => this.#closeWindow() },
      onTick: (tick) => {
        listener.onTick({ ...tick, ...this.#besides() });
        if (this.#meter.open && !this.#over && tellsEnough(tick, command.tickMs)) {
          for (const lap of this.#laps.splice(0)) lap.resolve(this.#takeLap());
        }
      },
    });
    this.#raw = command.raw === undefined ? null : new RawBlock(command.raw, command.mix);
    this.#finished = new Promise((resolve, reject) => {
      this.#finish = resolve;
      this.#fail = reject;
    });
  }

  /**
   * Runs the block. Fails when the host is not loopback, for a scenario that makes no sense, and without open files to spare; whatever the server does is in
   * the measurement, not a failure.
   */
  async run(): Promise<LoadMeasurement> {
    const { command } = this;
    this.#loop = await this.#makeLoop();
    // Stopped before it began.
    if (this.#over) return this.#end(this.#loop, null, null);
    const stage = command.mode === 'warmUp' ? 'warmUp' : 'settle';
    this.#meter.beginStage(stage, performance.now());
    this.#loop.start();
    if (stage === 'warmUp' || command.settleMs === 0) this.#openWindow(this.#loop);
    else this.#stageTimer = setTimeout(() => this.#loop !== undefined && this.#openWindow(this.#loop), this.#settleMs());
    return this.#finished;
  }

  /** Ends the block now; what was measured so far is its measurement, marked as cancelled. */
  stop(): void {
    this.#stopped = true;
    if (this.#over) return;
    this.#cancelled = true;
    this.#closeWindow();
  }

  /**
   * What was measured since the window opened, or since the last lap; a new window begins at the same moment, on the same connections, and the block's own
   * measurement will be that of its last window. Before the window has opened, waits for its first tick with an answer or an error, or its third. Fails when
   * the block is over.
   */
  lap(): Promise<LoadMeasurement> {
    if (this.#over) return Promise.reject(lapTooLate());
    if (this.#meter.open) return Promise.resolve(this.#takeLap());
    return new Promise((resolve, reject) => this.#laps.push({ resolve, reject }));
  }

  async #makeLoop(): Promise<LoadLoop> {
    const { command } = this;
    requireDescriptors(command.open?.maxInFlight ?? command.connections);
    if (command.scenario !== undefined) {
      const { ScenarioLoop } = await import('./scenario/scenarioLoop.ts');
      return (this.#scenario = new ScenarioLoop(command, command.scenario, this.#meter));
    }
    if (command.open === undefined) {
      const kept = this.#raw === null ? null : { raw: this.#raw, meter: this.#meter };
      const longestMs = command.settleMs + command.windowMs;
      return new ClosedLoop({ ...command, longestMs }, this.#meter, (error) => this.#giveUp(error), kept);
    }
    // Loaded when it is needed: a worker of closed loops goes without undici.
    const { OpenLoop } = await import('./open/openLoop.ts');
    return new OpenLoop(command, command.open, this.#meter, this.#raw);
  }

  /** What a tick says that its meter does not know. */
  #besides(): Pick<LoadTick, 'users' | 'answeredBy'> {
    if (this.#scenario !== undefined) return { users: this.#scenario.users };
    const { mode, morePorts } = this.command;
    const answeredBy = this.#loop?.answeredBy;
    return mode === 'warmUp' && morePorts.length > 0 && answeredBy !== undefined ? { answeredBy: [...answeredBy] } : {};
  }

  #settleMs(): number {
    const { openAtMs, settleMs } = this.command;
    return openAtMs === undefined ? settleMs : Math.max(0, openAtMs - machineMs());
  }

  #openWindow(loop: LoadLoop): void {
    const now = performance.now();
    loop.beginWindow(now);
    this.#meter.openWindow(this.command.mode === 'warmUp' ? 'warmUp' : 'measure', now);
    this.#stageTimer = setTimeout(() => this.#closeWindow(), this.command.windowMs);
    this.listener.onWindow('open');
  }

  #takeLap(): LoadMeasurement {
    const loop = this.#loop;
    if (loop === undefined) throw lapTooLate();
    this.listener.onWindow('lap');
    const now = performance.now();
    const open = loop.endWindow(now);
    const inFlight = loop.agesMs(now).length;
    const measurement = this.#meter.lap(now, (totals) => this.#measurement(loop, totals, { inFlight, open }));
    loop.beginWindow(now);
    return measurement;
  }

  #closeWindow(): void {
    const loop = this.#loop;
    clearTimeout(this.#stageTimer);
    this.#over = true;
    for (const lap of this.#laps.splice(0)) lap.reject(lapTooLate());
    if (loop === undefined) return;
    const now = performance.now();
    const open = loop.endWindow(now);
    const totals = this.#meter.closeWindow(now);
    if (totals !== null) this.listener.onWindow('close');
    void this.#end(loop, totals, open).then(this.#finish, (error: unknown) => this.#giveUp(error));
  }

  async #end(loop: LoadLoop, totals: WindowTotals | null, open: OpenLoopCounts | null): Promise<LoadMeasurement> {
    const inFlight = loop.agesMs(performance.now()).length;
    if (totals !== null && !this.#cancelled) await loop.drain?.();
    const measurement = this.#measurement(loop, totals ?? nothingCounted(), { inFlight, open });
    // The next block must not overlap with connections of this one, nor with what a server still does for them.
    const deadline = performance.now() + graceMs(totals?.histogram.maxValue ?? 0);
    await loop.close(() => !this.#stopped && performance.now() < deadline);
    return this.#raw === null ? measurement : { ...measurement, raw: await this.#raw.finish() };
  }

  #measurement(loop: LoadLoop, totals: WindowTotals, end: Pick<WindowEnd, 'inFlight' | 'open'>): LoadMeasurement {
    const now = performance.now();
    const answeredP99Ms = totals.sums.count > 0 ? totals.histogram.getValueAtPercentile(99) / 1000 : 0;
    loop.settle?.(now);
    const agesMs = loop.agesMs(now);
    const sentInAll = loop.sent;
    const unaccounted = sentInAll - this.#meter.answeredInAll - this.#meter.lostInAll - agesMs.length;
    const scenario = this.#scenario === undefined ? null : { figures: this.#scenario.figures(), busyUsers: this.#scenario.busyUsers };
    return blockMeasurement(this.command, totals, {
      ...end,
      agesMs,
      answeredP99Ms,
      sentInAll,
      unaccounted,
      scenario,
      thoughtMs: loop.thoughtMs,
      cancelled: this.#cancelled,
    });
  }

  #giveUp(error: unknown): void {
    clearTimeout(this.#stageTimer);
    this.#over = true;
    this.#meter.stopTicks();
    for (const lap of this.#laps.splice(0)) lap.reject(error);
    void this.#raw?.finish();
    this.#fail(error);
  }
}

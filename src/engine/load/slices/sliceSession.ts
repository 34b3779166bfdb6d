import { performance } from 'node:perf_hooks';
import { longestGraceMs } from '../blockEnd.ts';
import { blockMeasurement } from '../blockMeasurement.ts';
import { ClosedLoop } from '../closedLoop.ts';
import { requireDescriptors } from '../descriptorLimit.ts';
import type { LoadMeasurement, LoadTick, SliceCommand } from '../loadProtocol.ts';
import { machineMs } from '../machineClock.ts';
import { pause } from '../../supervise/pause.ts';
import { SideMeter } from './sideMeter.ts';
import type { Slice } from './sliceProtocol.ts';
import { childrenOf, ThreadClocks, withDescendants } from './threadClocks.ts';

export interface SliceListener {
  onTick: (side: number, tick: LoadTick) => void;
  /** A slice begins. Where the app has to be switched, its load begins when this resolves. */
  onSlice: (side: number) => Promise<void> | void;
}

/** What all slices of one side measured together, and each on its own. */
export interface SlicesMeasured {
  sides: LoadMeasurement[];
  slices: Slice[];
}

/** autocannon needs an end; the session always ends earlier. */
const longestSessionMs = 86_400_000;
/** Before the first slice each entrance is asked for so long: connections are opened, and what slept is awake. */
const firstAskedMs = 150;
/**
 * A request in progress at the end of a slice is given up as unanswered after so many times the duration of the slowest before it, and after this time at the
 * least: on a busy machine an app pauses for a second now and then, and is not stuck.
 */
const [timesSlowest, leastGraceMs] = [10, 2_000];

interface Entrance {
  loop: ClosedLoop;
  connections: number;
}

interface Side {
  asked: SliceCommand['sides'][number];
  entrance: Entrance;
  meter: SideMeter;
  app: ThreadClocks;
  other: ThreadClocks;
  tool: ThreadClocks;
  /** Figures of the generator. */
  own: { cpuUs: number; activeMs: number; wholeMs: number };
}

/**
 * Turns the load from side to side in short slices. Connections stay open. At the end of a slice nothing new is sent, what is in progress ends, CPU times are
 * read, and only then is the next side asked.
 */
export class SliceSession {
  readonly #entrances: Entrance[];
  readonly #sides: Side[];
  readonly #database: ThreadClocks;
  readonly #slices: Slice[] = [];
  readonly #stop = new AbortController();
  #fail: (error: unknown) => void = () => undefined;

  constructor(
    private readonly command: SliceCommand,
    private readonly listener: SliceListener,
  ) {
    requireDescriptors(command.entrances.reduce((sum, { connections }) => sum + connections, 0));
    const { timeoutMs, seed } = command;
    this.#entrances = command.entrances.map((entrance) => {
      const plan = { ...entrance, timeoutMs, seed, thinkTimeMs: 0, longestMs: longestSessionMs };
      return { loop: new ClosedLoop(plan, null, (error) => this.#fail(error)), connections: entrance.connections };
    });
    const familyOf = (pids: readonly number[]): ThreadClocks => {
      const family = withDescendants(pids);
      return new ThreadClocks(() => family);
    };
    this.#sides = command.sides.map((asked) => {
      const entrance = this.#entrances[asked.entrance];
      if (entrance === undefined) throw new RangeError(`there is no entrance ${asked.entrance}`);
      return {
        asked,
        entrance,
        meter: new SideMeter(),
        app: familyOf(asked.appPids),
        other: familyOf(asked.otherPids),
        tool: familyOf(asked.toolPids),
        own: { cpuUs: 0, activeMs: 0, wholeMs: 0 },
      };
    });
    const { databasePid } = command;
    this.#database = new ThreadClocks(() => (databasePid === null ? [] : childrenOf(databasePid)));
  }

  /** Fails where a loop does; whatever the servers do is in what was measured. */
  async run(): Promise<SlicesMeasured> {
    const failed = new Promise<never>((_resolve, reject) => (this.#fail = reject));
    failed.catch(() => undefined);
    try {
      await Promise.race([this.#runAll(), failed]);
    } finally {
      const deadline = performance.now() + longestGraceMs;
      await Promise.all(this.#entrances.map(({ loop }) => loop.close(() => !this.#stop.signal.aborted && performance.now() < deadline)));
      for (const clocks of [...this.#sides.flatMap(({ app, other, tool }) => [app, other, tool]), this.#database]) clocks.close();
    }
    return { sides: this.#sides.map((side) => this.#measurement(side)), slices: this.#slices };
  }

  stop(): void {
    this.#stop.abort();
  }

  async #runAll(): Promise<void> {
    for (const entrance of this.#entrances) {
      entrance.loop.start();
      await this.#pause(firstAskedMs);
      await this.#settle(entrance.loop);
    }
    for (const [index, side] of this.command.order.entries()) {
      if (this.#stop.signal.aborted) return;
      await this.listener.onSlice(side);
      if (this.#stop.signal.aborted) return;
      const one = this.#sides[side];
      if (one === undefined) throw new RangeError(`there is no side ${side}`);
      await this.#slice(side, one);
      const isLast = !this.command.order.includes(side, index + 1);
      const tick = one.meter.tick(isLast ? 0 : this.command.tickMs);
      if (tick !== null) this.listener.onTick(side, { ...tick, stage: 'measure', elapsedMs: one.own.wholeMs });
    }
  }

  async #slice(side: number, { asked, entrance, meter, app, other, tool, own }: Side): Promise<void> {
    const before = { app: app.read(), other: other.read(), tool: tool.read(), database: this.#database.read(), own: process.cpuUsage() };
    const loopBefore = performance.eventLoopUtilization();
    const began = performance.now();
    const atMs = machineMs();
    meter.open(began + (asked.edgeMs ?? 0));
    entrance.loop.meter = meter;
    entrance.loop.resume();
    await this.#pause(asked.sliceMs);
    const restMs = performance.now();
    meter.rest(restMs);
    if (asked.edgeMs !== null) meter.shut(restMs);
    await this.#settle(entrance.loop);
    if (asked.edgeMs === null) meter.shut(performance.now());
    entrance.loop.meter = null;
    const wholeMs = performance.now() - began;
    const counts = meter.close();
    const { user, system } = process.cpuUsage(before.own);
    const used = app.between(before.app, app.read());
    const database = this.#database.between(before.database, this.#database.read());
    const others = other.between(before.other, other.read());
    const toolUs = tool.between(before.tool, tool.read())?.totalUs ?? 0;
    own.cpuUs += user + system;
    own.activeMs += performance.eventLoopUtilization(performance.eventLoopUtilization(), loopBefore).utilization * wholeMs;
    own.wholeMs += wholeMs;
    this.#slices.push({
      side,
      atMs,
      windowMs: counts.windowMs,
      requests: counts.requests,
      wholeMs,
      answered: counts.answered,
      appUs: used?.totalUs ?? null,
      compilerUs: used?.compilerUs ?? null,
      busiestUs: used?.busiestUs ?? null,
      busiestWaitedUs: used?.busiestWaitedUs ?? null,
      databaseUs: database?.totalUs ?? null,
      otherUs: others?.totalUs ?? null,
      generatorUs: user + system + toolUs,
      appWaitedUs: used?.waitedUs ?? null,
      compilerWaitedUs: used?.compilerWaitedUs ?? null,
      servicesWaitedUs: used === null ? null : (database?.waitedUs ?? 0) + (others?.waitedUs ?? 0),
    });
  }

  /** Sends no more, and waits for what is in progress; what takes far longer than the slowest before it is given up as unanswered. */
  async #settle(loop: ClosedLoop): Promise<void> {
    loop.rest();
    if (loop.underWay === 0) return;
    const slowest = this.#sides.reduce((most, one) => Math.max(most, one.meter.totals(0, 0).histogram.maxValue), 0);
    const wantedMs = slowest === 0 ? longestGraceMs : Math.max(leastGraceMs, (timesSlowest * slowest) / 1000);
    const longestMs = Math.min(wantedMs, longestGraceMs, this.command.timeoutMs);
    await Promise.race([loop.idle(), this.#pause(longestMs)]);
    loop.giveUp();
  }

  /** Ends early when the session is stopped. */
  #pause(ms: number): Promise<void> {
    return pause(ms, this.#stop.signal).catch(() => undefined);
  }

  #measurement({ meter, own: { cpuUs, activeMs, wholeMs }, entrance: { loop, connections } }: Side): LoadMeasurement {
    const plain = meter.totals(0, 0);
    // What was used in the whole slices, as much of it as belongs to their windows.
    const share = wholeMs > 0 ? plain.windowMs / wholeMs : 0;
    return blockMeasurement({ connections }, meter.totals(cpuUs * share, wholeMs > 0 ? activeMs / wholeMs : 0), {
      cancelled: this.#stop.signal.aborted,
      agesMs: [],
      answeredP99Ms: 0,
      inFlight: 0,
      sentInAll: loop.sent,
      unaccounted: 0,
      open: null,
      thoughtMs: null,
      scenario: null,
    });
  }
}

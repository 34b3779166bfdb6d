import { numberIn } from '../../model/domain/remembered.ts';
import type { SlicesResult } from '../load/loadPlans.ts';
import type { MixRequest } from '../load/loadProtocol.ts';
import type { Slice } from '../load/slices/sliceProtocol.ts';
import { interferenceBetween } from '../observe/hostEdge.ts';
import type { LooksByStatement } from '../observe/statementLooks.ts';
import type { StatementCounts, StatementsWindow } from '../observe/statementMeter.ts';
import type { GroupReport } from '../probe/groupReport.ts';
import { joinedWindow, windowOfSlices } from '../probe/slicedWindow.ts';
import { servedByInstance } from '../probe/servedByInstance.ts';
import { type DistanceWindow, addedWindows } from '../services/distance/databaseDistance.ts';
import { databaseName } from '../services/prepareDatabase.ts';
import { blockSeed } from '../statistics/seededRandom.ts';
import type { RunningTarget } from '../targets/launchTarget.ts';
import { databaseWantsWith } from '../variants/varied.ts';
import { type MeasuringHarness, tickMs } from './measuringHarness.ts';
import type { PlannedTrial } from './plan.ts';
import { howEnded, entrance, instancesOf, readProbes } from './runningTargets.ts';
import type { BlockMeasurement } from './trialRecord.ts';

/** A side of a sliced round: a trial, and the process that serves it. */
export interface SlicedSide {
  planned: PlannedTrial;
  running: RunningTarget;
  /** Requests are sent for so long in each slice, in ms. */
  sliceMs: number;
  /** Left out at its beginning; null: the whole slice counts. */
  edgeMs: number | null;
}

interface SlicedRoundPlan {
  sides: readonly SlicedSide[];
  /** The side of each slice; each run through all sides is a pass. */
  order: readonly number[];
  round: number;
  /** What is asked for in place of the mix of each trial. */
  mix?: readonly MixRequest[] | undefined;
  /** Turns the one process of all sides to a side; absent where each has a process of its own. */
  turn?: (planned: PlannedTrial) => Promise<void>;
}

/** The part of a slice after which the probe is asked what is in progress. */
const askedAt = 0.6;
/** A probe is asked so often in the middle of a slice, at the most. */
const askedEveryMs = 400;

/** Whether requests had no answer: such a process may hang on for the next slice, too. */
export function isHung(seen: readonly BlockMeasurement[]): boolean {
  return seen.some(({ result: { errors } }) => errors.unanswered + errors.timeout > 0);
}

/** Measures the sides of a round in slices; returns what was seen of each, in their order. PostgreSQL’s end rejects. */
export async function measureSliced(harness: MeasuringHarness, plan: SlicedRoundPlan): Promise<BlockMeasurement[]> {
  const { postgres } = harness.options.context;
  postgres.assertAlive();
  try {
    const seen = await new SlicedRound(plan, harness).measure();
    postgres.assertAlive();
    return seen;
  } finally {
    harness.attribute(null, null);
  }
}

class SlicedRound {
  readonly #during: GroupReport[][];
  /** Whether sides share a process, by its settings in turn or under other loads. */
  readonly #shared: boolean;
  /** For sides that share a process: the reports of its probes at both edges of each slice. */
  readonly #edges: [GroupReport, GroupReport][][];
  /** What the distances of each side passed on, in each slice. */
  readonly #passedOn: DistanceWindow[][];
  #closeDistance: (() => Promise<DistanceWindow | null>) | undefined;
  #current = -1;
  #atEdge: GroupReport | null = null;
  #askedAtMs = 0;
  #asking: NodeJS.Timeout | undefined;

  constructor(
    private readonly plan: SlicedRoundPlan,
    private readonly harness: MeasuringHarness,
  ) {
    this.#during = plan.sides.map(() => []);
    this.#edges = plan.sides.map(() => []);
    this.#passedOn = plan.sides.map(() => []);
    this.#shared = plan.turn !== undefined || new Set(plan.sides.map(({ running }) => running)).size < plan.sides.length;
  }

  /** What was seen of each side, in their order. */
  async measure(): Promise<BlockMeasurement[]> {
    const { plan, harness } = this;
    const { sides, order, round } = plan;
    const { context, progress, load } = harness.options;
    const { postgres, signal } = context;
    const crashesBefore = postgres.crashRestarts;
    const countsBefore = (await harness.statements?.counts()) ?? null;
    const [hostBefore, probesBefore] = await Promise.all([harness.sampler.hostCounters(), this.#readAll()]);
    const startMs = progress.elapsedMs;
    // Sides of one process share its connections, as many as each asks for.
    const entrances = new Map<string, number>();
    const places = sides.map(({ planned, running }) => numberIn(entrances, `${running.port} ${planned.connections}`));
    const result = await harness.generator
      .runSlices(
        {
          entrances: [...entrances.values()].map((place) => {
            const side = sides[places.indexOf(place)] as SlicedSide;
            const { morePorts = [], tls = false, keepAlive = true, ...where } = entrance([side.running]);
            const { connections, process } = side.planned;
            const mix = [...(plan.mix ?? process.mix ?? [])];
            return { ...where, morePorts: [...morePorts], tls, keepAlive, connections, mix };
          }),
          sides: sides.map(({ running, sliceMs, edgeMs }, side) => ({
            entrance: places[side] ?? 0,
            appPids: instancesOf(running).map(({ child }) => child.pid),
            otherPids: [running.front?.pid, running.bouncer?.child.pid].filter((pid) => pid !== undefined),
            toolPids: [running.distance?.pid].filter((pid) => pid !== undefined),
            sliceMs,
            edgeMs,
          })),
          order: [...order],
          turned: this.#shared,
          databasePid: postgres.rootPids[0] ?? null,
          timeoutMs: load.timeoutMs,
          tickMs,
          seed: blockSeed(load.seed, round),
        },
        {
          signal,
          onTick: (side, tick) => this.#withSide(side, ({ planned }) => harness.tick(planned, tick)),
          onSlice: (side) => this.#begin(side),
        },
      )
      .finally(() => clearTimeout(this.#asking));
    await this.#distanceEdge(null);
    if (this.#shared) await this.#edge(null);
    const [hostAfter, probesAfter] = await Promise.all([harness.sampler.hostCounters(), this.#readAll()]);
    const countsAfter = (await harness.statements?.counts()) ?? null;
    const endMs = progress.elapsedMs;
    const statements = await this.#statements(countsBefore, countsAfter, harness.looksIn({ startMs, endMs }));
    const interference = hostBefore === null || hostAfter === null ? null : interferenceBetween(hostBefore, hostAfter);
    const postgresRestarted = postgres.crashRestarts > crashesBefore;
    return Promise.all(
      sides.map(async ({ planned, running }, side): Promise<BlockMeasurement> => {
        const slices = result.slices.filter((one) => one.side === side);
        const own = result.sides[side];
        if (own === undefined) throw new RangeError(`nothing was measured of ${planned.name}`);
        const probes = [probesBefore.get(running) ?? null, probesAfter.get(running) ?? null] as const;
        return {
          round,
          startMs,
          endMs,
          result: { ...own, sentInAll: this.#sentInAll(side, places, result) },
          ...cpuOf(slices, own.requests),
          slices: slices.map((slice) => ({ ...slice, pass: passOf(result.slices, slice) })),
          proxy:
            running.front === undefined
              ? null
              : { cpuUs: shareOf(slices, 'otherUs', own.requests), workers: running.front.workers, cores: running.front.cores },
          distance: addedWindows(this.#passedOn[side] ?? []),
          probe: this.#probeWindow(side, probes, result),
          statements: statements(planned),
          interference,
          served: running.siblings.length === 0 ? null : servedByInstance(...probes, instancesOf(running)),
          ended: await howEnded(planned, running, round),
          postgresRestarted,
        };
      }),
    );
  }

  #withSide<T>(side: number, use: (side: SlicedSide) => T): T | undefined {
    const one = this.plan.sides[side];
    return one === undefined ? undefined : use(one);
  }

  async #readAll(): Promise<Map<RunningTarget, GroupReport>> {
    const all = [...new Set(this.plan.sides.map(({ running }) => running))];
    const read = await Promise.all(all.map(async (running) => [running, await readProbes(running)] as const));
    return new Map(read.flatMap(([running, report]) => (report === null ? [] : [[running, report]])));
  }

  async #begin(side: number): Promise<void> {
    const { turn, sides } = this.plan;
    const one = sides[side];
    if (one === undefined) return;
    this.harness.attribute(one.planned.key, one.running);
    await Promise.all([this.#distanceEdge(one.running), this.#shared ? this.#edge(one.running) : undefined]);
    if (turn !== undefined && this.#current !== side) await turn(one.planned);
    this.#current = side;
    this.#askWithin(side, one);
  }

  /** The slice before has ended, and nothing is in progress; `next` serves the one that begins. */
  async #edge(next: RunningTarget | null): Promise<void> {
    const last = this.#withSide(this.#current, ({ running }) => running);
    const before = this.#atEdge;
    const after = last === undefined ? null : await readProbes(last);
    if (before !== null && after !== null) this.#edges[this.#current]?.push([before, after]);
    this.#atEdge = next === null || next === last ? after : await readProbes(next);
  }

  /** The proxy that delays is asked at both edges of each slice. */
  async #distanceEdge(next: RunningTarget | null): Promise<void> {
    const passed = await this.#closeDistance?.();
    if (passed != null) this.#passedOn[this.#current]?.push(passed);
    this.#closeDistance = await next?.distance?.openWindow();
  }

  /** What waits or is at work at a moment is seen while the load is on, and not at the edges. */
  #askWithin(side: number, { running, sliceMs }: SlicedSide): void {
    const now = performance.now();
    if (this.#askedAtMs > now - askedEveryMs) return;
    this.#askedAtMs = now;
    this.#asking = setTimeout(() => {
      void readProbes(running).then((report) => {
        if (report !== null && this.#current === side) this.#during[side]?.push(report);
      });
    }, askedAt * sliceMs);
  }

  #probeWindow(
    side: number,
    [before, after]: readonly [GroupReport | null, GroupReport | null],
    { slices: all, sides: results }: SlicesResult,
  ): BlockMeasurement['probe'] {
    const slices = all.filter((slice) => slice.side === side);
    if (before === null || after === null) return null;
    const during = this.#during[side] ?? [];
    const edges = this.#edges[side] ?? [];
    // What a process that serves several sides did between both readings, it did for all of them.
    const together = all.filter((slice) => this.plan.sides[slice.side]?.running === this.plan.sides[side]?.running);
    const window = windowOfSlices(before, after, during, activeMs(together));
    const own = results[side];
    if (edges.length === 0) return own?.sentInAll == null ? window : { ...window, requests: own.sentInAll };
    const answered = slices.reduce((sum, slice) => sum + slice.answered, own?.errors.total ?? 0);
    return { ...joinedWindow(window, edges, activeMs(slices)), requests: answered };
  }

  /** PostgreSQL counts by database alone. */
  async #statements(
    before: StatementCounts | null,
    after: StatementCounts | null,
    looks: LooksByStatement,
  ): Promise<(planned: PlannedTrial) => StatementsWindow | null> {
    const all = (await this.harness.statements?.between(before, after, { looks })) ?? null;
    const databases = new Set(this.plan.sides.map(({ planned }) => this.#databaseOf(planned)));
    if (all === null || databases.size <= 1) return () => all;
    return (planned) => {
      const top = all.top.filter(({ database }) => database === this.#databaseOf(planned));
      const totalMs = top.reduce((sum, one) => sum + one.totalMs, 0);
      const functions = all.functions?.filter(({ database }) => database === this.#databaseOf(planned)) ?? [];
      return { totalMs, top: top.map((one) => ({ ...one, share: totalMs > 0 ? one.totalMs / totalMs : 0 })), functions };
    };
  }

  /** The database of a trial’s target; null without one. */
  #databaseOf({ process: { declared, asked } }: PlannedTrial): string | null {
    const { database } = this.harness.options;
    const wants = databaseWantsWith(declared, asked);
    return wants === null || database === null ? null : databaseName(database.address, wants);
  }

  /** By all that ask the same database. */
  #sentInAll(side: number, places: readonly number[], { sides: results }: SlicesResult): number {
    const of = (index: number): string | null | undefined => this.#withSide(index, ({ planned }) => this.#databaseOf(planned));
    const counted = new Map<number, number>();
    for (const [index, place] of places.entries()) if (of(index) === of(side)) counted.set(place, results[index]?.sentInAll ?? 0);
    return [...counted.values()].reduce((sum, sent) => sum + sent, 0);
  }
}

const activeMs = (slices: readonly Slice[]): number => slices.reduce((sum, { wholeMs }) => sum + wholeMs, 0);

/** CPU time of so many requests by what those of the whole slices took; null where it is not known. */
function shareOf(slices: readonly Slice[], of: 'appUs' | 'databaseUs' | 'otherUs' | 'generatorUs', requests: number): number | null {
  const answered = slices.reduce((sum, slice) => sum + slice.answered, 0);
  if (answered === 0 || slices.some((slice) => slice[of] === null)) return null;
  return (slices.reduce((sum, slice) => sum + (slice[of] ?? 0), 0) * requests) / answered;
}

function cpuOf(slices: readonly Slice[], requests: number): Pick<BlockMeasurement, 'cpuUs'> {
  return {
    cpuUs: {
      appCpuUs: shareOf(slices, 'appUs', requests),
      postgresCpuUs: shareOf(slices, 'databaseUs', requests),
      generatorCpuUs: shareOf(slices, 'generatorUs', requests),
    },
  };
}

/** Which of the slices of its side it is, from 1: every pass has one of each. */
function passOf(all: readonly Slice[], slice: Slice): number {
  return all.filter(({ side }) => side === slice.side).indexOf(slice) + 1;
}

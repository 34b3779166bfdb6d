import { statfs } from 'node:fs/promises';
import type { Observation } from '../../../model/domain/observation.ts';
import type { RunNote } from '../../../model/domain/runNoteKinds.ts';
import type { ExperimentSeries } from '../../../model/domain/experiment.ts';
import type { Growth } from '../../../model/domain/experimentNoteKinds.ts';
import type { LoadTick } from '../../load/loadProtocol.ts';
import { type Reading, growthShare, slopePerS } from '../../strategies/experiment/growth.ts';
import { median } from '../../statistics/moments.ts';

/** Growth over the second half of the soak above this share is reported as growth, and below it as none. */
const growing = 0.1;
/** More than so many bytes more on the disk are no mere logging of the machine's other programs. */
const diskGrowingBytes = 32 * 1_048_576;
/** Beyond this many values of a kind every second one is given up: a soak holds the same memory however long it lasts. */
const mostReadings = 2_000;

/** Values over time, thinned out as they become many; s since the soak began. */
class Readings {
  #kept: Reading[] = [];
  #stride = 1;
  #seen = 0;

  add(atS: number, value: number): void {
    if (this.#seen++ % this.#stride !== 0) return;
    this.#kept.push([atS, value]);
    if (this.#kept.length < mostReadings) return;
    this.#kept = this.#kept.filter((_reading, index) => index % 2 === 0);
    this.#stride *= 2;
  }

  get all(): readonly Reading[] {
    return this.#kept;
  }

  /** Those of the second half of the time: what was filled at the beginning (caches, heaps) is no growth. */
  get later(): readonly Reading[] {
    const [first, last] = [this.#kept[0], this.#kept.at(-1)];
    if (first === undefined || last === undefined) return [];
    const middle = (first[0] + last[0]) / 2;
    return this.#kept.filter(([atS]) => atS >= middle);
  }
}

const watched = ['memory', 'open descriptors', 'threads', 'disk', 'median response time', 'errors'] as const;
type Watched = (typeof watched)[number];

/** What is watched during a soak for growth: memory, descriptors, threads, the disk, latency and errors. */
export class SoakWatch {
  readonly #readings = Object.fromEntries(watched.map((what) => [what, new Readings()])) as Record<Watched, Readings>;
  #freeBytes: number | null = null;
  #timer: NodeJS.Timeout | null = null;
  #lastTickS = 0;
  #endedAtS: number | null = null;

  /**
   * `folder`: where the app runs, whose disk is watched. `fromS`: when the soak begins, in s since the window opened; what came before
   * (ramps, the stress) is not its own.
   */
  constructor(
    private readonly folder: string,
    private readonly fromS: number,
  ) {}

  /** A tick of the load, in the measured window. */
  tick(tick: LoadTick): void {
    if (tick.stage !== 'measure') return;
    this.#lastTickS = tick.elapsedMs / 1000;
    if (this.#lastTickS < this.fromS) return;
    const atS = this.#lastTickS - this.fromS;
    if (tick.p50Ms !== null) this.#readings['median response time'].add(atS, tick.p50Ms);
    this.#readings.errors.add(atS, (1000 * tick.errors) / Math.max(1, tick.windowMs));
  }

  /** The app has ended, before its time. */
  ended(): void {
    this.#endedAtS ??= this.#lastTickS;
  }

  /** Begins to look at the disk, every so often until `stop`. */
  start(everyMs: number): void {
    const look = async (): Promise<void> => {
      const { blocks, bfree, bavail, bsize } = await statfs(this.folder);
      this.#freeBytes = bavail * bsize;
      if (this.#lastTickS >= this.fromS) this.#readings.disk.add(this.#lastTickS - this.fromS, (blocks - bfree) * bsize);
    };
    // A file system that does not report its space is not watched: the sentence then does not name it.
    this.#timer = setInterval(() => void look().catch(() => undefined), everyMs);
  }

  stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
  }

  /** The samples of the soak, one each second. */
  observed(observations: readonly Observation[], soakS: number): void {
    const end = observations.at(-1)?.timeMs ?? 0;
    for (const { timeMs, app } of observations) {
      const atS = soakS - (end - timeMs) / 1000;
      if (atS < 0 || app === null) continue;
      if (app.rssBytes !== null) this.#readings.memory.add(atS, app.rssBytes);
      if (app.descriptors !== null) this.#readings['open descriptors'].add(atS, app.descriptors);
      if (app.threads !== null) this.#readings.threads.add(atS, app.threads);
    }
  }

  /** What grew and what did not, and how long the app was up. */
  note(name: string): RunNote {
    const known = watched.filter((what) => this.#readings[what].later.length >= 6);
    return {
      code: 'soak',
      name,
      lastedMs: 1000 * this.#lastTickS,
      endedAtMs: this.#endedAtS === null ? null : 1000 * this.#endedAtS,
      watched: known,
      grew: known.flatMap((what) => this.#growth(what) ?? []),
    };
  }

  /** What was watched, as charts; memory has its own. */
  series(variant: string): ExperimentSeries[] {
    const of = (label: string, unit: string, readings: Readings, scale = 1): ExperimentSeries[] =>
      readings.all.length < 2
        ? []
        : [{ label, unit, variant, points: readings.all.map(([atS, value]): [number, number] => [atS, value / scale]), marks: [] }];
    return [
      ...of('Open descriptors in the soak', 'files', this.#readings['open descriptors']),
      ...of('Median response time in the soak', 'ms', this.#readings['median response time']),
      ...of('Disk in use in the soak', 'MB', this.#readings.disk, 1_048_576),
    ];
  }

  /** How much something grew; null when it did not. */
  #growth(what: Watched): Growth | null {
    const { later } = this.#readings[what];
    if (what === 'disk') return diskGrowth(later, this.#freeBytes);
    if (what === 'errors') return errorGrowth(later);
    const share = growthShare(later);
    return share > growing ? { by: 'share', what, share } : null;
  }
}

/** What matters of a disk is not its share but when it is full. */
function diskGrowth(readings: readonly Reading[], freeBytes: number | null): Growth | null {
  const perS = slopePerS(readings);
  const more = perS * ((readings.at(-1)?.[0] ?? 0) - (readings[0]?.[0] ?? 0));
  if (more < diskGrowingBytes) return null;
  return { by: 'pace', bytesPerHour: 3600 * perS, fullInMs: freeBytes === null ? null : (1000 * freeBytes) / perS };
}

/** Errors a second at the end against those in the middle: the medians of the first and last third. */
function errorGrowth(readings: readonly Reading[]): Growth | null {
  const third = Math.floor(readings.length / 3);
  const of = (some: readonly Reading[]): number => median(some.map(([, perS]) => perS));
  const [before, after] = [of(readings.slice(0, third)), of(readings.slice(-third))];
  return after > before * (1 + growing) ? { by: 'rate', before, after } : null;
}

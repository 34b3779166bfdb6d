import type { Histogram } from 'hdr-histogram-js';
import { failure } from '../../model/domain/failure.ts';
import { type ErrorCounts, noErrors } from '../../model/domain/run.ts';
import { addLatency, createLatencyHistogram, encodeLatencyHistogram, noLatencySums, recordLatency } from '../load/latencyHistogram.ts';
import type { LatencySums, StepSamples } from '../load/loadProtocol.ts';
import { type RowTags, readK6Csv } from './k6Csv.ts';
import { testTag } from './k6Plan.ts';

export interface K6Reading {
  files: readonly { path: string; name: string }[];
  /** The plan’s id; null: whatever one they all have. */
  id: string | null;
  tests: number;
  settleMs: number;
  windowMs: number;
  /** An open loop: a request belongs to the window in which it began. */
  open: boolean;
}

/** What the runners of one test measured, put together. Times are µs since 1970. */
export interface K6Block {
  test: number;
  /** How many files it is from, and the segments of the test that they cover. */
  runners: { file: string; segment: string; startUs: number; endUs: number }[];
  windowStartUs: number;
  windowMs: number;
  requests: number;
  bytes: number;
  errors: ErrorCounts;
  sums: LatencySums;
  histogram: string;
  /** By the name that the script gives a request. */
  names: (Omit<StepSamples, 'role' | 'step' | 'problems'> & { name: string })[];
  dropped: number;
  /** Requests that began in the window. */
  begun: number;
  users: number | null;
}

export interface K6Read {
  blocks: K6Block[];
  rows: number;
}

type Metric = 'duration' | 'received' | 'dropped' | 'failed' | 'page' | 'started' | 'vus';
const wanted = new Map<string, Metric>([
  ['http_req_duration', 'duration'],
  ['data_received', 'received'],
  ['dropped_iterations', 'dropped'],
  ['benchside_failed', 'failed'],
  ['benchside_page', 'page'],
  ['benchside_started', 'started'],
  ['vus', 'vus'],
]);
/** Routes, or steps of roles with their assets: each has a histogram. */
const mostNames = 1000;
const onlyStarted = new Map<string, Metric>([['benchside_started', 'started']]);

interface Start {
  path: string;
  name: string;
  test: number;
  id: string;
  segment: string;
  startUs: number;
}

interface Named {
  requests: number;
  errors: number;
  sums: LatencySums;
  histogram: Histogram;
  pages: { sums: LatencySums; histogram: Histogram } | null;
}

/**
 * Reads the files of all runners and puts together what belongs to one test: histograms are merged, never percentiles. Fails with `k6-csv` for a file that
 * is none of the exported script’s, and with `k6-files` where files do not go together.
 */
export async function readK6Blocks(
  reading: K6Reading,
  onProgress: (fileIndex: number, bytes: number) => void = () => undefined,
): Promise<K6Read> {
  const starts: Start[] = [];
  for (const file of reading.files) starts.push(await startOf(file, reading));
  const ids = new Set(starts.map(({ id }) => id));
  if (ids.size > 1)
    throw failure(
      'k6-files',
      `These files are of ${ids.size} exports (${[...ids].slice(0, 5).join(', ')}).`,
      'Import those of one export at a time.',
    );
  const blocks: K6Block[] = [];
  let rows = 0;
  for (const test of [...new Set(starts.map((start) => start.test))].sort((a, b) => a - b)) {
    const own = starts.filter((start) => start.test === test);
    const meter = new TestMeter(test, own, reading);
    for (const start of own) {
      const index = reading.files.findIndex(({ path }) => path === start.path);
      rows += await meter.read(start, (bytes) => onProgress(index, bytes));
    }
    blocks.push(meter.block());
  }
  return { blocks, rows };
}

/** When a runner began and what it is of: the script’s first row of its own, near the beginning of the file. */
async function startOf({ path, name }: K6Reading['files'][number], { id, tests }: K6Reading): Promise<Start> {
  let found: Start | null = null;
  await readK6Csv(path, name, onlyStarted, (_metric, _timeUs, value, { extra }) => {
    const [own = '', number = ''] = (extra.get(testTag) ?? '').split('.');
    found = {
      path,
      name,
      id: own,
      test: Number(number === '' ? NaN : number),
      segment: extra.get('segment') ?? '0:1',
      startUs: value * 1000,
    };
    return false;
  });
  // What a callback assigns is not seen by the compiler.
  const start = found as Start | null;
  if (start === null)
    throw failure(
      'k6-csv',
      `${name} has no rows of the exported script.`,
      'Name files of a k6 that ran its script.js; others say nothing of a measured window.',
    );
  if (id !== null && start.id !== id)
    throw failure(
      'k6-files',
      `${name} is of the export ${start.id || 'without a name'}, and the plan is that of ${id}.`,
      'Name the plan.json of the same export.',
    );
  if (!Number.isInteger(start.test) || start.test < 0 || start.test >= tests)
    throw failure('k6-files', `${name} is of a test that the plan does not have.`, 'Name the plan.json of the same export.');
  return start;
}

/** Counts what the runners of one test did in the window that they have in common. */
class TestMeter {
  readonly #windowStartUs: number;
  readonly #windowEndUs: number;
  readonly #names = new Map<string, Named>();
  readonly #histogram = createLatencyHistogram();
  readonly #counts: Pick<K6Block, 'runners' | 'requests' | 'bytes' | 'errors' | 'sums' | 'dropped' | 'begun'> = {
    runners: [],
    requests: 0,
    bytes: 0,
    errors: { ...noErrors },
    sums: { ...noLatencySums },
    dropped: 0,
    begun: 0,
  };
  #users = 0;

  constructor(
    private readonly test: number,
    starts: readonly Start[],
    private readonly reading: K6Reading,
  ) {
    const begins = starts.map(({ startUs }) => startUs);
    this.#windowStartUs = Math.max(...begins) + reading.settleMs * 1000;
    this.#windowEndUs = Math.max(this.#windowStartUs, Math.min(...begins) + (reading.settleMs + reading.windowMs) * 1000);
  }

  /** Returns the number of rows. */
  async read({ path, name, segment, startUs, id, test }: Start, onPiece: (bytes: number) => void): Promise<number> {
    let endUs = startUs;
    let users = 0;
    let samples = 0;
    const tag = `${id}.${test}`;
    const rows = await readK6Csv(
      path,
      name,
      wanted,
      (metric, timeUs, value, tags) => {
        if (timeUs > endUs) endUs = timeUs;
        // Every virtual user says which test it is of.
        if (metric === 'started' && tags.extra.get(testTag) !== tag)
          throw failure('k6-files', `${name} has rows of several tests.`, 'Let each k6 write a file of its own.');
        if (metric === 'duration') {
          this.#request(timeUs, value, tags);
          return;
        }
        if (!this.#isInside(timeUs)) return;
        if (metric === 'received') this.#counts.bytes += value;
        else if (metric === 'dropped') this.#counts.dropped += value;
        else if (metric === 'failed') this.#extractionFailed(tags.name, value);
        else if (metric === 'page') this.#page(tags.name, value);
        else if (metric === 'vus') {
          users += value;
          samples += 1;
        }
      },
      onPiece,
    );
    this.#counts.runners.push({ file: name, segment, startUs, endUs });
    this.#users += samples === 0 ? 0 : users / samples;
    return rows;
  }

  block(): K6Block {
    return {
      ...this.#counts,
      test: this.test,
      windowStartUs: this.#windowStartUs,
      windowMs: (this.#windowEndUs - this.#windowStartUs) / 1000,
      histogram: encodeLatencyHistogram(this.#histogram),
      names: [...this.#names].map(([name, { requests, errors, sums, histogram, pages }]) => ({
        name,
        requests,
        errors,
        latencySums: pages?.sums ?? sums,
        histogram: encodeLatencyHistogram(pages?.histogram ?? histogram),
      })),
      users: this.#users > 0 ? this.#users : null,
    };
  }

  #isInside(timeUs: number): boolean {
    return timeUs >= this.#windowStartUs && timeUs < this.#windowEndUs;
  }

  #request(endUs: number, durationMs: number, { name, status, errorCode, expected }: RowTags): void {
    const begins = this.#isInside(endUs - durationMs * 1000);
    const ends = this.#isInside(endUs);
    if (!begins && !ends) return;
    if (begins) this.#counts.begun += 1;
    const named = this.#named(name);
    if (!expected) {
      if (!ends) return;
      named.errors += 1;
      this.#counts.errors.total += 1;
      this.#counts.errors[errorKind(status, errorCode)] += 1;
      return;
    }
    if (ends) {
      this.#counts.requests += 1;
      named.requests += 1;
    }
    if (!(this.reading.open ? begins : ends)) return;
    const latencyUs = durationMs * 1000;
    addLatency(this.#counts.sums, latencyUs);
    recordLatency(this.#histogram, latencyUs);
    addLatency(named.sums, latencyUs);
    recordLatency(named.histogram, latencyUs);
  }

  /** It was answered with the right status, and without what the next steps need. */
  #extractionFailed(name: string, count: number): void {
    const named = this.#named(name);
    named.requests = Math.max(0, named.requests - count);
    named.errors += count;
    this.#counts.requests = Math.max(0, this.#counts.requests - count);
    this.#counts.errors.total += count;
    this.#counts.errors.other += count;
  }

  #page(name: string, durationMs: number): void {
    const named = this.#named(name);
    named.pages ??= { sums: { ...noLatencySums }, histogram: createLatencyHistogram() };
    addLatency(named.pages.sums, durationMs * 1000);
    recordLatency(named.pages.histogram, durationMs * 1000);
  }

  #named(name: string): Named {
    const known = this.#names.get(name);
    if (known !== undefined) return known;
    if (this.#names.size >= mostNames)
      throw failure('k6-csv', `There are more than ${mostNames} names of requests.`, 'Name files of the exported script.');
    const named: Named = { requests: 0, errors: 0, sums: { ...noLatencySums }, histogram: createLatencyHistogram(), pages: null };
    this.#names.set(name, named);
    return named;
  }
}

/** The kind of an error by its status, and of a request without an answer by k6’s code. */
function errorKind(status: string, code: string): Exclude<keyof ErrorCounts, 'total'> {
  const number = Number(status);
  if (number >= 500) return 'status5xx';
  if (number === 429) return 'limited';
  if (number >= 400) return 'status4xx';
  if (number > 0) return 'other';
  if (code === '1050' || code === '1211') return 'timeout';
  if (code === '1212') return 'refused';
  if (code === '1220' || code === '1201') return 'reset';
  return 'other';
}

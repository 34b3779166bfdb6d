import type pg from 'pg';
import { failure } from '../../../model/domain/failure.ts';
import { exitPhrase } from '../../../model/domain/exitWords.ts';
import { inTime } from '../../../model/domain/inTime.ts';
import { parsedJson } from '../../files/parsedJson.ts';
import type { Child, ChildSpec, Supervisor } from '../../supervise/supervisor.ts';
import { withClient } from '../database.ts';
import type { DatabaseAddress } from '../serverUrl.ts';
import { startReady } from '../startReady.ts';
import { type DistancePlan, type DistanceUse, distanceLineSchema } from './distanceProtocol.ts';

export interface DistanceOptions {
  rttMs: number;
  server: DatabaseAddress;
  /** For people: the target in front of whose database it is. */
  name: string;
  nodePath: string;
  /** The bundle of the proxy. */
  program: string;
  env: Readonly<Record<string, string>>;
  signal?: AbortSignal | undefined;
}

/** What it did from its start to its end. */
export interface DistanceCost extends DistanceUse {
  rttMs: number;
  /** By how much it made a statement longer, the distance included: the median of some. */
  addedMs: number;
}

/** What it passed on in a measured window. */
export interface DistanceWindow {
  /** That was asked for. */
  rttMs: number;
  messages: number;
  /** By how much these were late, in µs, all together. */
  lateUs: number;
}

/** Of windows of one distance; null of none. */
export function addedWindows(windows: readonly DistanceWindow[]): DistanceWindow | null {
  const sum = (of: (window: DistanceWindow) => number): number => windows.reduce((all, window) => all + of(window), 0);
  const [first] = windows;
  return first === undefined
    ? null
    : { rttMs: first.rttMs, messages: sum(({ messages }) => messages), lateUs: sum(({ lateUs }) => lateUs) };
}

const readyTimeoutMs = 10_000;
const answerTimeoutMs = 2_000;
const asked = 20;

/**
 * A proxy on loopback between the processes of a target and PostgreSQL, which passes each byte on half a round trip later. It ends with the engine,
 * as its standard input does.
 */
export class DatabaseDistance {
  #port: number | null = null;
  #addedMs: number | null = null;
  #uses: ((use: DistanceUse) => void)[] = [];
  #child: Child | null = null;

  private constructor(private readonly options: DistanceOptions) {}

  /** Starts it and waits until it listens. Fails with `distance-failed`, and with `variant-database` where the app checks the name of the host. */
  static async start(supervisor: Supervisor, options: DistanceOptions): Promise<DatabaseDistance> {
    const { server, rttMs, signal } = options;
    if (server.tls?.mode === 'verify-full')
      throw failure(
        'variant-database',
        `The app checks that its database is ${server.host} (sslmode=verify-full), and would find the proxy that delays at 127.0.0.1.`,
        'Name sslmode=verify-ca or require in the URL to vary the distance.',
      );
    const distance = new DatabaseDistance(options);
    const plan: DistancePlan = { host: server.host, port: server.port, rttMs };
    const spec: ChildSpec = {
      name: `distance before ${options.name}`,
      kind: 'tool',
      argv: [options.nodePath, options.program, JSON.stringify(plan)],
      cwd: process.cwd(),
      env: options.env,
      stdin: 'pipe',
      captureLines: (stream, line) => {
        if (stream === 'stdout') distance.#hear(line);
      },
    };
    const { child, ready, late } = await startReady(supervisor, spec, () => distance.#port, { timeoutMs: readyTimeoutMs, signal });
    distance.#child = child;
    if (ready !== null) return distance;
    const how = late ? `did not listen within ${readyTimeoutMs / 1000} s` : exitPhrase(await child.exited);
    throw failure(
      'distance-failed',
      `The proxy that delays what goes to the database ${how}.`,
      'Look at its output below.',
      child.log.tail(20),
    );
  }

  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  get address(): DatabaseAddress {
    return { ...this.options.server, host: '127.0.0.1', port: this.#port ?? 0 };
  }

  /** What it did so far; null where it does not answer. */
  async use(): Promise<DistanceUse | null> {
    const child = this.#child;
    if (child?.running !== true) return null;
    const answer = new Promise<DistanceUse>((resolve) => this.#uses.push(resolve));
    void child.write('use\n');
    return inTime(answerTimeoutMs, answer, () => null);
  }

  /** Opens a window; the function that it returns closes it, and says what was passed on meanwhile: null where that is not known. */
  async openWindow(): Promise<() => Promise<DistanceWindow | null>> {
    const before = await this.use();
    return async () => {
      const after = await this.use();
      if (before === null || after === null) return null;
      const lateUs = (after.lateUs?.sum ?? 0) - (before.lateUs?.sum ?? 0);
      return { rttMs: this.options.rttMs, messages: after.messages - before.messages, lateUs };
    };
  }

  /** By how much a statement takes longer through the proxy than without it, in ms: the shortest of some, which nothing else has delayed. `login` is the app’s. */
  async leastAddedMs(login: DatabaseAddress, database: string, signal?: AbortSignal): Promise<number> {
    const { host, port } = this.address;
    const far = { ...login, host, port };
    const both = (direct: pg.Client): Promise<number> => withClient(far, database, (through) => this.#compare(direct, through), signal);
    return withClient(login, database, both, signal);
  }

  async #compare(direct: pg.Client, through: pg.Client): Promise<number> {
    const [near, far]: [number[], number[]] = [[], []];
    for (let round = 0; round < asked; round += 1) {
      near.push(await statementMs(direct));
      far.push(await statementMs(through));
    }
    for (const times of [near, far]) times.sort((a, b) => a - b);
    const between = (place: number): number => (far[place] ?? 0) - (near[place] ?? 0);
    this.#addedMs = between(asked / 2);
    return between(0);
  }

  /** Ends it, its clients having ended before; with `hurryMs` no rung of its stop ladder waits longer than that. Null where its cost is not known. */
  async stop(hurryMs?: number): Promise<DistanceCost | null> {
    const use = hurryMs === undefined ? await this.use() : null;
    await this.#child?.stop(hurryMs);
    return use === null || this.#addedMs === null ? null : { ...use, rttMs: this.options.rttMs, addedMs: this.#addedMs };
  }

  #hear(line: string): void {
    const heard = distanceLineSchema.safeParse(parsedJson(line));
    if (!heard.success) return;
    if ('listening' in heard.data) this.#port = heard.data.listening;
    else for (const resolve of this.#uses.splice(0)) resolve(heard.data.use);
  }
}

async function statementMs(client: pg.Client): Promise<number> {
  const startedMs = performance.now();
  await client.query('SELECT 1');
  return performance.now() - startedMs;
}

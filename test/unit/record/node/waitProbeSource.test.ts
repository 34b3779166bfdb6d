import { EventEmitter } from 'node:events';
import { createRequire } from 'node:module';
import { runInThisContext } from 'node:vm';
import { beforeEach, describe, expect, it } from 'vitest';
import { waitReportSchema } from '../../../../src/engine/record/node/waitProbe.ts';
import { waitProbeSource } from '../../../../src/engine/record/node/waitProbeSource.ts';

const scriptName = 'benchside-waits';
const require = createRequire(import.meta.url);

/** Answers queries when the test says so. */
class FakeClient extends EventEmitter {
  _queryable = true;
  readonly _Promise = Promise;
  answers: (() => void)[] = [];
  connect(done: (error?: Error) => void): void {
    process.nextTick(done);
  }
  query(text: string, values: unknown, callback?: (error: Error | null, result?: unknown) => void): Promise<unknown> | undefined {
    const answer = typeof values === 'function' ? (values as typeof callback) : callback;
    const end = (): void => (text === 'fail' ? answer?.(new Error('failed')) : answer?.(null, { rows: [text] }));
    this.answers.push(end);
    FakeClient.open.push(end);
    return undefined;
  }
  end(done?: () => void): void {
    done?.();
  }
  static open: (() => void)[] = [];
}

interface FakePool extends EventEmitter {
  connect(): Promise<FakeClient & { release(): void }>;
  query(text: string): Promise<{ rows: string[] }>;
}
interface Probe {
  findInModules(): number;
  findInObjects(emitters: unknown[]): number;
  begin(): void;
  end(): string;
  undo(): void;
}

const Pool = (require('pg') as { Pool: new (options: object) => FakePool }).Pool;
const probeOf = (): Probe => {
  // As in the recorded process: the script's only outer names are Node's own and `require`.
  const make = runInThisContext(`(function (require) { return ${waitProbeSource}; })`, { filename: scriptName }) as (
    load: NodeJS.Require,
  ) => (options: object) => Probe;
  return make(require)({ stacksPerSlot: 50, frames: 32, maxNodes: 1000, scriptName });
};
const poolOf = (max: number): FakePool => new Pool({ max, Client: FakeClient });
const reportOf = (probe: Probe): ReturnType<typeof waitReportSchema.parse> => waitReportSchema.parse(JSON.parse(probe.end()));

function block(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

describe('the wait probe', () => {
  let probe: Probe;
  let pool: FakePool;
  beforeEach(() => {
    FakeClient.open = [];
    pool = poolOf(1);
    probe = probeOf();
    expect(probe.findInObjects([new EventEmitter(), pool])).toBe(1);
  });

  it('counts the time until a client is given back, and not that of a blocked event loop while one is idle', async () => {
    (await pool.connect()).release();
    probe.begin();
    const asked = pool.connect();
    block(400);
    const holder = await asked;
    const waiting = pool.connect();
    block(25);
    holder.release();
    (await waiting).release();
    const { totals } = reportOf(probe);
    expect(totals).toMatchObject({ asks: 2, waits: 1 });
    expect(totals.pool).toBeGreaterThanOrEqual(25);
    expect(totals.pool).toBeLessThan(400);
  });

  it('counts the making of a new connection apart', async () => {
    probe.begin();
    const asked = pool.connect();
    block(20);
    (await asked).release();
    const { totals } = reportOf(probe);
    expect(totals.pool).toBe(0);
    expect(totals.opening).toBeGreaterThanOrEqual(20);
  });

  it('times the queries of clients that are in no pool of pg, as those of Sequelize and knex are', async () => {
    probe.undo();
    for (const find of ['objects', 'modules'] as const) {
      const { Client } = require('pg') as { Client: { new (): EventEmitter; prototype: Record<string, unknown> } };
      const real = Client.prototype['query'];
      const answers: (() => void)[] = [];
      Client.prototype['query'] = (_text: unknown, done: () => void) => void answers.push(done);
      try {
        const client = new Client() as EventEmitter & { query(text: string, done: () => void): void };
        const other = probeOf();
        if (find === 'modules') other.findInModules();
        else expect(other.findInObjects([client])).toBe(1);
        other.begin();
        const answered = new Promise<void>((resolve) => {
          client.query('one', resolve);
        });
        block(20);
        for (const answer of answers) answer();
        await answered;
        const { totals } = reportOf(other);
        expect(totals).toMatchObject({ asks: 0, queries: 1 });
        expect(totals.query).toBeGreaterThanOrEqual(20);
      } finally {
        Client.prototype['query'] = real;
      }
    }
  });

  it('counts what still waits at the end, and each query once', async () => {
    probe.begin();
    const held = await pool.connect();
    const waiting = pool.connect();
    const query = held.query('one', []) as Promise<unknown>;
    block(20);
    const { totals } = reportOf(probe);
    expect(totals).toMatchObject({ asks: 2, queries: 1 });
    expect(totals.pool).toBeGreaterThanOrEqual(20);
    expect(totals.query).toBeGreaterThanOrEqual(20);
    for (const answer of FakeClient.open) answer();
    expect(await query).toEqual({ rows: ['one'] });
    held.release();
    (await waiting).release();
  });

  it('names the function that asked for both the wait and the query of pool.query, and hides itself', async () => {
    (await pool.connect()).release();
    probe.begin();
    async function asksForIt(): Promise<unknown> {
      return pool.query('x');
    }
    const asked = asksForIt();
    await new Promise((resolve) => setImmediate(resolve));
    block(5);
    for (const answer of FakeClient.open) answer();
    expect(await asked).toEqual({ rows: ['x'] });
    const { totals, frames, nodes } = reportOf(probe);
    expect(totals).toMatchObject({ asks: 1, queries: 1, stacks: 1 });
    const leaf = nodes.find(([, , , , query]) => query > 0);
    expect(frames[leaf?.[1] ?? -1]?.[1]).toMatch(/pg-pool/);
    const asker = nodes[leaf?.[0] ?? -1];
    expect(frames[asker?.[1] ?? -1]?.[0]).toBe('asksForIt');
    expect(frames.some(([, script]) => script === scriptName)).toBe(false);
  });

  it('passes errors on, and leaves everything as it was when it ends', async () => {
    const prototype = Object.getPrototypeOf(Pool.prototype) as Record<string, unknown>;
    probe.begin();
    const asked = pool.query('fail');
    await new Promise((resolve) => setImmediate(resolve));
    for (const answer of FakeClient.open) answer();
    await expect(asked).rejects.toThrow('failed');
    const wrapped = [prototype['connect'], prototype['query'], prototype['_pulseQueue'], FakeClient.prototype.query];
    probe.undo();
    const after = [prototype['connect'], prototype['query'], prototype['_pulseQueue'], FakeClient.prototype.query];
    for (const [index, method] of after.entries()) expect(method).not.toBe(wrapped[index]);
    expect(after.map((method) => (method as { name: string }).name)).toEqual(['connect', 'query', '_pulseQueue', 'query']);
    expect(String(after[0])).toContain('_pendingQueue');
    expect('prepareStackTrace' in Error ? Error.prepareStackTrace : undefined).not.toBe(null);
  });

  it('keeps exact sums while it takes only some of the stacks', async () => {
    (await pool.connect()).release();
    probe.begin();
    const all: Promise<unknown>[] = [];
    for (let i = 0; i < 2_000; i += 1) all.push(pool.connect().then((client) => client.release()));
    await Promise.all(all);
    const { totals, sampled } = reportOf(probe);
    expect(totals.asks).toBe(2_000);
    expect(totals.stacks).toBeLessThan(1_200);
    expect(totals.stacks).toBeGreaterThan(50);
    expect(sampled.pool / totals.pool).toBeGreaterThan(0.3);
    expect(sampled.pool / totals.pool).toBeLessThan(3);
  });
});

import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LoadGenerator } from '../../src/engine/load/loadGenerator.ts';
import type { BlockResult } from '../../src/engine/load/loadPlans.ts';
import type { MixRequest } from '../../src/engine/load/loadProtocol.ts';
import { isKept, prefixHash } from '../../src/engine/load/raw/rawFormat.ts';
import { type RawRow, rawRows } from '../../src/engine/raw/rawFile.ts';
import { ProxyTimes } from '../../src/engine/raw/proxyTimes.ts';
import { type RawSource, RawDatabase } from '../../src/engine/raw/rawDatabase.ts';
import { withClient } from '../../src/engine/services/database.ts';
import { rawDatabaseName } from '../../src/engine/services/databaseOwner.ts';
import type { DatabaseAddress } from '../../src/engine/services/serverUrl.ts';
import { childEnvironment } from '../../src/engine/supervise/environment.ts';
import type { Supervisor } from '../../src/engine/supervise/supervisor.ts';
import { rawViewSchema } from '../../src/model/domain/rawSample.ts';
import { removeTemporaryFolders, temporaryFolder } from '../support/engine.ts';
import { blockPlan, startLoadBench } from '../support/loadBench.ts';
import { allRows, rawCommand, writeBlock } from '../support/rawFiles.ts';
import { exampleRun, exampleTrial } from '../support/runRecords.ts';
import { sharedPostgres } from '../support/sharedPostgres.ts';
import { waitFor } from '../support/waitFor.ts';
import { longTest, slowHalf } from '../support/testTags.ts';

/**
 * Answers with its times where it is asked for them, writes a log as nginx would, fails every tenth request of /flaky, and never answers some of
 * /silent.
 */
const program = `
const { appendFileSync } = require('node:fs');
const log = [];
let count = 0;
require('node:http').createServer((request, response) => {
  if (request.url === '/log') { appendFileSync(process.argv[1], log.splice(0).join('')); response.end('ok'); return; }
  count += 1;
  const from = process.hrtime.bigint();
  if (request.url === '/silent' && count % 50 === 0) return;
  if (request.url === '/flaky' && count % 10 === 0) response.statusCode = 503;
  const ms = Number(process.hrtime.bigint() - from) / 1e6 + 0.5;
  if (request.headers['x-server-timing'] === '1') response.setHeader('Server-Timing', 'app;dur=' + ms.toFixed(3) + ', pool;dur=0.125, db;dur=0.250');
  log.push(JSON.stringify({ id: request.headers['x-request-id'] ?? '', request_time: 0.002, upstream_response_time: '0.001', status: response.statusCode }) + '\\n');
  response.end('hello');
}).listen(0, '127.0.0.1', function () { console.log(JSON.stringify({ port: this.address().port })); });`;

let supervisor: Supervisor;
let generator: LoadGenerator;
let endBench: () => Promise<void>;
let folder: string;
let port = 0;

beforeAll(async () => {
  ({ supervisor, generator, end: endBench } = await startLoadBench());
  folder = temporaryFolder('raw');
  await supervisor.start({
    name: 'server with times',
    kind: 'app',
    argv: [process.execPath, '-e', program, path.join(folder, 'proxy-access.log')],
    cwd: process.cwd(),
    env: childEnvironment(),
    captureLines: (_stream, line) => {
      if (line.startsWith('{')) port = (JSON.parse(line) as { port: number }).port;
    },
  });
  await waitFor(() => port, { what: 'the port of the server' });
});
afterAll(async () => {
  await endBench();
  removeTemporaryFolders();
});

function get(route: string, weight = 1): MixRequest {
  return { method: 'GET', path: route, headers: {}, weight, parameters: {} };
}

/** What the rows say of a block must be what the block says of itself. */
function expectSameTotals(rows: readonly RawRow[], result: BlockResult): void {
  const counted = rows.filter((row) => row.counted);
  const good = counted.filter(({ error }) => error === null);
  expect(result.requests).toBeGreaterThan(10);
  expect(good).toHaveLength(result.requests);
  expect(good.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(result.bytes);
  expect(counted.length - good.length).toBe(result.errors.total - result.errors.unanswered);
  for (const kind of ['status5xx', 'timeout', 'reset'] as const)
    expect(counted.filter(({ error }) => error === kind)).toHaveLength(result.errors[kind]);
  const ids = rows.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
}

describe('every request of a block', () => {
  it('is kept by the closed loop, with the app’s and the proxy’s times, and adds up to the block’s figures', async () => {
    const file = path.join(folder, 'closed.bin');
    const mix = [get('/hello', 3), get('/flaky')];
    const result = await generator.runBlock(
      blockPlan(port, { mix, requests: 400, windowMs: 20_000, raw: rawCommand(file, { idPrefix: 'closed-1' }) }),
    );
    expect(result.raw).toMatchObject({ droppedRows: 0, full: false, problem: null });
    await fetch(`http://127.0.0.1:${port}/log`);
    const rows = await allRows(file, await ProxyTimes.read([path.join(folder, 'proxy-access.log')]));
    expect(rows).toHaveLength(result.raw?.rows ?? -1);
    expectSameTotals(rows, result);
    expect(result.errors.status5xx).toBeGreaterThan(0);
    expect(rows.filter(({ appUs, poolUs, dbUs }) => appUs === null || poolUs !== 125 || dbUs !== 250)).toEqual([]);
    expect(rows.filter(({ proxyUs, upstreamUs }) => proxyUs !== 2000 || upstreamUs !== 1000)).toEqual([]);
    expect(new Set(rows.map(({ route }) => route))).toEqual(new Set(['GET /hello', 'GET /flaky']));
    const timed = rows.filter((row) => row.timed);
    expect(timed).toHaveLength(result.latencySums.count);
    const meanUs = timed.reduce((sum, { latencyUs }) => sum + latencyUs, 0) / timed.length;
    expect(Math.abs(meanUs - result.latencySums.sumUs / result.latencySums.count)).toBeLessThan(1);
  });

  it('is kept by the open loop, and its latency counts where the block’s does', async () => {
    const file = path.join(folder, 'open.bin');
    const plan = blockPlan(port, {
      mix: [get('/hello'), get('/flaky')],
      open: { ratePerS: 400, maxInFlight: 200 },
      raw: rawCommand(file, { idPrefix: 'open-1' }),
    });
    const result = await generator.runBlock(plan);
    const rows = await allRows(file);
    expectSameTotals(rows, result);
    const timed = rows.filter((row) => row.timed);
    expect(timed).toHaveLength(result.latencySums.count);
    expect(rows.filter(({ appUs }) => appUs === null)).toEqual([]);
  });

  it('is told as lost when its answer never came', async () => {
    const file = path.join(folder, 'lost.bin');
    const result = await generator.runBlock(
      blockPlan(port, {
        mix: [get('/silent')],
        requests: 400,
        windowMs: 20_000,
        timeoutMs: 100,
        raw: rawCommand(file, { idPrefix: 'lost-1' }),
      }),
    );
    const rows = await allRows(file);
    expect(result.errors.timeout).toBeGreaterThan(0);
    expectSameTotals(rows, result);
    const timedOut = rows.filter(({ error }) => error === 'timeout');
    expect(timedOut.length).toBeGreaterThan(0);
    for (const { latencyUs, status } of timedOut) {
      expect(status).toBeNull();
      expect(latencyUs).toBeGreaterThanOrEqual(99_000);
    }
  });

  it('is kept for the share that was asked for, and the load goes on when the rows are used up', async () => {
    const file = path.join(folder, 'share.bin');
    const shared = await generator.runBlock(
      blockPlan(port, { mix: [get('/hello')], raw: rawCommand(file, { idPrefix: 'share-1', share: 0.25 }) }),
    );
    const rows = await allRows(file);
    const kept = new Set(rows.map(({ id }) => Number.parseInt(id.slice('share-1-'.length), 36)));
    const wanted = Array.from({ length: Math.max(...kept) }, (_, index) => index + 1).filter((sequence) =>
      isKept(prefixHash('share-1'), sequence, 0.25),
    );
    expect(shared.requests).toBeGreaterThan(rows.length);
    expect([...kept].filter((sequence) => !wanted.includes(sequence))).toEqual([]);
    // Only what was under way on one of the four connections at the end is missing.
    expect(wanted.length - kept.size).toBeLessThanOrEqual(4);
    const bounded = await generator.runBlock(
      blockPlan(port, { mix: [get('/hello')], raw: rawCommand(file, { idPrefix: 'share-2', maxRows: 5 }) }),
    );
    expect(bounded.raw).toMatchObject({ rows: 5, full: true });
    expect(bounded.requests).toBeGreaterThan(10);
  });

  it('costs the run nothing but its rows when the disk fails', async () => {
    const result = await generator.runBlock(
      blockPlan(port, { mix: [get('/hello')], raw: rawCommand(path.join(folder, 'missing', 'raw.bin')) }),
    );
    expect(result.requests).toBeGreaterThan(10);
    expect(result.errors.total).toBe(0);
    expect(result.raw?.rows).toBe(0);
    expect(result.raw?.problem).toMatch(/could not be written/);
  });
});

describe('raw samples in the database', () => {
  let address: DatabaseAddress;

  beforeAll(async () => {
    address = await sharedPostgres();
  });
  afterAll(() =>
    withClient(address, address.database, (client) => client.query(`DROP DATABASE IF EXISTS ${rawDatabaseName} WITH (FORCE)`)),
  );

  function source(number: number, file: string, proxy: ProxyTimes | null = null): RawSource {
    const id = `mb2k9x1a-${String(number).padStart(24, '0')}`;
    const trial = { ...exampleTrial({ target: 'node', settings: { pool: 4 }, connections: 8 }), key: 'node|pool=4|c=8' };
    const record = { ...exampleRun({ trials: [trial] }), id };
    return { record, share: 1, timing: true, droppedRows: 0, rows: () => rawRows(file, proxy) };
  }

  async function ask<T extends pg.QueryResultRow>(sql: string): Promise<T[]> {
    const client = new pg.Client({ connectionString: new RawDatabase(address).connection });
    await client.connect();
    try {
      return (await client.query<T>(sql)).rows;
    } finally {
      await client.end();
    }
  }

  it('have every row once, join them with the proxy’s log, and answer every view', longTest, async () => {
    const file = path.join(folder, 'views.bin');
    await writeBlock(rawCommand(file), 4000, (index) => ({
      latencyMs: 1 + (index % 100) / 10,
      ...(index % 20 === 0 ? { status: 503, error: 'status5xx', timed: false } : {}),
    }));
    const log = path.join(folder, 'views.log');
    writeFileSync(
      log,
      Array.from({ length: 4000 }, (_, index) =>
        JSON.stringify({ id: `run1-1-${(index + 1).toString(36)}`, request_time: 0.001, upstream_response_time: 0.001 }),
      ).join('\n'),
    );
    const database = new RawDatabase(address);
    const progress: number[] = [];
    const loaded = await database.load(source(1, file, await ProxyTimes.read([log])), (rows) => progress.push(rows));
    expect(loaded).toMatchObject({ rows: 4000, joined: 4000, already: false, removed: [], messages: [] });
    expect(progress.at(-1)).toBe(4000);
    const { run } = loaded;
    for (const view of rawViewSchema.options) {
      const { rows, sql } = await database.query(run, view, 100);
      expect(rows.length, view).toBeGreaterThan(0);
      expect(sql).toContain(`FROM raw.${view} WHERE run = ${run}`);
    }
    const routes = await database.query(run, 'by_route', 10);
    const cell = (name: string, row: number): string | null =>
      routes.rows[row]?.[routes.columns.findIndex((column) => column.name === name)] ?? null;
    expect(cell('trial_key', 0)).toBe('node|pool=4|c=8');
    expect([cell('requests', 0), cell('errors', 0), cell('requests', 1)]).toEqual(['1800', '200', '2000']);
    const slowest = await database.query(run, 'slowest', 5);
    expect(slowest.more).toBe(true);
    expect(slowest.rows).toHaveLength(5);
    const where = await database.query(run, 'where_time_goes', 10);
    const shares = where.rows[0]?.filter((_, index) => where.columns[index]?.name.endsWith('_percent') === true).map(Number) ?? [];
    expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(100, 0);
    // Each request took 2.95 ms at the mean of all; 1 ms at the proxy, which waited for the app for all of it, 0.25 ms of it for a connection.
    const parts = Object.fromEntries(where.columns.map(({ name }, index) => [name, Number(where.rows[1]?.[index])]));
    expect(parts).toMatchObject({ proxy_ms: 0, to_app_ms: 0, app_ms: 0.25, pool_ms: 0.25, db_ms: 0.5 });
    expect(parts['before_ms']).toBeCloseTo((parts['latency_ms'] ?? 0) - 1, 3);
    const again = await database.load(source(1, file), () => undefined);
    expect(again).toMatchObject({ run, rows: 4000, joined: 4000, already: true });
    const [{ sum } = { sum: '' }] = await ask<{ sum: string }>('SELECT sum(latency_us) FROM raw.requests WHERE timed');
    const truth = (await allRows(file)).filter((row) => row.timed).reduce((total, row) => total + row.latencyUs, 0);
    expect(Number(sum)).toBe(truth);
  });

  it('let the runs go first that were loaded longest ago, and say so', slowHalf, async () => {
    const file = path.join(folder, 'bounds.bin');
    await writeBlock(rawCommand(file), 300);
    const database = new RawDatabase(address, { runs: 3, rows: 10_000 });
    // Those of other tests go, too, in front of these.
    await database.load(source(10, file), () => undefined);
    await database.load(source(11, file), () => undefined);
    await database.load(source(12, file), () => undefined);
    const third = await database.load(source(13, file), () => undefined);
    expect(third.removed).toEqual([source(10, file).record.id]);
    expect(third.messages).toEqual([
      'The database holds at most 3 runs and 10,000 requests: the run that was loaded longest ago was removed from it. It stays in the list of runs and can be loaded again.',
    ]);
    const byRows = await new RawDatabase(address, { runs: 20, rows: 700 }).load(source(14, file), () => undefined);
    expect(byRows.removed).toHaveLength(2);
    const [left] = await ask<{ runs: string; rows: string }>(
      'SELECT (SELECT count(*) FROM raw.runs) AS runs, (SELECT count(*) FROM raw.requests) AS rows',
    );
    expect(left).toEqual({ runs: '2', rows: '600' });
  });

  it('are cut at the bound when one run alone outgrows it, which is said', async () => {
    const file = path.join(folder, 'large.bin');
    await writeBlock(rawCommand(file), 5000);
    const loaded = await new RawDatabase(address, { runs: 20, rows: 2000 }).load(source(15, file), () => undefined);
    expect(loaded.rows).toBe(2000);
    expect(loaded.messages.at(-1)).toMatch(/only the first 2,000 of this run were loaded\. An export has all of them\.$/);
  });

  it('leave no trace of a load that was broken off, neither by a failure nor by cancelling', async () => {
    const file = path.join(folder, 'broken.bin');
    await writeBlock(rawCommand(file), 5000);
    const database = new RawDatabase(address);
    const before = await ask('SELECT run_id FROM raw.runs ORDER BY run');
    const bytes = readFileSync(file);
    writeFileSync(file, Buffer.concat([bytes, Buffer.from('no frame of ours at all')]));
    await expect(database.load(source(16, file), () => undefined)).rejects.toThrow('cannot be read');
    const cancel = new AbortController();
    writeFileSync(file, bytes);
    await expect(database.load(source(17, file), () => cancel.abort(), cancel.signal)).rejects.toThrow(/abort/i);
    expect(await ask('SELECT run_id FROM raw.runs ORDER BY run')).toEqual(before);
    expect((await database.load(source(17, file), () => undefined)).rows).toBe(5000);
  });

  it('are in a database of their own, which explains itself', async () => {
    const comments = await ask<{ name: string; comment: string }>(
      `SELECT relname AS name, obj_description(oid) AS comment FROM pg_class WHERE relnamespace = 'raw'::regnamespace AND relkind = 'v' ORDER BY relname`,
    );
    expect(comments.map(({ name }) => name)).toEqual([
      'by_route',
      'by_second',
      'errors',
      'latency_percentiles',
      'slowest',
      'where_time_goes',
    ]);
    expect(comments.every(({ comment }) => comment.length > 20)).toBe(true);
    expect(new RawDatabase(address).connection).toContain(`/${rawDatabaseName}`);
  });
});

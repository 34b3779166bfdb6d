import { findingText } from '../../../src/model/domain/findings.ts';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { type K6Block, readK6Blocks } from '../../../src/engine/k6/k6Blocks.ts';
import { csvFields } from '../../../src/engine/k6/k6Csv.ts';
import { k6PlanSchema } from '../../../src/engine/k6/k6Plan.ts';
import { k6Measurement } from '../../../src/engine/k6/k6Measurement.ts';
import { decodeLatencyHistogram, latencyMetrics } from '../../../src/engine/load/latencyHistogram.ts';
import { type Row, beganMs, failureOf, header, removeWritten, row, runnerFile, written } from './k6Files.ts';

afterAll(removeWritten);

const reading = { id: 'abcd', tests: 2, settleMs: 1000, windowMs: 10_000, open: false };
const shape = { settleS: 1, durationS: 10, traffic: { kind: 'mix' as const, open: null, thinkTimeMs: 0, stages: null } };

async function read(contents: Parameters<typeof written>[0], changes: Partial<typeof reading> = {}): Promise<K6Block[]> {
  return (await readK6Blocks({ ...reading, ...changes, files: written(contents) })).blocks;
}

async function only(contents: Parameters<typeof written>[0], changes: Partial<typeof reading> = {}): Promise<K6Block> {
  const [block, ...others] = await read(contents, changes);
  if (block === undefined || others.length > 0) throw new Error('there is not one block');
  return block;
}

describe('the files of k6’s runners', () => {
  it('are put together to the percentiles of one sorted list of all samples, within the precision of the histogram', async () => {
    const samples = fc.array(fc.double({ min: 0.01, max: 5000, noNaN: true }), { minLength: 8, maxLength: 400 });
    await fc.assert(
      fc.asyncProperty(samples, fc.constantFrom(2, 4, 8), async (latencies, runners) => {
        const files = Object.fromEntries(
          Array.from({ length: runners }, (_, runner) => [
            `${runner}.csv.gz`,
            runnerFile(
              latencies.filter((_latency, index) => index % runners === runner).map((latencyMs) => ({ atMs: 6000, latencyMs })),
              { segment: `${runner}/${runners}:${runner + 1}/${runners}` },
            ),
          ]),
        );
        const block = await only(files);
        const figures = latencyMetrics(decodeLatencyHistogram(block.histogram), block.sums);
        const sorted = [...latencies].sort((a, b) => a - b);
        for (const [share, value] of [
          [0.5, figures?.p50],
          [0.99, figures?.p99],
        ] as const) {
          const exact = sorted[Math.ceil(share * sorted.length) - 1] ?? 0;
          expect(Math.abs((value ?? 0) - exact)).toBeLessThanOrEqual(0.001 * exact + 0.001);
        }
        expect(block.requests).toBe(latencies.length);
        expect(
          k6Measurement(block, shape, 1).discardReasons.filter(({ code }) => code === 'k6-part-missing' || code === 'k6-part-twice'),
        ).toEqual([]);
      }),
      { numRuns: 5 },
    );
  });

  it('count what ended within the window that all runners have in common', async () => {
    const ends = [500, 1499, 1500, 9000, 10_999, 11_000, 12_000].map((atMs): Row => ({ atMs }));
    const block = await only({
      'a.csv': runnerFile(ends, { segment: '0:1/2' }),
      'b.csv.gz': runnerFile(ends, { segment: '1/2:1', lateMs: 500 }),
    });
    expect([block.windowStartUs / 1000 - beganMs, block.windowMs, block.requests]).toEqual([1500, 9500, 6]);
  });

  it('count in an open loop the latency of what began in the window', async () => {
    const rows: Row[] = [
      { atMs: 1100, latencyMs: 500 },
      { atMs: 11_400, latencyMs: 600 },
    ];
    const open = await only({ 'a.csv': runnerFile(rows) }, { open: true });
    expect([open.requests, open.sums.count, open.sums.maxUs]).toEqual([1, 1, 600_000]);
    const closed = await only({ 'a.csv': runnerFile(rows) });
    expect([closed.requests, closed.sums.count, closed.sums.maxUs]).toEqual([1, 1, 500_000]);
  });

  it('tell errors by kind, and routes by their names', async () => {
    const block = await only({
      'a.csv': runnerFile([
        { atMs: 2000, name: 'GET /a?x=1,2' },
        { atMs: 2000, name: 'GET /b', status: 503, errorCode: 1503 },
        { atMs: 2000, name: 'GET /b', status: 404, errorCode: 1404 },
        { atMs: 2000, name: 'GET /b', status: 0, errorCode: 1050 },
        { atMs: 2000, name: 'GET /b', status: 0, errorCode: 1212 },
        { atMs: 2000, name: 'GET /b', status: 0, errorCode: 1220 },
      ]),
    });
    expect(block.errors).toMatchObject({ total: 5, status5xx: 1, status4xx: 1, timeout: 1, refused: 1, reset: 1, other: 0 });
    expect(block.names.map(({ name, requests, errors }) => [name, requests, errors])).toEqual([
      ['GET /a?x=1,2', 1, 0],
      ['GET /b', 0, 5],
    ]);
  });

  it('make no block that counts where a runner’s is missing, is there twice, began late, ended early, or dropped iterations', async () => {
    const whole = Array.from({ length: 110 }, (_, index): Row => ({ atMs: 100 * (index + 1) }));
    const why = async (contents: Parameters<typeof written>[0]): Promise<string> =>
      k6Measurement(await only(contents), shape, 1)
        .discardReasons.map(findingText)
        .join(' ');
    expect(await why({ 'a.csv': runnerFile(whole) })).toBe('');
    expect(await why({ 'a.csv': runnerFile(whole, { segment: '0:1/2' }) })).toContain('The file of a runner is missing');
    expect(await why({ 'a.csv': runnerFile(whole, { segment: '1/2:1' }) })).toContain('The file of a runner is missing');
    expect(await why({ 'a.csv': runnerFile(whole), 'b.csv': runnerFile(whole) })).toContain('more than once');
    const late = { 'a.csv': runnerFile(whole, { segment: '0:1/2' }), 'b.csv': runnerFile(whole, { segment: '1/2:1', lateMs: 3000 }) };
    expect(await why(late)).toContain('began 3.00 s apart');
    expect(await why({ 'a.csv': runnerFile(whole.slice(0, 50)) })).toContain('ended before the window did');
    const dropped = runnerFile([...whole, { atMs: 5000, metric: 'dropped_iterations', latencyMs: 7 }]);
    expect(await why({ 'a.csv': dropped })).toContain('k6 dropped 7 iterations');
  });

  it('are refused with what is wrong with them and what to do', async () => {
    const good = runnerFile([{ atMs: 2000 }]);
    const packed = gzipSync(good.repeat(50));
    const refused: [Parameters<typeof written>[0], string, RegExp][] = [
      [{ 'a.csv.gz': packed.subarray(0, packed.length - 30) }, 'k6-csv', /cut off in the middle/],
      [{ 'a.csv.gz': Buffer.concat([packed.subarray(0, 40), Buffer.alloc(60, 7)]) }, 'k6-csv', /damaged|cut off/],
      [{ 'a.csv': 'a,b,c\n1,2,3\n' }, 'k6-csv', /does not begin with metric_name/],
      [{ 'a.csv': '' }, 'k6-csv', /is empty/],
      [{ 'a.csv': good.replace(',name,', ',url,') }, 'k6-csv', /has no column name/],
      [{ 'a.csv': good.slice(0, -20) }, 'k6-csv', /last row is cut off/],
      [{ 'a.csv': good.replace(/,(\d{10})\d{6},/g, ',$1,') }, 'k6-csv', /not in microseconds/],
      [{ 'a.csv': `${header}\n${row(0, { atMs: 1 })}\n` }, 'k6-csv', /no rows of the exported script/],
      [{ 'a.csv': good.replace(/1\.000000,/, 'NaN,') }, 'k6-csv', /is no number/],
      [{ 'a.csv': `${good}${'x'.repeat(70_000)}` }, 'k6-csv', /a row of more than/],
      [{ 'a.csv': `${good}${'x'.repeat(70_000)}\n` }, 'k6-csv', /a row of more than/],
      [{ 'a.csv': good.replaceAll('abcd.0', 'efgh.0') }, 'k6-files', /is of the export efgh/],
      [{ 'a.csv': good.replaceAll('abcd.0', 'abcd.9') }, 'k6-files', /a test that the plan does not have/],
      ...['-5.000000', '100000000000000000000', '9'.repeat(400)].map((value): [Record<string, string>, string, RegExp] => [
        { 'a.csv': good.replace(/(http_req_duration,\d+,)[\d.]+/, `$1${value}`) },
        'k6-csv',
        /a value that nothing takes/,
      ]),
      [{ 'a.csv': `${good}${(good.split('\n')[1] ?? '').replace('abcd.0', 'abcd.1')}\n` }, 'k6-files', /rows of several tests/],
      [{ 'a.csv': `${good}http_req_duration,1\n` }, 'k6-csv', /too few fields/],
    ];
    for (const [contents, code, message] of refused) {
      const failed = await failureOf(() => read(contents));
      expect([failed.code, failed.message], String(message)).toEqual([code, expect.stringMatching(message)]);
      expect(failed.message).toContain('a.csv');
      expect(failed.cure).not.toBe('');
    }
    expect(await failureOf(() => readK6Blocks({ ...reading, files: [{ path: '/nowhere/x.csv', name: 'x.csv' }] }))).toMatchObject({
      code: 'k6-csv',
    });
  });

  it('have fields in quotes with commas, quotes and nothing in them', () => {
    const field = fc.string({ unit: fc.constantFrom('a', ',', '"', ' ', 'é') });
    fc.assert(
      fc.property(fc.array(field, { minLength: 1 }), (fields) => {
        const line = fields.map((text) => (/[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)).join(',');
        expect(csvFields(line)).toEqual(fields);
      }),
    );
  });
});

it('a plan is none whose rounds are more than its tests could be', () => {
  const { tests } = k6PlanSchema.shape;
  expect(tests.safeParse([{ round: 20_000, trial: 0, seed: 1 }]).success).toBe(true);
  expect(tests.safeParse([{ round: 1_000_000_000, trial: 0, seed: 1 }]).success).toBe(false);
});

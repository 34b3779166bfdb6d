import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SampleName, labNames, ownSessions } from '../support/samples.ts';
import { slowHalf } from '../support/testTags.ts';
import { Twins, comparable, json, refusal } from '../support/twins.ts';
import { waitFor } from '../support/waitFor.ts';

// The lab’s pool libraries, and settings that cannot be used.

const twins = new Twins(labNames);
const { stack } = twins;

beforeAll(() => twins.start(), 40_000);
afterAll(() => twins.stop(), 20_000);

describe('pool libraries', () => {
  const quick: [SampleName, string][] = [
    ['lab-node', 'pg-promise'],
    ['lab-java', 'pgjdbc'],
  ];
  const others: [SampleName, string][] = [
    ['lab-node', 'sequelize'],
    ['lab-java', 'dbcp2'],
  ];
  it.each(quick)('answer alike: %s, %s', answersAlike);
  it.each(others)('answer alike: %s, %s', slowHalf, answersAlike);

  async function answersAlike(name: SampleName, library: string): Promise<void> {
    await stack.applyPrepare();
    const other = await stack.app(name, { DB_POOL_LIBRARY: library, DB_POOL_SIZE: '2', DB_POOL_TIMEOUT_MS: '400' });
    for (const target of [
      '/ads/6',
      '/ads?category=7&limit=20',
      '/ads/500/similar',
      '/report?category=2',
      '/reviews',
      '/nested?id=9',
      '/wait?ms=3',
    ]) {
      expect(comparable(await other.ask(target))).toEqual(comparable(await twins.first.ask(target)));
    }
    const counted = await Promise.all(Array.from({ length: 6 }, () => other.ask('/counters/3', { method: 'POST' })));
    expect(counted.map((answer) => (JSON.parse(answer.text) as { value: number }).value).sort()).toEqual([1, 2, 3, 4, 5, 6]);
    const unknown = await other.ask('/ads', json({ title: 'A', description: '', categoryId: 4711, sellerId: 1, priceCents: 1 }));
    expect(refusal(unknown)).toEqual([400, 'categoryId or sellerId is unknown']);
    // Two connections, both held for longer than the third request waits.
    const held = [1, 2].map(() => other.ask('/wait?ms=1500'));
    await waitFor(async () => (await waiting()) === 2, { what: 'two statements wait' });
    expect(refusal(await other.ask('/ads/1'))).toEqual([503, 'the database is not available']);
    expect((await Promise.all(held)).map((answer) => answer.status)).toEqual([200, 200]);
    expect((await other.ask('/ads/1')).status).toBe(200);
    await other.stop();
  }

  async function waiting(): Promise<number> {
    const rows = await stack.query(`SELECT 1 FROM pg_stat_activity WHERE ${ownSessions} AND wait_event = 'PgSleep'`);
    return rows.length;
  }
});

describe.each(labNames)('settings of the workloads of %s', (name) => {
  it.each([
    ['SEARCH_IN', 'elsewhere'],
    ['SEARCH_WORKERS', '0'],
    ['DOCUMENT_STORE_URL', 'ftp://secret@127.0.0.1'],
    ['DOCUMENT_STORE_DB', 'a/b'],
    ['DOCUMENT_POOL_SIZE', '1001'],
    ['DB_POOL_LIBRARY', 'none'],
    ...(name === 'lab-java' ? [['DOCUMENT_CLIENT', 'neither']] : []),
  ] as [string, string][])('exits with 1 and one line when %s is %s', async (variable, value) => {
    const child = await stack.launch(name, { [variable]: value });
    expect(await child.exited).toEqual({ code: 1, signal: null });
    await waitFor(() => child.log.text().endsWith('\n'), { what: 'the line' });
    const lines = child.log.text().trimEnd().split('\n');
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain(variable);
    expect(lines[0]).not.toContain('secret');
  });
});

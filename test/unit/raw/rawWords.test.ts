import { describe, expect, it } from 'vitest';
import { parsedCommand } from '../../support/parsedCommand.ts';
import { rawDocument, sqlDocument } from '../../../src/extension/raw/rawDocument.ts';
import { FailureError } from '../../../src/model/domain/failure.ts';
import type { RawResult, RawRun } from '../../../src/model/domain/rawSample.ts';
import { exampleRunId } from '../../support/runRecords.ts';

const run: RawRun = {
  runId: exampleRunId,
  title: 'Pool size\nof Node',
  startedAt: '2026-01-02T03:04:05.000Z',
  bytes: 4000,
  record: {
    share: 0.1,
    maxRows: 1000,
    timing: true,
    file: 'raw-samples.bin',
    rows: 1000,
    droppedRows: 3,
    unfinished: 0,
    full: true,
    problem: null,
    costs: [],
    proxyLogs: [],
  },
};
const result: RawResult = {
  sql: 'SELECT * FROM raw.by_route WHERE run = 3 ORDER BY trial, route LIMIT 1000',
  columns: [
    { name: 'route', numeric: false },
    { name: 'requests', numeric: true },
  ],
  rows: [
    ['GET /ads/:id', '1234'],
    ['GET /evil\u202e\u001b[31m', null],
  ],
  more: true,
};

describe('the page of a query', () => {
  const page = rawDocument(run, 'by_route', result, ['The database holds at most 20 runs.']);

  it('has the statement that can be copied, and the rows in columns with figures to the right', () => {
    expect(page).toContain(`\n${result.sql};\n`);
    expect(page).toContain('\nroute           requests\n');
    expect(page).toContain('\nGET /ads/:id        1234\n');
  });

  it('says what is missing: the share, the bound, what the disk was too slow for, and that there are more rows', () => {
    for (const words of [
      '10 % of the requests',
      'No more than 1,000 were to be kept',
      '3 requests were not kept',
      'at most 20 runs',
      'The first 2 rows; there are more.',
    ])
      expect(page).toContain(words);
  });

  it('keeps every cell and title to its line, without characters that change how others are shown', () => {
    expect(page).toContain('-- Pool size of Node (');
    expect(page).not.toMatch(/[\u202e\u001b]/);
    expect(page.split('\n').filter((line) => line.startsWith('GET '))).toHaveLength(2);
  });

  it('says so when nothing happened', () => {
    expect(rawDocument(run, 'errors', { ...result, rows: [], more: false }, [])).toContain('No rows: nothing of the kind happened.');
  });

  it('shows no password beside its statement', () => {
    expect(sqlDocument('SELECT 1', 'postgres://postgres:secret@127.0.0.1:5555/benchside_raw')).not.toContain('secret');
  });
});

describe('the command line', () => {
  it('asks for raw samples of all requests, or of a share', () => {
    const raw = (...words: string[]): unknown => (parsedCommand(['run', '-t', 'node', ...words])['request'] as { raw?: unknown }).raw;
    expect(raw()).toBeUndefined();
    expect(raw('--raw')).toEqual({ share: 1, maxRows: 2_000_000, timing: true });
    expect(raw('--raw=10%')).toMatchObject({ share: 0.1 });
    expect(raw('--raw=0.25')).toMatchObject({ share: 0.25 });
    for (const share of ['--raw=0', '--raw=2', '--raw=150%', '--raw=all']) expect(() => raw(share)).toThrow(FailureError);
  });

  it('understands list, load, query and export, and says what is missing otherwise', () => {
    expect(parsedCommand(['raw'])).toMatchObject({ name: 'raw list', action: 'list' });
    expect(parsedCommand(['raw', 'query', 'last', 'where-time-goes', '--limit', '5'])).toMatchObject({
      action: 'query',
      run: 'last',
      view: 'where_time_goes',
      limit: 5,
    });
    expect(parsedCommand(['raw', 'export', 'last', '-o', 'a.parquet'])).toMatchObject({ action: 'export', format: 'parquet' });
    expect(parsedCommand(['raw', 'export', 'last', '-o', 'a.txt', '--format', 'csv'])).toMatchObject({ format: 'csv' });
    for (const [words, message] of [
      [['sing'], 'list, load, query or export'],
      [['load'], 'missing required argument “run”'],
      [['load', 'last', 'more'], 'too many arguments'],
      [['query', 'last'], 'missing required argument “view”'],
      [['query', 'last', 'everything'], 'choose one of by_second'],
      [['query', 'last', 'errors', '--limit', '99999'], 'between 1 and 10000'],
      [['export', 'last'], 'needs a file'],
      [['export', 'last', '-o', 'a.txt'], 'csv or parquet'],
    ] as const)
      expect(() => parsedCommand(['raw', ...words])).toThrow(message);
  });
});

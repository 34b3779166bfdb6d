import { describe, expect, it } from 'vitest';
import { csvFile } from '../../../src/engine/raw/csvFile.ts';
import { parquetFile } from '../../../src/engine/raw/parquetFile.ts';
import type { RawRow } from '../../../src/engine/raw/rawFile.ts';
import { readParquet } from '../../support/readParquet.ts';

const startedUs = Date.UTC(2026, 0, 2, 3, 4, 5, 678) * 1000 + 901;

function row(changes: Partial<RawRow> = {}): RawRow {
  return {
    trialKey: 'node|pool=4|c=8',
    block: 1,
    id: 'r-1-1',
    startedUs,
    route: 'GET /ads/:id',
    status: 200,
    bytes: 312,
    latencyUs: 1250,
    error: null,
    counted: true,
    timed: true,
    proxyUs: null,
    upstreamUs: null,
    appUs: 1000,
    poolUs: 0,
    dbUs: 500,
    ...changes,
  };
}

describe('an export to CSV', () => {
  it('has a line of names and a line a request, with empty cells where nothing is known', () => {
    const [names, first, ...rest] = Buffer.concat([csvFile.begin(), csvFile.rows([row()]), csvFile.end()])
      .toString()
      .split('\r\n');
    expect(names).toBe(
      'trial,block,id,started_at,route,status,bytes,latency_us,error,counted,timed,proxy_us,upstream_us,app_us,pool_us,db_us',
    );
    expect(first).toBe('node|pool=4|c=8,1,r-1-1,2026-01-02T03:04:05.678901Z,GET /ads/:id,200,312,1250,,true,true,,,1000,0,500');
    expect(rest).toEqual(['']);
  });

  it('keeps commas and quotes in one cell, and lets no spreadsheet take a text for a formula', () => {
    const text = csvFile.rows([row({ route: 'GET /a,"b"' }), row({ trialKey: '=cmd()' })]).toString();
    expect(text).toContain('"GET /a,""b"""');
    expect(text).toContain("\r\n'=cmd(),");
  });
});

describe('an export to Parquet', () => {
  it('gives back every value and every gap, over several row groups', async () => {
    const rows = Array.from({ length: 1003 }, (_, index) =>
      row({
        id: `r-1-${index.toString(36)}`,
        startedUs: startedUs + index,
        status: index % 7 === 0 ? null : 200,
        error: index % 7 === 0 ? 'reset' : null,
        bytes: index * 5_000_000,
        timed: index % 3 === 0,
        dbUs: index % 2 === 0 ? null : index,
        route: index % 5 === 0 ? 'GET /größe' : 'GET /ads/:id',
      }),
    );
    const file = parquetFile({ title: 'Pool size, größer' }, 250);
    const bytes = Buffer.concat([
      file.begin(),
      ...[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((part) => file.rows(rows.slice(part * 100, part * 100 + 100))),
      file.end(),
    ]);
    const read = await readParquet(bytes);
    expect(read.groups).toBe(4);
    expect(read.metadata).toEqual({ title: 'Pool size, größer' });
    expect(read.rows).toEqual(
      rows.map((one) => ({
        trial: one.trialKey,
        block: 1,
        id: one.id,
        started_at: one.startedUs,
        route: one.route,
        status: one.status,
        bytes: one.bytes,
        latency_us: 1250,
        error: one.error,
        counted: true,
        timed: one.timed,
        proxy_us: null,
        upstream_us: null,
        app_us: 1000,
        pool_us: 0,
        db_us: one.dbUs,
      })),
    );
  });

  it('is a file that can be read when there are no rows', async () => {
    const file = parquetFile({});
    expect((await readParquet(Buffer.concat([file.begin(), file.end()]))).rows).toEqual([]);
  });
});

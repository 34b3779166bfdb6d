import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parseServerTiming, serverTimingOf } from '../../../src/engine/load/raw/serverTiming.ts';
import { ProxyTimes } from '../../../src/engine/raw/proxyTimes.ts';
import { removeTemporaryFolders, temporaryFolder } from '../../support/engine.ts';
import { allRows, rawCommand, writeBlock } from '../../support/rawFiles.ts';

afterAll(removeTemporaryFolders);

describe('Server-Timing', () => {
  it('is read to the microsecond, in whatever order and company', () => {
    expect(parseServerTiming('app;dur=1.234, pool;dur=0.1, db;dur=0.9')).toEqual({ appUs: 1234, poolUs: 100, dbUs: 900 });
    expect(parseServerTiming('cache;desc="hit, db;dur=7", db;desc="x";dur="2.5", App;dur=3')).toMatchObject({ appUs: 3000, poolUs: null });
  });

  it('tells nothing where there is nothing, or no number', () => {
    expect(parseServerTiming('')).toEqual({ appUs: null, poolUs: null, dbUs: null });
    expect(parseServerTiming('app;dur=fast, pool, db;dur=-1')).toEqual({ appUs: null, poolUs: null, dbUs: null });
  });

  it('is found among headers by its name in any case, and joined when it comes twice', () => {
    expect(serverTimingOf(['Content-Type', 'a', 'server-timing', 'app;dur=1', 'Server-Timing', 'db;dur=2'])).toBe('app;dur=1, db;dur=2');
    expect(serverTimingOf(['Content-Type', 'a'])).toBeNull();
  });
});

describe('the times at a proxy', () => {
  it('are joined to all requests by their ids, across blocks', async () => {
    const folder = temporaryFolder('raw');
    const file = path.join(folder, 'raw-samples.bin');
    await writeBlock(rawCommand(file), 3000);
    await writeBlock(rawCommand(file, { idPrefix: 'run1-2', block: 2 }), 3000);
    const log = path.join(folder, 'proxy-access.log');
    const lines = ['run1-1', 'run1-2'].flatMap((prefix, block) =>
      Array.from({ length: 3000 }, (_, index) =>
        JSON.stringify({ id: `${prefix}-${(index + 1).toString(36)}`, request_time: 0.002 + block, upstream_response_time: '0.001' }),
      ),
    );
    writeFileSync(log, `${lines.reverse().join('\n')}\n`);
    const proxy = await ProxyTimes.read([log]);
    const rows = await allRows(file, proxy);
    expect(proxy.lines).toBe(6000);
    expect(rows).toHaveLength(6000);
    expect(rows.every(({ proxyUs, upstreamUs, block }) => proxyUs === 2000 + (block - 1) * 1_000_000 && upstreamUs === 1000)).toBe(true);
  });

  it('are bounded in memory, whatever the ids are', async () => {
    const log = path.join(temporaryFolder('raw'), 'proxy-access.log');
    const ids = Array.from({ length: 40 }, (_, index) => `block${index}-zzzzz`);
    writeFileSync(log, [...ids, 'mine-1'].map((id) => JSON.stringify({ id, request_time: 0.001 })).join('\n'));
    const proxy = await ProxyTimes.read([log]);
    expect(proxy.find('mine', 1)).toEqual({ requestUs: 1000, upstreamUs: null });
    expect(proxy.lines).toBe(1);
  });

  it('add up what several tried servers took, and pass over what is no line of a request', async () => {
    const log = path.join(temporaryFolder('raw'), 'proxy-access.log');
    const lines = [
      '{"id":"a-1","request_time":"0.010","upstream_response_time":"0.004, 0.005"}',
      '{"id":"a-2","request_time":0.01,"upstream_response_time":"-"}',
    ];
    writeFileSync(
      log,
      [
        ...lines,
        'not JSON',
        '{"id":"","request_time":1}',
        '{"id":"-","request_time":1}',
        '{"id":"a-zzzzzzzzzz","request_time":1}',
        '[]',
        '{"id":"a-3"}',
      ].join('\n'),
    );
    const proxy = await ProxyTimes.read([log]);
    expect(proxy.find('a', 1)).toEqual({ requestUs: 10_000, upstreamUs: 9000 });
    expect(proxy.find('a', 2)).toEqual({ requestUs: 10_000, upstreamUs: null });
    expect(proxy.find('a', 3)).toBeNull();
    expect(proxy.lines).toBe(2);
  });
});

import { appendFileSync, existsSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { RawBlock } from '../../../src/engine/load/raw/rawBlock.ts';
import { frameHeadBytes, isKept, prefixHash, requestId, rowLayout } from '../../../src/engine/load/raw/rawFormat.ts';
import { RawSink } from '../../../src/engine/load/raw/rawSink.ts';
import { failureOf, removeTemporaryFolders, temporaryFolder } from '../../support/engine.ts';
import { allRows, exampleEnding, exampleMix, rawCommand, writeBlock } from '../../support/rawFiles.ts';

afterAll(removeTemporaryFolders);

function newFile(): string {
  return path.join(temporaryFolder('raw'), 'raw-samples.bin');
}

describe('the file of raw samples', () => {
  it('gives back what was written, block after block', async () => {
    const file = newFile();
    const before = Date.now();
    await writeBlock(rawCommand(file), 3);
    const second = await writeBlock(rawCommand(file, { idPrefix: 'run1-2', block: 2, trialKey: 'node|pool=8|c=8' }), 2, (index) =>
      index === 0
        ? { status: 503, error: 'status5xx', timed: false, serverTiming: null }
        : { status: 0, error: 'timeout', counted: false, timed: false, bytes: 0, serverTiming: null },
    );
    expect(second).toEqual({ rows: 2, droppedRows: 0, unfinished: 0, full: false, problem: null });
    const rows = await allRows(file);
    expect(rows.map(({ id }) => id)).toEqual(['run1-1-1', 'run1-1-2', 'run1-1-3', 'run1-2-1', 'run1-2-2']);
    const { startedUs, ...first } = rows[0] ?? { startedUs: 0 };
    expect(Math.abs(startedUs / 1000 - before)).toBeLessThan(5000);
    expect(first).toEqual({
      trialKey: 'node|pool=4|c=8',
      block: 1,
      id: 'run1-1-1',
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
      poolUs: 250,
      dbUs: 500,
    });
    expect(rows[3]).toMatchObject({
      trialKey: 'node|pool=8|c=8',
      block: 2,
      status: 503,
      error: 'status5xx',
      counted: true,
      timed: false,
      appUs: null,
    });
    expect(rows[4]).toMatchObject({ route: 'POST /ads', status: null, error: 'timeout', counted: false });
  });

  it('has routes without the tokens in them', async () => {
    const file = newFile();
    const block = new RawBlock(rawCommand(file), [{ method: 'GET', path: '/items?api_key=Zq8rawCanary5xT&page=2' }]);
    block.ended(block.issue(0), exampleEnding);
    await block.finish();
    expect((await allRows(file))[0]?.route).toBe('GET /items?api_key=[redacted]&page=2');
    expect(readFileSync(file, 'latin1')).not.toContain('Zq8rawCanary5xT');
  });

  it('holds more rows than one frame, in the order in which they ended', async () => {
    const file = newFile();
    const result = await writeBlock(rawCommand(file), 5000);
    const rows = await allRows(file);
    expect(result.rows).toBe(5000);
    expect(rows.map(({ id }) => id)).toEqual(Array.from({ length: 5000 }, (_, index) => requestId('run1-1', index + 1)));
  });

  it('is read up to a frame that was cut short', async () => {
    const file = newFile();
    await writeBlock(rawCommand(file), 3);
    const whole = statSync(file).size;
    await writeBlock(rawCommand(file, { idPrefix: 'run1-2' }), 3);
    truncateSync(file, statSync(file).size - 150);
    expect(statSync(file).size).toBeGreaterThan(whole);
    expect((await allRows(file)).map(({ id }) => id)).toEqual(['run1-1-1', 'run1-1-2', 'run1-1-3']);
  });

  it.each([NaN, Infinity, 1e300, -1e18])('is refused where a request began at no time that there is: %d', async (startUs) => {
    const file = newFile();
    await writeBlock(rawCommand(file), 1);
    const bytes = readFileSync(file);
    const rows = frameHeadBytes + bytes.readUInt32LE(1) + frameHeadBytes;
    bytes.writeDoubleLE(startUs, rows + rowLayout.startUs);
    writeFileSync(file, bytes);
    expect((await failureOf(allRows(file))).code).toBe('raw-damaged');
  });

  it('is refused when something else stands in it', async () => {
    const file = newFile();
    await writeBlock(rawCommand(file), 3);
    appendFileSync(file, 'not a frame of ours, whatever it is');
    expect((await failureOf(allRows(file))).code).toBe('raw-damaged');
  });
});

describe('keeping requests', () => {
  it('stops at the most rows that were asked for and says so', async () => {
    const file = newFile();
    expect(await writeBlock(rawCommand(file, { maxRows: 10 }), 25)).toEqual({
      rows: 10,
      droppedRows: 0,
      unfinished: 0,
      full: true,
      problem: null,
    });
    expect(await allRows(file)).toHaveLength(10);
  });

  it('counts what was still under way', async () => {
    const block = new RawBlock(rawCommand(newFile()), exampleMix);
    const tag = block.issue(0);
    block.issue(0);
    block.issue(1);
    block.ended(tag, exampleEnding);
    expect(await block.finish()).toMatchObject({ rows: 1, unfinished: 2 });
  });

  it('asks for the app’s times only of requests that are kept, and gives an id to all', () => {
    const block = new RawBlock(rawCommand(newFile(), { share: 0.5 }), exampleMix);
    const tags = Array.from({ length: 200 }, () => block.issue(0));
    for (const tag of tags) {
      expect(block.headerText(tag)).toContain(`X-Request-Id: run1-1-${tag.sequence.toString(36)}\r\n`);
      expect(block.headerText(tag).includes('X-Server-Timing: 1\r\n')).toBe(tag.kept);
      expect(block.headerList(tag).includes('X-Server-Timing')).toBe(tag.kept);
    }
    return block.finish();
  });

  it.skipIf(!existsSync('/dev/full'))('says that the disk is full, and throws nothing', async () => {
    const result = await writeBlock(rawCommand('/dev/full'), 5000);
    expect(result).toMatchObject({ rows: 0, droppedRows: 5000, problem: 'The disk is full.' });
  });

  it('says why a file cannot be made', async () => {
    const result = await writeBlock(rawCommand('/nonexistent/raw-samples.bin'), 3);
    expect(result).toMatchObject({ rows: 0, droppedRows: 3 });
    expect(result.problem).toMatch(/^The file of raw samples could not be written: ENOENT/);
  });

  it('lets no more wait for the disk than the buffer holds, and counts the rest', async () => {
    const sink = new RawSink(newFile(), 1000);
    const taken = Array.from({ length: 5 }, () => sink.add(Buffer.alloc(400), 10));
    expect(taken).toEqual([true, true, false, false, false]);
    await sink.close();
    expect(sink.writtenRows).toBe(20);
    expect(sink.problem).toBeNull();
  });
});

describe('the share of requests that is kept', () => {
  it('is told by the id alone, and is as large as asked for', () => {
    for (const share of [0.01, 0.1, 0.5]) {
      const hash = prefixHash('0a1b2c3d4e-f');
      const kept = Array.from({ length: 100_000 }, (_, index) => isKept(hash, index + 1, share)).filter(Boolean).length;
      // Four standard deviations of a binomial.
      expect(Math.abs(kept - 100_000 * share)).toBeLessThan(4 * Math.sqrt(100_000 * share * (1 - share)));
    }
  });

  it('of a smaller one is among that of a larger one', () => {
    const hash = prefixHash('0a1b2c3d4e-f');
    for (let sequence = 1; sequence < 5000; sequence++) if (isKept(hash, sequence, 0.1)) expect(isKept(hash, sequence, 0.3)).toBe(true);
  });
});

describe('the id of a request', () => {
  it('fits 32 characters with the longest prefix, of which it is the beginning', () => {
    const prefix = 'a'.repeat(23);
    const id = requestId(prefix, 10_000_000);
    expect(id.length).toBeLessThanOrEqual(32);
    expect(id).toBe(`${prefix}-5yc1s`);
  });
});

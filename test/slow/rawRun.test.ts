import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { progressOf } from '../../src/model/protocol/progress.ts';
import { rawCostSentence } from '../../src/model/domain/rawSample.ts';
import { appTarget, failureOf, removeTemporaryFolders, temporaryFolder, TestEngine } from '../support/engine.ts';
import { readParquet } from '../support/readParquet.ts';

let engine: TestEngine;
beforeAll(async () => {
  engine = await TestEngine.start({ file: { targets: [appTarget('app', 'steadyService.mjs')] } });
});
afterAll(async () => {
  await engine.dispose();
  removeTemporaryFolders();
});

const slow = 120_000;

describe('a run with raw samples', () => {
  it('keeps them in its folder, tells their cost, and gives them to the database and to files', { timeout: slow }, async () => {
    const run = await engine.run({ targets: ['app'], load: 'brief', raw: {} });
    const runId = run.id;
    const { raw } = run;
    if (raw === undefined) throw new Error('the run has no raw samples');
    expect(raw).toMatchObject({ share: 1, droppedRows: 0, full: false, problem: null });
    expect(run.files.some(({ name, bytes }) => name === raw.file && bytes > raw.rows * 40)).toBe(true);
    expect(readdirSync(path.join(engine.workspaceDir, '.benchside', 'runs', runId))).not.toContain('raw-cost.bin');
    expect(raw.costs.map(({ process }) => process)).toContain('generator');
    for (const cost of raw.costs) expect(rawCostSentence(cost)).toMatch(/µs per request/);

    const { runs } = await engine.request('raw/list', {});
    expect(runs.map((one) => [one.runId, one.record.rows])).toContainEqual([runId, raw.rows]);
    expect((await failureOf(engine.request('raw/query', { runId, view: 'by_route', limit: 5 }))).code).toBe('raw-not-loaded');
    const progress: string[] = [];
    progressOf(engine.client, 'raw', ({ message }) => progress.push(message));
    const loaded = await engine.request('raw/load', { runId });
    expect(loaded).toMatchObject({ rows: raw.rows, already: false });
    expect(progress.at(-1)).toBe(`Loading raw samples: ${raw.rows.toLocaleString('en-US')} of ${raw.rows.toLocaleString('en-US')}`);
    const { rows, columns } = await engine.request('raw/query', { runId, view: 'by_route', limit: 5 });
    const requests = rows.reduce((sum, row) => sum + Number(row[columns.findIndex(({ name }) => name === 'requests')]), 0);
    // Of all blocks: those of a discarded one are kept as well, though its trial does not count them.
    const measured = run.trials.flatMap(({ blocks }) => blocks.map((block) => block.requests));
    expect(requests).toBe(measured.reduce((sum, count) => sum + count, 0));

    const folder = temporaryFolder('export');
    const csv = path.join(folder, 'samples.csv');
    const parquet = path.join(folder, 'samples.parquet');
    // What a cloned folder brings along must not lead the export elsewhere.
    const other = path.join(folder, 'other.txt');
    writeFileSync(other, 'of the user');
    for (const link of [csv, `${csv}.unfinished`]) symlinkSync(other, link);
    expect((await engine.request('raw/export', { runId, format: 'csv', file: csv })).rows).toBe(raw.rows);
    expect(readFileSync(other, 'utf8')).toBe('of the user');
    expect(readFileSync(csv, 'utf8').trimEnd().split('\r\n')).toHaveLength(raw.rows + 1);
    await engine.request('raw/export', { runId, format: 'parquet', file: parquet });
    const read = await readParquet(readFileSync(parquet));
    expect(read.rows).toHaveLength(raw.rows);
    expect(read.metadata['benchside_run']).toBe(runId);
    const missing = path.join(folder, 'missing', 'samples.csv');
    expect((await failureOf(engine.request('raw/export', { runId, format: 'csv', file: missing }))).code).toBe('raw-export');
    expect(existsSync(missing)).toBe(false);
  });

  it('says at the end that it reached its bound, and a run without raw samples says that it has none', { timeout: slow }, async () => {
    const run = await engine.run({ targets: ['app'], load: 'brief', rounds: 1, raw: { maxRows: 25, timing: false } });
    expect(run.raw).toMatchObject({ rows: 25, full: true });
    expect(run.notes).toContainEqual({ code: 'raw-full', rows: 25, most: 25 });
    expect(run.trials[0]?.requests).toBeGreaterThan(25);
    const plain = await engine.run({ targets: ['app'], load: 'brief', rounds: 1 });
    expect(plain.raw).toBeUndefined();
    expect((await failureOf(engine.request('raw/load', { runId: plain.id }))).code).toBe('raw-none');
    const listed = (await engine.request('raw/list', {})).runs.map(({ runId }) => runId);
    expect(listed).toContain(run.id);
    expect(listed).not.toContain(plain.id);
  });
});

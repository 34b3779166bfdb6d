import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findingTexts } from '../../src/model/domain/findings.ts';
import type { RunRecord } from '../../src/model/domain/run.ts';
import type { RunNote } from '../../src/model/domain/runNoteKinds.ts';
import { appTarget, briefLoad, failureOf, removeTemporaryFolders, repositoryDir, temporaryFolder, TestEngine } from '../support/engine.ts';
import { commitFiles, gitRepository } from '../support/gitRepository.ts';
import { longTest, slowHalf } from '../support/testTags.ts';

let engine: TestEngine;
beforeAll(async () => {
  const workspaceDir = temporaryFolder('variants');
  writeFileSync(path.join(workspaceDir, 'numbers.sql'), 'CREATE TABLE numbers AS SELECT n FROM generate_series(1, 2000) n;');
  const service = path.join(repositoryDir, 'test', 'fixtures', 'apps', 'steadyService.mjs');
  const sorting = appTarget('sorting', 'sortingService.cjs', {
    env: { NODE_PATH: path.join(repositoryDir, 'samples', 'node', 'node_modules') },
    ready: { path: '/health' },
    routes: [{ path: '/memory' }, { path: '/sort' }],
    settings: {},
    postgres: { env: { url: 'DATABASE_URL' }, database: 'numbers', sql: ['numbers.sql'] },
  });
  // A script with an opinion of its own, which comes last and therefore holds.
  const opinionated = appTarget('opinionated', 'steadyService.mjs', {
    command: ['sh', '-c', `NODE_OPTIONS="$NODE_OPTIONS --max-semi-space-size=16" exec node ${service}`],
    settings: {},
  });
  engine = await TestEngine.start({ workspaceDir, file: { targets: [appTarget('app', 'steadyService.mjs'), sorting, opinionated] } });
});
afterAll(async () => {
  await engine.dispose();
  removeTemporaryFolders();
});

const slow = 120_000;

function compared({ notes }: RunRecord): Extract<RunNote, { code: 'variant-compared' }>[] {
  return notes.flatMap((note) => (note.code === 'variant-compared' ? [note] : []));
}

describe('values of the catalogue', () => {
  it('of Node are in force in the processes, and are compared with what they cost', { timeout: slow, ...longTest }, async () => {
    const run = await engine.run({
      targets: ['app'],
      load: 'brief',
      settings: { 'node.semi-space': ['16', '64'], 'uv.threads': ['8'] },
      budgetS: 5,
    });
    expect(findingTexts(run.reasons)).toEqual([]);
    expect(run.trials.map(({ settings }) => settings)).toEqual([
      { 'node.semi-space': '16', 'uv.threads': '8' },
      { 'node.semi-space': '64', 'uv.threads': '8' },
    ]);
    expect(run.plan.mode).toBe('process-per-setting');
    expect(run.trials.every(({ startUpMs, memory }) => (startUpMs?.length ?? 0) > 0 && (memory?.afterFullBytes ?? 0) > 0)).toBe(true);
    const [said, ...others] = compared(run);
    expect(others).toEqual([]);
    expect(said).toMatchObject({ base: 'node.semi-space=16', other: 'node.semi-space=64', change: { mean: expect.any(Number) as number } });
    expect(said?.costs.map(({ id }) => id)).toEqual(expect.arrayContaining(['p99', 'cpu', 'heap', 'start-up']));
    // An app that waits 5 ms whatever its young space is: it is no better by it.
    expect(said?.verdict).not.toBe('better');
    expect(run.recommendations).toEqual([]);
  });

  it('that are not in force discard their side, with what the process has instead', { timeout: slow, ...longTest }, async () => {
    const run = await engine.run({ targets: ['opinionated'], load: 'brief', settings: { 'node.semi-space': ['16', '64'] }, budgetS: 5 });
    const [kept, discarded] = run.trials;
    expect(kept?.valid).toBe(true);
    expect(discarded).toMatchObject({
      valid: false,
      blocks: [],
      reasons: [{ code: 'value-not-in-force', setting: 'node.semi-space', value: '64', seen: '16 MiB' }],
    });
    expect(compared(run)).toMatchObject([{ verdict: 'unknown', change: null, costs: [] }]);
  });

  it(
    'of PostgreSQL hold in the sessions of their side alone, in the same database; different answers are told first',
    { timeout: slow, ...longTest },
    async () => {
      const run = await engine.run({
        targets: ['sorting'],
        load: 'brief',
        settings: { 'postgres.work_mem': ['4MB', '65536kB'] },
        budgetS: 5,
      });
      expect(findingTexts(run.reasons)).toEqual([]);
      expect(run.trials.map(({ valid }) => valid)).toEqual([true, true]);
      // The service answers with what its own sessions are shown: 4MB and 64MB.
      expect(run.notes[0]).toMatchObject({ code: 'sides-answer-otherwise', routes: [{ route: 'GET /memory', what: 'bytes' }] });
      expect(run.notes[1]).toMatchObject({ code: 'variant-compared', base: 'postgres.work_mem=4MB' });
    },
  );

  it(
    'of SQL: a file is run in the copy of its side alone, and the other side has a copy as it is',
    { timeout: slow, ...longTest },
    async () => {
      const file = path.join(temporaryFolder('variant-sql'), 'fewer.sql');
      writeFileSync(file, 'DELETE FROM numbers WHERE n > 100;');
      const run = await engine.run({ targets: ['sorting'], load: 'brief', route: '/sort', settings: { sql: ['none', file] }, budgetS: 5 });
      expect(findingTexts(run.reasons)).toEqual([]);
      expect(run.trials.map(({ valid }) => valid)).toEqual([true, true]);
      expect(run.notes[0]).toMatchObject({
        code: 'sides-answer-otherwise',
        // [{"count":2000}] and [{"count":100}]
        routes: [{ route: 'GET /sort', what: 'bytes', before: 16, after: 15 }],
      });
      expect(run.notes).toContainEqual(expect.objectContaining({ code: 'sql-of-side', file: 'fewer.sql', database: 'numbers' }));
      expect(
        await failureOf(engine.run({ targets: ['sorting'], load: 'brief', settings: { sql: ['none', `${file}.not`] } })),
      ).toMatchObject({
        code: 'sql-missing',
      });
    },
  );

  it('of SQL hold at each start of a process that connects with its first request', { timeout: slow, ...longTest }, async () => {
    const file = path.join(temporaryFolder('variant-starts'), 'index.sql');
    writeFileSync(file, 'CREATE INDEX ON numbers (n);');
    const sides = { sql: ['none', file] };
    const run = await engine.run({
      targets: ['sorting'],
      load: 'brief',
      route: '/sort',
      settings: sides,
      mode: 'restart-per-block',
      rounds: 5,
      budgetS: 5,
    });
    expect(run.plan.mode).toBe('restart-per-block');
    expect(run.trials.map(({ valid, blocks }) => [valid, blocks.length])).toEqual([
      [true, 5],
      [true, 5],
    ]);
  });

  it(
    'of distance: each statement takes so much longer, and what the proxies of both sides cost is told',
    { ...slowHalf, timeout: slow },
    async () => {
      const run = await engine.run({ targets: ['sorting'], load: 'brief', route: '/memory', settings: { rtt: ['0', '4ms'] }, budgetS: 5 });
      expect(findingTexts(run.reasons)).toEqual([]);
      expect(run.trials.map(({ valid, settings }) => [valid, settings])).toEqual([
        [true, { rtt: '0ms' }],
        [true, { rtt: '4ms' }],
      ]);
      const [near, far] = run.trials.map(({ latencyMs }) => latencyMs?.min ?? 0);
      expect(near).toBeLessThan(4);
      expect(far).toBeGreaterThan(4);
      expect(run.trials[0]?.distance).toEqual({ rttMs: 0, lastedMs: 0 });
      expect(run.trials[1]?.distance?.rttMs).toBe(4);
      expect(run.trials[1]?.distance?.lastedMs).toBeGreaterThanOrEqual(4);
      const costs = run.notes.flatMap((note) => (note.code === 'distance-cost' ? [note] : []));
      expect(costs.map(({ rttMs }) => rttMs).sort()).toEqual([0, 4]);
      for (const { cpuUsPerMessage, messages } of costs) expect(Math.min(cpuUsPerMessage, messages)).toBeGreaterThan(0);
      expect(compared(run)).toMatchObject([{ base: 'rtt=0ms', other: 'rtt=4ms' }]);
    },
  );

  it('of rows: the statements that grow are named, with how', { timeout: slow, ...longTest }, async () => {
    const run = await engine.run({ targets: ['sorting'], load: 'brief', route: '/sort', settings: { rows: ['1x', '10x'] }, budgetS: 5 });
    expect(findingTexts(run.reasons)).toEqual([]);
    expect(run.notes).toContainEqual(expect.objectContaining({ code: 'rows-grown', database: 'numbers', factor: 10, rows: 20_000 }));
    const grown = run.notes.flatMap((note) => (note.code === 'statements-grow' ? [note] : []));
    expect(grown).toMatchObject([
      { base: 'rows=1x', other: 'rows=10x', factor: 10, statements: [{ scans: [{ table: 'numbers', scans: ['Seq Scan'] }] }] },
    ]);
    // A sort: in proportion or a little more.
    expect(grown[0]?.statements[0]?.kind).toMatch(/^(worse than )?linear$/);
  });

  it('that PostgreSQL has for the whole server only, or does not take, are refused with what to do', { timeout: slow }, async () => {
    const refused = (settings: Record<string, string[]>): Promise<unknown> =>
      failureOf(engine.run({ targets: ['sorting'], load: 'brief', settings, budgetS: 5 }));
    expect(await refused({ 'postgres.shared_buffers': ['16MB', '64MB'] })).toMatchObject({
      code: 'variant-database',
      message: expect.stringContaining('postmaster') as string,
    });
    expect(await refused({ 'postgres.work_mem': ['4MB', 'much'] })).toMatchObject({ code: 'variant-database' });
    expect(await refused({ 'postgres.work_men': ['4MB', '8MB'] })).toMatchObject({ code: 'variant-database' });
  });

  it('of a JVM are in force in it', { timeout: slow, ...slowHalf }, async () => {
    const run = await engine.run({
      targets: ['java'],
      load: 'brief',
      route: '/hello',
      settings: { 'jvm.gc': ['Serial', 'Parallel'], 'jvm.heap': ['128m'] },
      budgetS: 5,
    });
    expect(findingTexts(run.reasons)).toEqual([]);
    expect(run.plan.commands[run.trials[1]?.key ?? '']?.argv).toEqual(expect.arrayContaining(['-XX:+UseParallelGC', '-Xmx128m']));
    expect(compared(run)).toMatchObject([{ base: 'jvm.gc=Serial', other: 'jvm.gc=Parallel' }]);
  });

  it('that are written otherwise and mean the same are refused as copies', async () => {
    expect(await failureOf(engine.run({ targets: ['app'], load: 'brief', settings: { 'node.heap': ['1g', '1024m'] } }))).toMatchObject({
      code: 'setting-value',
      message: expect.stringContaining('1024m stands there twice') as string,
    });
  });
});

describe('versions of the code', () => {
  const answering = (word: string): string =>
    `const pool = process.env.POOL;
     require('node:http').createServer((_, response) => response.end(JSON.stringify({ word: '${word}', pool }))).listen(process.env.PORT);`;
  const target = {
    id: 'words',
    runtime: 'node',
    command: ['node', 'server.js'],
    routes: [{ path: '/' }],
    build: [],
    settings: { pool: { min: 1, max: 9, default: 1, env: 'POOL' } },
  };
  /** A service with two commits, and its engine. */
  async function withVersions(work: (own: TestEngine) => Promise<void>): Promise<void> {
    const workspaceDir = gitRepository({
      'benchside.json': JSON.stringify({ targets: [target], loadProfiles: [briefLoad] }),
      '.gitignore': '.benchside\n',
      'server.js': answering('first'),
    });
    commitFiles(workspaceDir, { 'server.js': answering('other') }, 'second');
    const own = await TestEngine.start({ workspaceDir });
    try {
      await work(own);
    } finally {
      await own.dispose();
    }
  }

  it('are sides like other values, each with each of those', { timeout: slow, ...slowHalf }, async () => {
    await withVersions(async (own) => {
      const settings = { code: ['HEAD~1', 'HEAD'], pool: [4, 8] };
      const run = await own.run({ targets: ['words'], load: briefLoad.name, settings, budgetS: 5 });
      expect(findingTexts(run.reasons)).toEqual([]);
      expect(run.trials.map((trial) => trial.settings)).toEqual([
        { code: 'HEAD~1', pool: 4 },
        { code: 'HEAD~1', pool: 8 },
        { code: 'HEAD', pool: 4 },
        { code: 'HEAD', pool: 8 },
      ]);
      const differing = run.notes.flatMap((note) => (note.code === 'sides-answer-otherwise' ? note.routes : []));
      expect(differing.map(({ first }) => first)).toEqual([
        { place: '$.pool', before: '"4"', after: '"8"' },
        { place: '$.word', before: '"first"', after: '"other"' },
        { place: '$.word', before: '"first"', after: '"other"' },
      ]);
    });
  });

  it('are refused where Git knows none of that name', { timeout: slow }, async () => {
    await withVersions(async (own) => {
      const asked = own.run({ targets: ['words'], load: briefLoad.name, settings: { code: ['HEAD', 'nowhere'] } });
      expect(await failureOf(asked)).toMatchObject({ code: 'unknown-version', message: expect.stringContaining('nowhere') as string });
    });
  });
});

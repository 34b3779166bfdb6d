import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { machineResolutionSchema } from '../../src/model/domain/machineFacts.ts';
import { processIdentity, processStat } from '../../src/engine/supervise/identity.ts';
import {
  appTarget,
  cookieOf,
  engineProcesses,
  removeTemporaryFolders,
  repositoryDir,
  temporaryFolder,
  untilGone,
  writeWorkspaceFile,
} from '../support/engine.ts';
import { exampleRun } from '../support/runRecords.ts';
import { waitFor } from '../support/waitFor.ts';
import { longTest, slowHalf } from '../support/testTags.ts';

const slow = 90_000;
let workspaceDir: string;
let storageDir: string;

beforeAll(() => {
  workspaceDir = temporaryFolder('workspace');
  storageDir = temporaryFolder('storage');
  writeWorkspaceFile(workspaceDir, {
    targets: [
      appTarget('good', 'steadyService.mjs'),
      appTarget('broken', 'exitsAtOnce.mjs'),
      appTarget('dying', 'diesAfter.mjs', { env: { REQUESTS: '300' } }),
      appTarget('failing', 'steadyService.mjs', { routes: [{ path: '/fail', askFirst: false }] }),
      appTarget('narrow', 'steadyService.mjs', { cores: 1 }),
      appTarget('stubborn', 'stubborn.mjs', { stopGraceMs: 20_000 }),
    ],
  });
});
afterAll(removeTemporaryFolders);

interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Starts `benchside` as a user does. */
function launch(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  cwd = workspaceDir,
): { child: ChildProcess; ended: Promise<Ended>; stderr: () => string } {
  const child = spawn(process.execPath, [path.join(repositoryDir, 'dist/cli.cjs'), ...args], {
    cwd,
    env: { ...process.env, BENCHSIDE_STORAGE: storageDir, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, stdout, stderr }));
  return { child, ended, stderr: () => stderr };
}

function benchside(...args: string[]): Promise<Ended> {
  return launch(args).ended;
}

const brief = ['run', '--target', 'good', '--load', 'brief'];

describe('a repository that brings a node of its own', () => {
  const bin = (): string => path.join(workspaceDir, 'node_modules', '.bin');
  const ran = (): string => path.join(workspaceDir, 'ran');
  afterAll(() => rmSync(path.join(workspaceDir, 'node_modules'), { recursive: true, force: true }));

  it(
    'has it passed over, before the machine’s on the PATH or where one stands, and that is said',
    { timeout: slow, ...slowHalf },
    async () => {
      mkdirSync(bin(), { recursive: true });
      for (const file of [path.join(bin(), 'node'), path.join(workspaceDir, 'git')])
        writeFileSync(file, `#!/bin/sh\necho "$0" >> '${ran()}'\nexit 1\n`, { mode: 0o755 });
      const { code, stderr } = await launch(brief, { PATH: [bin(), '.', '', process.env['PATH'] ?? ''].join(path.delimiter) }).ended;
      rmSync(path.join(workspaceDir, 'git'));
      expect({ code, failure: code === 0 ? '' : stderr }).toEqual({ code: 0, failure: '' });
      expect(existsSync(ran()) ? readFileSync(ran(), 'utf8') : '').toBe('');
      expect(stderr).toContain(`${path.join(bin(), 'node')} belongs to this workspace and is passed over`);
      expect(stderr).toContain(`${path.join(workspaceDir, 'git')} belongs to this workspace and is passed over`);
    },
  );
});

describe('benchside run whose reader leaves after the first words', () => {
  it('stores the run, and ends with what came of it', { timeout: slow }, async () => {
    const workspace = temporaryFolder('left');
    writeWorkspaceFile(workspace, { targets: [appTarget('good', 'steadyService.mjs')] });
    const { child } = launch([...brief, '--rounds', '1'], {}, workspace);
    child.stderr?.once('data', () => {
      child.stdout?.destroy();
      child.stderr?.destroy();
    });
    const [code] = (await once(child, 'exit')) as [number | null];
    expect(code).toBe(0);
    expect(readdirSync(path.join(workspace, '.benchside', 'runs')).filter((name) => !name.startsWith('.'))).not.toEqual([]);
  });
});

describe('benchside run --json', () => {
  it('prints one document with everything that is promised of a run', { timeout: slow }, async () => {
    const { code, stdout, stderr } = await benchside(
      'run',
      '--target',
      'node',
      '--set',
      'pool=2,4',
      '--route',
      '/wait?ms=5',
      '--load',
      'brief',
      '--rounds',
      '2',
      '--json',
    );
    expect({ code, failure: code === 0 ? '' : stderr }).toEqual({ code: 0, failure: '' });
    expect(stdout.trim().split('\n')).toHaveLength(1);
    const number = expect.any(Number) as number;
    // A block that a busy machine spoilt does not count.
    const ofCounted = expect.toSatisfy((all: number[]) => all.length >= 1 && all.length <= 2 && all.every(Number.isFinite)) as number[];
    // Looked at once a second: on a busy machine not within every short block.
    const seldom = expect.toSatisfy((value) => value === null || typeof value === 'number') as number;
    const use = { cpuPercent: number, rssBytes: seldom, cpuUsPerRequest: number };
    const latencyMs = {
      mean: number,
      stddev: number,
      min: number,
      p50: number,
      p75: number,
      p90: number,
      p95: number,
      p99: number,
      p999: number,
      max: number,
    };
    const errors = { total: 0, refused: 0, reset: 0, timeout: 0, status4xx: 0, status5xx: 0, unanswered: 0 };
    const trial = (pool: number): unknown => ({
      target: 'node',
      settings: { pool },
      valid: expect.any(Boolean) as boolean,
      reasons: expect.any(Array) as string[],
      throughput: { mean: number, ciLow: number, ciHigh: number, blocks: ofCounted },
      latencyMs,
      requests: number,
      errors,
      resources: { app: use, postgres: use, generator: use },
    });
    const document = JSON.parse(stdout) as {
      run: {
        id: string;
        valid: boolean;
        reasons: string[];
        trials: { valid: boolean; throughput: { blocks: number[]; ciLow: unknown; ciHigh: unknown }; errors: object }[];
      };
    };
    // One block has no interval. A busy machine may also make a trial invalid, and the run says why: then it may lack all blocks or have left a request unanswered.
    for (const one of document.run.trials.filter(({ valid, throughput }) => valid && throughput.blocks.length === 1))
      one.throughput = { ...one.throughput, ciLow: 0, ciHigh: 0 };
    for (const one of document.run.trials.filter(({ valid }) => !valid)) {
      one.throughput = { ...one.throughput, ciLow: 0, ciHigh: 0, blocks: [0, 0] };
      one.errors = errors;
    }
    expect(document).toMatchObject({
      run: {
        id: expect.stringMatching(/^[a-z0-9]+-[a-f0-9]{24}$/) as string,
        valid: document.run.reasons.length === 0,
        reasons: expect.any(Array) as string[],
        environment: {
          cpuModel: expect.any(String) as string,
          cores: number,
          memoryBytes: number,
          kernel: expect.any(String) as string,
          node: process.versions.node,
          postgres: expect.stringMatching(/^18/) as string,
        },
        trials: [trial(2), trial(4)],
      },
    });
    expect(readdirSync(path.join(workspaceDir, '.benchside', 'runs'))).toContain(document.run.id);
    // Both sizes in slices, or each alone where a machine that paused let one process look stuck.
    expect(stderr).toMatch(/\[\d+\/\d+\] Measuring [^\n]+, round 1 of 2/);
  });

  it('prints the failure as the document when there is no run, and the same for people on standard error', { timeout: slow }, async () => {
    const { code, stdout, stderr } = await benchside('run', '--target', 'broken', '--load', 'brief', '--json');
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      failure: { code: 'target-exited', message: expect.stringContaining('exited with code 3') as string },
    });
    expect(stderr).toContain('configuration missing');
  });
});

describe('a run whose app fails', () => {
  interface Document {
    run: { id: string; trials: { failed?: string; reasons: string[] }[] };
    failures: { kind: string; lastLine: string; log: string }[];
  }
  const named = 'because it %s ends with 1, and names its last line and its log';

  it.each([['ends', 'dying', 'ended', 'fatal: out of handles']])(named, { timeout: slow, ...longTest }, isNamed);
  it.each([['answers with errors', 'failing', 'errors', 'listening with pool 4']])(named, { timeout: slow, ...slowHalf }, isNamed);

  async function isNamed(_how: string, target: string, kind: string, line: string): Promise<void> {
    const { code, stdout, stderr } = await benchside('run', '--target', target, '--load', 'brief', '--rounds', '2', '--json');
    const { run, failures } = JSON.parse(stdout) as Document;
    expect({ code, failures }).toMatchObject({ code: 1, failures: [{ kind, lastLine: line }] });
    expect(run.trials).toMatchObject([{ failed: kind, reasons: expect.arrayContaining([expect.stringContaining(line)]) as string[] }]);
    expect(readFileSync(path.join(workspaceDir, failures[0]?.log ?? ''), 'utf8')).toContain(line);
    expect(stderr).toContain(failures[0]?.log);
  }
});

describe('a run at a fixed rate', () => {
  it('sends so many requests a second, and says how many were late', { timeout: slow, ...slowHalf }, async () => {
    const { code, stdout } = await benchside(...brief, '--rate', '100', '--rounds', '2', '--duration', '1', '--json');
    expect(code).toBe(0);
    const { run } = JSON.parse(stdout) as {
      run: { load: object; trials: { notes: string[]; blocks: { windowMs: number; open: { intended: number; late: number } }[] }[] };
    };
    expect(run.load).toMatchObject({ ratePerS: 100 });
    const [trial] = run.trials;
    expect(trial?.blocks).toHaveLength(2);
    // What was due, whatever the machine did: the window's length may differ from what was asked for, the spacing does not.
    for (const { open, windowMs } of trial?.blocks ?? []) expect(Math.abs(open.intended - windowMs / 10)).toBeLessThanOrEqual(2);
    expect(trial?.notes.join(' ')).toMatch(/100 requests\/s/);
  });
});

describe('a target with a number of cores', () => {
  it('is kept to them, and the run says by what means', { timeout: slow, ...longTest }, async () => {
    const { code, stdout } = await benchside('run', '--target', 'narrow', '--load', 'brief', '--rounds', '1', '--delta', '12.5', '--json');
    expect(code).toBe(0);
    const { run } = JSON.parse(stdout) as { run: { delta: number; notes: string[]; plan: { commands: Record<string, { cpu?: object }> } } };
    expect(run.notes.join(' ')).toMatch(/narrow: each process had at most 1 core, by (a control group|the cores they may run on)\./);
    expect(Object.values(run.plan.commands)).toMatchObject([{ cpu: { cores: 1 } }]);
    // What may be given up is carried by the record of any run.
    expect(run.delta).toBe(0.125);
  });
});

describe('benchside', () => {
  it('shows the answer, the table and the run’s id on a terminal', { timeout: slow, ...longTest }, async () => {
    const { code, stdout } = await benchside(...brief, '--set', 'pool=2,4', '--rounds', '1');
    expect(code).toBe(0);
    expect(stdout).toMatch(/good: pool 2, 4/);
    expect(stdout).toMatch(/─{10}/);
    expect(stdout).toMatch(/Run [a-z0-9]+-[a-f0-9]{24}\n$/);
  });

  it('lists, compares, reports and deletes runs', { timeout: slow, ...slowHalf }, async () => {
    const folder = temporaryFolder('stored');
    const benchsideThere = (...args: string[]): Promise<Ended> => launch(args, {}, folder).ended;
    for (const [index, id] of ['mb2k9x1a-0123456789abcdef01234567', 'mb2k9x1b-89abcdef0123456701234567'].entries()) {
      const at = path.join(folder, '.benchside', 'runs', id);
      mkdirSync(at, { recursive: true });
      writeFileSync(path.join(at, 'run.json'), JSON.stringify(exampleRun({ id, startedAt: `2026-11-20T10:0${index}:00.000Z` })));
    }
    const { runs } = JSON.parse((await benchsideThere('runs', '--json')).stdout) as { runs: { id: string }[] };
    expect(runs).toHaveLength(2);
    const [last, previous] = runs.map(({ id }) => id) as [string, string];
    const [listed, asDocument, asText] = await Promise.all([
      benchsideThere('runs'),
      benchsideThere('compare', 'previous', 'last', '--json'),
      benchsideThere('compare', previous, last),
    ]);
    const lines = listed.stdout.trim().split('\n');
    expect(lines).toHaveLength(runs.length);
    expect(lines[0]?.startsWith(last)).toBe(true);

    expect(asDocument.code).toBe(0);
    expect(JSON.parse(asDocument.stdout)).toMatchObject({ comparison: { a: { id: previous }, b: { id: last } } });
    // The times of two runs of the same distinguish them.
    expect(asText.stdout).toMatch(/ req\/s [^]*\nSetting +\d\d:\d\d(:\d\d)? +\d\d:\d\d(:\d\d)? +change +interval +verdict/);

    const kinds: [file: string, content: RegExp][] = [
      ['report.html', /^<!doctype html>/i],
      ['report.md', /^#/],
      ['report.csv', /^[^\n]*,[^\n]*\n/],
    ];
    const [printed, unwritable, ...reports] = await Promise.all([
      benchsideThere('report', 'last', '--format', 'csv', '--json'),
      benchsideThere('report', 'last', '-o', 'nowhere/report.html'),
      ...kinds.map(([file]) => benchsideThere('report', 'last', '-o', file)),
    ]);
    expect(reports).toMatchObject(kinds.map(() => ({ code: 0, stdout: '' })));
    for (const [file, content] of kinds) expect(readFileSync(path.join(folder, file), 'utf8')).toMatch(content);
    expect(JSON.parse(printed.stdout)).toMatchObject({
      report: { run: last, format: 'csv', text: expect.stringContaining(',') as string },
    });
    expect(unwritable.code).toBe(1);
    expect(unwritable.stderr).toMatch(/could not be written to .*nowhere/);

    expect(JSON.parse((await benchsideThere('delete', last.slice(0, 16), '--json')).stdout)).toEqual({ deleted: last });
    expect((await benchsideThere('report', last)).code).toBe(1);
    expect(JSON.parse((await benchsideThere('runs', '--json')).stdout)).toMatchObject({
      runs: [{ id: previous }],
    });
  });

  it(
    'says whether this machine is ready, what can be benchmarked, and what is damaged in benchside.json',
    { timeout: slow, ...slowHalf },
    async () => {
      const folder = temporaryFolder('damaged');
      writeFileSync(path.join(folder, 'benchside.json'), '{ "targets": [ }');
      // It takes ten seconds of every core, whatever it finds: both at once.
      const [{ stdout }, damaged] = await Promise.all([benchside('check', '--json'), benchside('check', '--workspace', folder, '--lab')]);
      const { resolution, checks, targets } = JSON.parse(stdout) as {
        resolution: { sentence: string };
        checks: { status: string }[];
        targets: { id: string; problem: unknown }[];
      };
      const { measuredS } = machineResolutionSchema.parse(resolution);
      expect(resolution.sentence).toMatch(
        /^As it is now, this machine (can resolve differences above [\d.]+ % within a minute|distinguishes settings only)/,
      );
      expect(measuredS).toBeGreaterThan(9);
      expect(checks.length).toBeGreaterThan(3);
      expect(targets.map(({ id }) => id)).toEqual(['good', 'broken', 'dying', 'failing', 'narrow', 'stubborn', 'node', 'java']);
      expect(damaged.code).toBe(1);
      expect(damaged.stdout).toMatch(/✓ node \(Node\)[^]*✓ lab-node \(Node \(lab\)\)/);
      expect(damaged.stdout).toMatch(/✗ benchside\.json:1:\d+: /);
    },
  );

  it.each([[['walk']], [['run', '--target', 'good', '--rounds', 'many']]])(
    'ends with 2 for wrong usage: %j',
    { timeout: slow },
    wrongUsage,
  );
  it.each([[['run']], [['compare', 'one']], [['runs', '--workspace', '/nowhere/at/all']]])(
    'ends with 2 for wrong usage: %j',
    { timeout: slow, ...slowHalf },
    wrongUsage,
  );
  it('ends with 2 for a target that there is not', { timeout: slow }, () => unknown('target-unknown', 'run', '--target', 'ghost'));
  it.each([
    ['setting-value', ['run', '--target', 'good', '--set', 'pool=abc', '--load', 'brief']],
    ['unknown-load-profile', ['run', '--target', 'good', '--load', 'storm']],
  ] as const)('ends with 2 for %s', { timeout: slow, ...slowHalf }, (code, args) => unknown(code, ...args));

  async function wrongUsage(args: readonly string[]): Promise<void> {
    const { code, stdout, stderr } = await benchside(...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr.split('\n').length).toBeGreaterThanOrEqual(2);
  }

  async function unknown(failureCode: string, ...args: string[]): Promise<void> {
    const { code, stdout } = await benchside(...args, '--json');
    expect({ code, document: JSON.parse(stdout) as unknown }).toMatchObject({ code: 2, document: { failure: { code: failureCode } } });
  }

  it('ends with 1 for a failure, 0 for help', { timeout: slow }, async () => {
    expect((await benchside('compare', 'last', 'nonsense')).code).toBe(1);
    expect(await benchside('--help')).toMatchObject({ code: 0, stdout: expect.stringContaining('Usage: benchside') as string, stderr: '' });
    expect((await benchside('--version')).stdout).toMatch(/^\d+\.\d+\.\d+/);
  });
});

function engineOf({ pid: parent }: ChildProcess): number | undefined {
  return readdirSync('/proc')
    .map(Number)
    .find((pid) => pid > 0 && processStat(pid)?.ppid === parent);
}

/** A run that is under load, with all of its processes. */
async function underLoad(
  ...args: string[]
): Promise<{ running: ReturnType<typeof launch>; processes: ReturnType<typeof engineProcesses> }> {
  const running = launch(args);
  await waitFor(() => running.stderr().includes('Measuring'), { timeoutMs: 40_000, what: 'load' });
  const enginePid = engineOf(running.child) ?? 0;
  const engine = processIdentity(enginePid);
  const processes = engineProcesses(enginePid, cookieOf(storageDir, enginePid));
  expect(processes.length).toBeGreaterThanOrEqual(3);
  return { running, processes: engine === null ? processes : [engine, ...processes] };
}

const long = ['run', '--target', 'node,stubborn', '--load', 'brief', '--duration', '60'];

describe('an interrupted benchside run', () => {
  it('ends with 1, says that nothing was stored, and leaves nothing running', { timeout: slow, ...slowHalf }, async () => {
    const { running, processes } = await underLoad(...long, '--json');
    running.child.kill('SIGINT');
    const { code, stdout, stderr } = await running.ended;
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ failure: { code: 'cancelled' } });
    expect(stderr).toContain('nothing was stored');
    await untilGone(processes, 2_000);
  });

  it('keeps the rounds that were whole', { timeout: slow, ...slowHalf }, async () => {
    const running = launch([...brief, '--rounds', '60', '--json']);
    await waitFor(() => running.stderr().includes('round 2 of 60'), { timeoutMs: 40_000 });
    running.child.kill('SIGTERM');
    const { code, stdout, stderr } = await running.ended;
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ run: { state: 'cancelled' } });
    expect(stderr).toContain('Cancelled: what was measured until then is kept.');
  });

  it('says so, too, where nothing is measured', { timeout: slow, ...slowHalf }, async () => {
    const running = launch(['check', '--json']);
    await waitFor(() => engineOf(running.child) !== undefined, { timeoutMs: 40_000, what: 'the engine' });
    running.child.kill('SIGINT');
    const { code, stdout, stderr } = await running.ended;
    expect({ code, document: JSON.parse(stdout) as unknown }).toMatchObject({ code: 1, document: { failure: { code: 'cancelled' } } });
    expect(stderr).toContain('Cancelled.');
  });

  it('that is killed leaves nothing running after 2 s, and “benchside stop” finds nothing', { timeout: slow, ...slowHalf }, async () => {
    const { running, processes } = await underLoad(...long);
    running.child.kill('SIGKILL');
    await untilGone(processes, 2_000);
    expect((await benchside('stop')).stdout).toBe('Nothing was left running.\n');
    expect(JSON.parse((await benchside('stop', '--json')).stdout)).toEqual({ stopped: 0, reaped: 0 });
    expect(readdirSync(path.join(storageDir, 'journals'))).toEqual([]);
  });

  it('whose engine is killed says so; “benchside stop” ends what is left', { timeout: slow, ...slowHalf }, async () => {
    const { running, processes } = await underLoad(...long);
    process.kill(processes[0]?.pid ?? 0, 'SIGKILL');
    const { code, stderr } = await running.ended;
    expect(code).toBe(1);
    expect(stderr).toMatch(/engine ended unexpectedly \(SIGKILL\)/);
    // What looks after a killed engine may have been faster.
    expect((await benchside('stop')).stdout).toMatch(/^(?:Ended \d+ processes|Nothing was left running)\.\n$/);
    await untilGone(processes, 1_000);
  });
});

import { existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clinicFolder } from '../../src/engine/record/clinic/clinicPackage.ts';
import { unpackSamples, unpackTree } from '../../src/model/domain/packedTree.ts';
import type { ProfileHead, ProfilePart } from '../../src/model/domain/flame.ts';
import type { RecordingRecord } from '../../src/model/domain/recording.ts';
import { appTarget, failureOf, removeTemporaryFolders, repositoryDir, temporaryFolder, TestEngine } from '../support/engine.ts';
import { longTest, slowHalf } from '../support/testTags.ts';
import { waitFor } from '../support/waitFor.ts';

let engine: TestEngine;

beforeAll(async () => {
  engine = await TestEngine.start({
    file: { targets: [appTarget('busy', 'busy.mjs', { routes: [{ path: '/' }, { path: '/slow', weight: 0 }] })] },
  });
});
afterAll(async () => {
  await engine.dispose();
  removeTemporaryFolders();
});

const load = 'brief';
const record = (more: Record<string, unknown> = {}): Promise<RecordingRecord> =>
  engine
    .request('recording/start', {
      subject: { kind: 'target', id: 'busy', load, settings: { pool: 3 } },
      events: ['cpu'],
      seconds: 1,
      ...more,
    })
    .then(({ recording }) => recording);

/** One recording for all tests that only read it. */
let recorded: Promise<RecordingRecord> | undefined;
const shared = (): Promise<RecordingRecord> => (recorded ??= record());

async function wholePart(head: ProfileHead, part: ProfilePart, event: string | null = null): Promise<Uint8Array> {
  const pieces: Buffer[] = [];
  for (let index = 0; ; index += 1) {
    const { data, last } = await engine.request('profile/piece', { profileId: head.profileId, part, event, index });
    pieces.push(Buffer.from(data, 'base64'));
    if (last) return new Uint8Array(Buffer.concat(pieces));
  }
}

describe('a recording on demand', () => {
  it('records a target with its settings under load, and stores it with what was served', longTest, async () => {
    const recording = await shared();
    expect(recording).toMatchObject({
      recorder: 'v8',
      target: 'busy',
      settings: { pool: 3 },
      events: ['cpu'],
      files: [{ format: 'cpuprofile' }],
    });
    expect(recording.load?.requests).toBeGreaterThan(10);
    expect(recording.load?.errors).toBe(0);
    expect(recording.durationMs).toBeGreaterThan(900);
    const { recordings } = await engine.request('recordings/list', {});
    expect(recordings.map((one) => one.id)).toContain(recording.id);
    expect(readdirSync(path.join(engine.workspaceDir, '.benchside', 'recordings', recording.id)).sort()).toEqual([
      'cpu.cpuprofile',
      'recording.json',
    ]);
  });

  it('is read in pieces, first what is wide enough to see, then all of it, then its samples', longTest, async () => {
    const recording = await shared();
    const head = await engine.request('profile/open', { source: { kind: 'recording', id: recording.id } });
    expect(head).toMatchObject({ title: recording.title, recording: { id: recording.id }, defaultEvent: 'cpu' });
    expect(head.requests).toBeGreaterThan(10);
    const skeleton = unpackTree(await wholePart(head, 'skeleton', 'cpu'));
    const bytes = await wholePart(head, 'tree');
    expect(head.treeBytes).toBeGreaterThan(0);
    const tree = unpackTree(bytes);
    expect(tree.nodeCount).toBe(head.nodeCount);
    expect(skeleton.nodeCount).toBeLessThanOrEqual(tree.nodeCount);
    const total = head.events.find((event) => event.name === 'cpu')?.total ?? 0;
    const sum = (values: Float64Array | undefined): number => values?.reduce((all, one) => all + one, 0) ?? 0;
    const event = tree.events.find((one) => one.name === 'cpu');
    expect(sum(event?.self)).toBeCloseTo(total, 0);
    const wide = skeleton.events.find((one) => one.name === 'cpu');
    expect(sum(wide?.self) + sum(wide?.rest)).toBeCloseTo(total, 0);
    const samples = unpackSamples(await wholePart(head, 'samples'));
    expect(samples.node.length).toBe(head.sampleCount);
    await engine.request('profile/close', { profileId: head.profileId });
    expect((await failureOf(engine.request('profile/lines', { profileId: head.profileId }))).code).toBe('profile-closed');
  });

  it('tells the hot line of the app’s own source, and the frame behind a number', async () => {
    const recording = await shared();
    const head = await engine.request('profile/open', { source: { kind: 'recording', id: recording.id } });
    const tree = unpackTree(await wholePart(head, 'tree'));
    const burn = tree.functions.name.indexOf('burn');
    expect(await engine.request('profile/frame', { profileId: head.profileId, func: burn })).toMatchObject({
      name: 'burn',
      file: expect.stringMatching(/busy\.mjs$/) as string,
    });
    const table = await engine.request('profile/lines', { profileId: head.profileId });
    const own = table.files.find(({ file }) => file.endsWith('busy.mjs'));
    const cpu = table.events.findIndex((event) => event.name === 'cpu');
    const hottest = own?.lines.reduce((most, line) => ((line.self[cpu] ?? 0) > (most.self[cpu] ?? 0) ? line : most));
    expect((hottest?.self[cpu] ?? 0) / (table.events[cpu]?.total ?? 1)).toBeGreaterThan(0.2);
    expect(own?.functions.map((one) => one.name)).toContain('burn');
    await engine.request('profile/close', { profileId: head.profileId });
  });

  it('is written in other formats', async () => {
    const recording = await shared();
    const head = await engine.request('profile/open', { source: { kind: 'recording', id: recording.id } });
    const text = async (format: 'svg' | 'collapsed' | 'json' | 'speedscope'): Promise<string> => {
      const { data } = await engine.request('profile/export', { profileId: head.profileId, format, event: 'cpu' });
      return Buffer.from(data, 'base64').toString();
    };
    expect(await text('collapsed')).toMatch(/;burn(_\[j\])? \d+/);
    expect(await text('svg')).toContain('<svg');
    expect(JSON.parse(await text('json'))).toMatchObject({ event: 'cpu', unit: 'ns' });
    expect(JSON.parse(await text('speedscope'))).toHaveProperty('profiles');
    await engine.request('profile/close', { profileId: head.profileId });
  });

  it('is taken off the list and brought back', async () => {
    const { id } = await shared();
    const ids = async (): Promise<string[]> => (await engine.request('recordings/list', {})).recordings.map((one) => one.id);
    await engine.request('recordings/delete', { id });
    expect(await ids()).not.toContain(id);
    await engine.request('recordings/restore', { id });
    expect(await ids()).toContain(id);
  });

  it('has the services beside the target that its route wants', slowHalf, async () => {
    // An engine of its own: its PostgreSQL stays for the next one that wants it.
    const own = await TestEngine.start({ file: { targets: [] } });
    try {
      const subject = { kind: 'target' as const, id: 'lab-node', load, settings: {}, route: '/documents/:id' };
      const { recording } = await own.request('recording/start', { subject, events: ['cpu'], seconds: 1 });
      expect(recording.load?.requests).toBeGreaterThan(0);
      expect(recording.load?.errors).toBe(0);
    } finally {
      await own.dispose();
    }
  });

  it('leaves no process and no half-written recording when it is cancelled', async () => {
    const before = (await engine.request('recordings/list', {})).recordings.length;
    const controller = new AbortController();
    const recording = engine.client.request(
      'recording/start',
      { subject: { kind: 'target', id: 'busy', load, settings: {} }, seconds: 60 },
      controller.signal,
    );
    await waitFor(() => engine.processes().length > 1, { timeoutMs: 20_000, what: 'the target and its load' });
    controller.abort();
    expect((await failureOf(recording)).code).toBe('cancelled');
    await waitFor(() => engine.processes().length === 0, { timeoutMs: 5_000, what: 'the end of all processes' });
    expect((await engine.request('recordings/list', {})).recordings).toHaveLength(before);
  });

  it('attaches to a process that runs already and leaves it running', slowHalf, async () => {
    const { port } = await engine.request('target/start', { id: 'busy', settings: {} });
    const { processes } = await engine.request('processes/list', {});
    const own = processes.find((one) => one.targetId === 'busy');
    expect(own).toMatchObject({ runtime: 'node', problem: null });
    const { recording } = await engine.request('recording/start', {
      subject: { kind: 'process', pid: own?.pid ?? 0 },
      events: ['cpu'],
      seconds: 1,
    });
    expect(recording).toMatchObject({ target: 'busy', load: null, recorder: 'v8' });
    expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(200);
    await engine.request('target/stop', { id: 'busy' });
  });

  it('refuses a process that is none, an event that cannot be recorded, and a second recording at a time', longTest, async () => {
    expect((await failureOf(engine.request('recording/start', { subject: { kind: 'process', pid: 2 ** 22 - 1 } }))).code).toBe(
      'process-not-found',
    );
    expect((await failureOf(record({ events: ['lock'] }))).code).toBe('recorder-event');
    const first = record();
    expect((await failureOf(record())).code).toBe('run-in-progress');
    const ended = failureOf(first);
    await engine.request('run/cancel', {});
    expect((await ended).code).toBe('cancelled');
  });
});

describe('a run that records', () => {
  it('records each trial after everything was measured, and says what recording costs', slowHalf, async () => {
    const run = await engine.run({ targets: ['busy'], settings: { pool: [2] }, load, record: { events: ['cpu'], seconds: 1 } });
    expect(run.state).toBe('complete');
    expect(run.recordings.map((one) => one.trialKey)).toEqual(run.trials.map((trial) => trial.key));
    const last = Math.max(...run.trials.flatMap((trial) => trial.blocks.map((block) => block.startMs + block.windowMs)));
    for (const recording of run.recordings) {
      expect(Date.parse(recording.startedAt) - Date.parse(run.startedAt)).toBeGreaterThan(last - 50);
      expect(recording.cost?.pairs).toBe(3);
      expect(recording.cost?.ratio).toBeGreaterThan(0.2);
      expect(existsSync(path.join(engine.workspaceDir, '.benchside', 'runs', run.id, recording.files[0]?.name ?? 'none'))).toBe(true);
    }
    const head = await engine.request('profile/open', { source: { kind: 'recording', id: run.recordings[0]?.id ?? '' } });
    expect(head.recording?.settings).toMatchObject({ pool: 2 });
    await engine.request('profile/close', { profileId: head.profileId });
    const summary = (await engine.request('runs/list', {})).runs.find((one) => one.id === run.id);
    expect(summary?.kind === 'run' ? summary.recordings.map((one) => one.runId) : []).toEqual([run.id]);
  });

  it('keeps its figures when a trial cannot be recorded', slowHalf, async () => {
    const run = await engine.run({ targets: ['busy'], load, record: { events: ['lock'], seconds: 1 } });
    expect(run.state).toBe('complete');
    expect(run.recordings).toEqual([]);
    expect(run.notes).toContainEqual(expect.objectContaining({ code: 'not-recorded' }));
    expect(run.trials[0]?.requests).toBeGreaterThan(0);
  });
});

describe('clinic’s tools', () => {
  it('are listed with what they can do, and bubbleprof with the reason why it cannot be used', async () => {
    const { recorders } = await engine.request('recorders/list', {});
    const flame = recorders.find(({ id }) => id === 'clinic-flame');
    expect(flame).toMatchObject({ installed: false, problem: null, abilities: { attach: false, relaunch: true } });
    expect(recorders.find(({ id }) => id === 'clinic-bubbleprof')?.problem?.message).toMatch(/hangs/);
    expect((await failureOf(record({ recorder: 'clinic-bubbleprof' }))).code).toBe('clinic-bubbleprof-unsupported');
  });
});

describe('clinic’s tools, once they are installed', slowHalf, () => {
  const cache = path.join(repositoryDir, '.cache', 'clinic');
  let withClinic: TestEngine;

  beforeAll(async () => {
    const storageDir = temporaryFolder('storage');
    const target = appTarget('busy', 'busy.mjs', { routes: [{ path: '/slow' }] });
    // Installed once for all tests, by the request that the editor sends when the user has agreed.
    mkdirSync(cache, { recursive: true });
    const installer = await TestEngine.start({ storageDir: cache });
    await installer.request('recorders/install', { id: 'clinic-flame' });
    await installer.dispose();
    symlinkSync(clinicFolder(cache), clinicFolder(storageDir));
    withClinic = await TestEngine.start({ storageDir, file: { targets: [target] } });
  }, 300_000);
  afterAll(() => withClinic.dispose());

  const tool = async (recorder: 'clinic-doctor' | 'clinic-flame'): Promise<RecordingRecord> =>
    (await withClinic.request('recording/start', { subject: { kind: 'target', id: 'busy', load, settings: {} }, recorder, seconds: 3 }))
      .recording;

  it('are listed as installed when they are', async () => {
    const { recorders } = await withClinic.request('recorders/list', {});
    expect(recorders.find(({ id }) => id === 'clinic-flame')).toMatchObject({ installed: true, problem: null });
  });

  it('record a target that they start themselves, under load: flame as a tree of its own code and libraries', async () => {
    const recording = await tool('clinic-flame');
    expect(recording.load?.requests).toBeGreaterThan(10);
    const head = await withClinic.request('profile/open', { source: { kind: 'recording', id: recording.id } });
    const exported = await withClinic.request('profile/export', { profileId: head.profileId, format: 'json', event: 'cpu' });
    const { functions } = JSON.parse(Buffer.from(exported.data, 'base64').toString()) as { functions: { name: string }[] };
    expect(functions.slice(0, 5).map(({ name }) => name)).toContain('burn');
    await withClinic.request('profile/close', { profileId: head.profileId });
  });

  it('and doctor gives a hint with its time series and how many samples it rests on', async () => {
    const recording = await tool('clinic-doctor');
    const head = await withClinic.request('profile/open', { source: { kind: 'recording', id: recording.id } });
    expect(head.nodeCount).toBe(1);
    expect(head.hint?.samples).toBeGreaterThan(10);
    expect(head.hint?.series.length).toBeGreaterThan(2);
    await withClinic.request('profile/close', { profileId: head.profileId });
  });
});

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { coverageNotes } from '../../../src/calltree/cpuCoverage.ts';
import { joinTrees } from '../../../src/calltree/joinTrees.ts';
import { chooseEvent, eventTotal, functionTable } from '../../../src/calltree/totals.ts';
import { writePprof } from '../../../src/engine/calltree/writePprof.ts';
import { findRecording, openRecording } from '../../../src/engine/profiles/recordingFiles.ts';
import { RecordingStore } from '../../../src/engine/record/recordingStore.ts';
import { RunStore } from '../../../src/engine/runs/runStore.ts';
import type { RecordingRecord } from '../../../src/model/domain/recording.ts';
import { exampleRun } from '../../support/runRecords.ts';
import { treeOf } from './trees.ts';

const cpuProfile = JSON.stringify({
  nodes: [
    { id: 1, callFrame: { functionName: '(root)', url: '', lineNumber: -1 }, children: [2] },
    { id: 2, callFrame: { functionName: 'get', url: 'file:///app/get.js', lineNumber: 3 } },
  ],
  samples: [2, 2],
  timeDeltas: [6, 6],
});
const frame = (functionName: string, url: string) => ({ functionName, url, scriptId: '1', lineNumber: 3, columnNumber: 0 });
/** The app's `get` calls a function that the probe has put in place of one of the pool, which calls that one and takes a stack. */
const probedProfile = JSON.stringify({
  nodes: [
    { id: 1, callFrame: frame('(root)', ''), children: [2, 7] },
    { id: 2, callFrame: frame('get', 'file:///app/get.js'), children: [3] },
    { id: 3, callFrame: frame('query', 'benchside-waits'), children: [4, 5] },
    { id: 4, callFrame: frame('query', 'file:///app/node_modules/pg/query.js') },
    { id: 5, callFrame: frame('capture', 'benchside-waits'), children: [6] },
    { id: 6, callFrame: frame('captureStackTrace', '') },
    { id: 7, callFrame: frame('(idle)', '') },
  ],
  samples: [2, 4, 3, 6, 7],
  timeDeltas: [1, 5, 7, 11, 13],
});
const waits = writePprof(
  treeOf([{ frames: [{ name: '[pool wait]', file: '', declared: 0, line: 0 }], weights: [9_000] }], [{ name: 'poolWait', unit: 'ns' }]),
  [{ name: 'poolWait', unit: 'ns', self: new Float64Array([0, 9_000]) }],
);

function record(id: string, trialKey: string | null, files: RecordingRecord['files']): RecordingRecord {
  return {
    schemaVersion: 1,
    id,
    title: `node ${trialKey ?? ''}`,
    recorder: 'v8',
    recorderVersion: '1',
    runtime: 'node',
    runtimeVersion: null,
    pid: 7,
    command: 'node',
    target: 'node',
    trialKey,
    settings: {},
    events: ['cpu'],
    startedAt: '2026-01-01T00:00:00.000Z',
    durationMs: 1000,
    load: null,
    cost: null,
    notes: [],
    sourceRoots: [],
    files,
  };
}

const idOf = (digit: string): string => `mb2k9x1a-${digit.repeat(24)}`;
let root = '';
let runId = '';

beforeAll(async () => {
  root = path.join(mkdtempSync(path.join(tmpdir(), 'benchside-recordings-')), '.benchside');
  const onDemand = new RecordingStore(root, () => []);
  await onDemand.add(
    record(idOf('a'), null, [
      { name: 'cpu.cpuprofile', format: 'cpuprofile' },
      { name: 'waits.pb.gz', format: 'pprof' },
    ]),
    [
      { name: 'cpu.cpuprofile', bytes: Buffer.from(cpuProfile) },
      { name: 'waits.pb.gz', bytes: waits },
    ],
  );
  await onDemand.add(record(idOf('d'), null, [{ name: 'doctor.json', format: 'clinic' }]), [
    { name: 'doctor.json', bytes: Buffer.from('{}') },
  ]);
  const several: RecordingRecord['files'] = [
    { name: '7-cpu.cpuprofile', format: 'cpuprofile', process: 7 },
    { name: '9-cpu.cpuprofile', format: 'cpuprofile', process: 9 },
    { name: '9-cpu-worker-1.cpuprofile', format: 'cpuprofile', process: 9, thread: 'worker 1 · w.mjs' },
  ];
  const processes = [7, 9].map((pid) => ({ pid, title: 'app.mjs', kernelNs: 0, recorded: true }));
  await onDemand.add(
    { ...record(idOf('e'), null, several), cpu: { kernelNs: 0, endedNs: 0, processes } },
    several.map(({ name }) => ({ name, bytes: Buffer.from(cpuProfile) })),
  );
  await onDemand.add(record(idOf('9'), null, [{ name: 'cpu.cpuprofile', format: 'cpuprofile' }]), [
    { name: 'cpu.cpuprofile', bytes: Buffer.from(probedProfile) },
  ]);
  const runs = new RunStore(root);
  runId = runs.newId();
  const writer = await runs.begin(runId);
  await writer.writeFile('recording-1-cpu.cpuprofile', cpuProfile);
  const files: RecordingRecord['files'] = [{ name: 'recording-1-cpu.cpuprofile', format: 'cpuprofile' }];
  const { files: _files, ...run } = exampleRun({ id: runId });
  const recommendations = run.recommendations.slice(0, 1).map((one) => ({ ...one, trialKey: 'node|pool=20' }));
  await writer.commit({
    ...run,
    recommendations,
    recordings: [record(idOf('b'), 'node|pool=2', files), record(idOf('c'), 'node|pool=20', files)],
  });
});
afterAll(() => rmSync(path.dirname(root), { recursive: true, force: true }));

describe('a stored recording', () => {
  it('is one tree of all its files', async () => {
    const { folder, record: found } = await findRecording(root, idOf('a'), null);
    const tree = await openRecording(folder, found);
    expect(tree.events.map((event) => [event.name, eventTotal(event)])).toEqual([
      ['cpu', 12_000],
      ['poolWait', 9_000],
    ]);
    expect(tree.functions.name).toEqual(['get', '[pool wait]']);
  });

  it('of several processes and threads has a frame for each, and no more than one where that is asked for', async () => {
    const { folder, record: found } = await findRecording(root, idOf('e'), null);
    const tree = await openRecording(folder, found);
    expect(tree.functions.name).toEqual(['[process 7 · app.mjs]', 'get', '[process 9 · app.mjs]', '[worker 1 · w.mjs]']);
    expect(tree.events.map(eventTotal)).toEqual([36_000]);
    expect(tree.threads).toEqual(['process 7 · app.mjs', 'process 9 · app.mjs', 'process 9 · app.mjs · worker 1 · w.mjs']);
    const one = await openRecording(folder, found, 9);
    expect(one.functions.name).toEqual(['get', '[worker 1 · w.mjs]']);
    expect(one.events.map(eventTotal)).toEqual([24_000]);
    await expect(openRecording(folder, found, 8)).rejects.toThrow('The recording has no process 8.');
  });

  it('says how much of the CPU time it has, and where the rest is', async () => {
    const { folder, record: found } = await findRecording(root, idOf('e'), null);
    const tree = await openRecording(folder, found);
    const process = (pid: number, kernelNs: number, recorded: boolean) => ({ pid, title: 'x', kernelNs, recorded });
    const cpu = {
      kernelNs: 80_000,
      endedNs: 8_000,
      processes: [process(7, 24_000, true), process(9, 24_000, true), process(3, 24_000, false)],
    };
    const scaled = {
      ...cpu,
      kernelNs: cpu.kernelNs * 1e6,
      endedNs: 8e9,
      processes: cpu.processes.map((one) => ({ ...one, kernelNs: one.kernelNs * 1e6 })),
    };
    const large = { ...tree, events: tree.events.map((event) => ({ ...event, self: event.self.map((weight) => weight * 1e6) })) };
    const elsewhere = [
      { in: { pid: 3, title: 'x' }, ns: 24e9 },
      { in: 'ended', ns: 8e9 },
      { in: 'unseen', ns: 12e9 },
    ];
    expect(coverageNotes(scaled, large)).toEqual([{ code: 'cpu-covered', kernelNs: 80e9, recordedNs: 36e9, elsewhere }]);
    const all = { kernelNs: 37e9, endedNs: 0, processes: [] };
    expect(coverageNotes(all, large)).toEqual([{ code: 'cpu-covered', kernelNs: 37e9, recordedNs: 36e9, elsewhere: [] }]);
    expect(coverageNotes(undefined, large)).toEqual([]);
  });

  it('of Node has the threads of V8 and libuv, of which no profile is, with what the kernel counted of them', async () => {
    const { folder, record: found } = await findRecording(root, idOf('e'), null);
    const files = found.files.map((file, index) => ({ ...file, threadNumber: 7 + index }));
    const threads = [
      { number: 8, name: 'node', kernelNs: 1_000 },
      { number: 9, name: 'node', kernelNs: 2_000 },
      { number: 20, name: 'node', kernelNs: 300 },
      { number: 21, name: 'node', kernelNs: 400 },
      { number: 22, name: 'libuv-worker', kernelNs: 50 },
      { number: 23, name: 'v8:ProfEvntProc', kernelNs: 9_000 },
    ];
    const tree = await openRecording(
      folder,
      {
        ...found,
        files,
        cpu: { kernelNs: 0, endedNs: 0, processes: [{ pid: 9, title: 'app.mjs', kernelNs: 0, recorded: true, threads }] },
      },
      9,
    );
    expect(functionTable(tree, chooseEvent(tree, 'cpu')).map(({ name, self }) => [name, Math.round(self)])).toEqual([
      ['get', 3_000],
      ['(threads of V8 and libuv)', 700],
      ['(threads “libuv-worker”)', 50],
      ['[worker 1 · w.mjs]', 0],
    ]);
  });

  it('has nothing of the probe that was in the app, and says how many samples that were', async () => {
    const { folder, record: found } = await findRecording(root, idOf('9'), null);
    const tree = await openRecording(folder, found);
    expect(functionTable(tree, chooseEvent(tree, 'cpu')).map(({ name, file, self, total }) => [name, file, self, total])).toEqual([
      ['query', '/app/node_modules/pg/query.js', 7_000, 7_000],
      ['get', '/app/get.js', 5_000, 12_000],
    ]);
    expect(tree.leftOut).toEqual([{ event: 'cpu', samples: 2, ofSamples: 4, weight: 24_000 }]);
    expect(joinTrees(tree, tree).leftOut).toEqual([{ event: 'cpu', samples: 4, ofSamples: 8, weight: 48_000 }]);
  });

  it('of Clinic Doctor is the empty tree', async () => {
    const { folder, record: found } = await findRecording(root, idOf('d'), null);
    expect(await openRecording(folder, found)).toMatchObject({ nodeCount: 1, events: [] });
  });

  it.each([
    ['last', 'node|pool=2', 'b'],
    ['last', 'pool=20', 'c'],
    [idOf('c'), null, 'c'],
  ])('of a run is found as %s with trial %s', async (reference, trial, expected) => {
    const { folder, record: found } = await findRecording(root, reference, trial);
    expect(found.id).toBe(idOf(expected));
    expect(await openRecording(folder, found)).toMatchObject({ nodeCount: 2 });
  });

  it.each([
    ['last', 'node', /has 2 recordings/],
    ['last', 'pool=4', /no recording of that trial/],
    ['previous', null, /no file, run or recording/],
    [idOf('f'), null, /no such recording/],
    ['__proto__', null, /no file, run or recording/],
  ])('is asked for by a sentence where %s with trial %s does not name one', async (reference, trial, message) => {
    await expect(findRecording(root, reference, trial)).rejects.toThrow(message);
  });
});

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventTotal } from '../../../src/calltree/totals.ts';
import { writePprof } from '../../../src/engine/calltree/writePprof.ts';
import { findRecording, openRecording } from '../../../src/engine/profiles/recordingFiles.ts';
import { RecordingStore } from '../../../src/engine/record/recordingStore.ts';
import { RunStore } from '../../../src/engine/runs/runStore.ts';
import type { RecordingRecord } from '../../../src/model/recording.ts';
import { exampleRun } from '../../support/runRecords.ts';
import { treeOf } from './trees.ts';

const cpuProfile = JSON.stringify({
  nodes: [
    { id: 1, callFrame: { functionName: '(root)', url: '', lineNumber: -1 }, children: [2] },
    { id: 2, callFrame: { functionName: 'get', url: 'file:///app/get.js', lineNumber: 3 } },
  ],
  samples: [2, 2],
  timeDeltas: [5, 7],
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
  const runs = new RunStore(root);
  runId = runs.newId();
  const writer = await runs.begin(runId);
  await writer.writeFile('recording-1-cpu.cpuprofile', cpuProfile);
  const files: RecordingRecord['files'] = [{ name: 'recording-1-cpu.cpuprofile', format: 'cpuprofile' }];
  const { files: _files, ...run } = exampleRun({ id: runId });
  await writer.commit({ ...run, recordings: [record(idOf('b'), 'node|pool=2', files), record(idOf('c'), 'node|pool=20', files)] });
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
    ['last', null, /has 2 recordings/],
    ['last', 'pool=4', /no recording of that trial/],
    ['previous', null, /no file, run or recording/],
    [idOf('f'), null, /no such recording/],
    ['__proto__', null, /no file, run or recording/],
  ])('is asked for by a sentence where %s with trial %s does not name one', async (reference, trial, message) => {
    await expect(findRecording(root, reference, trial)).rejects.toThrow(message);
  });
});

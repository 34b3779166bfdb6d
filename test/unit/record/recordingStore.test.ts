import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { timedId } from '../../../src/engine/files/storeFolder.ts';
import { ownIdentityTag } from '../../../src/engine/supervise/identity.ts';
import { RecordingStore } from '../../../src/engine/record/recordingStore.ts';
import type { RecordingRecord } from '../../../src/model/domain/recording.ts';

let root = '';
let store: RecordingStore;

beforeEach(() => {
  root = path.join(mkdtempSync(path.join(tmpdir(), 'benchside-recordings-')), '.benchside');
  store = new RecordingStore(root, () => ['s3cret-password']);
});
afterEach(() => rmSync(path.dirname(root), { recursive: true, force: true }));

function record(more: Partial<RecordingRecord> = {}): RecordingRecord {
  return {
    schemaVersion: 1,
    id: timedId(),
    title: 'Node · pool 2',
    recorder: 'v8',
    recorderVersion: '1',
    runtime: 'node',
    runtimeVersion: '20.20.2',
    pid: 4711,
    command: 'node server.mjs',
    target: 'node',
    trialKey: null,
    settings: { pool: 2 },
    events: ['cpu'],
    startedAt: '2026-01-02T03:04:05.000Z',
    durationMs: 10_000,
    load: null,
    cost: null,
    notes: [],
    sourceRoots: [],
    files: [{ name: 'cpu.cpuprofile', format: 'cpuprofile' }],
    ...more,
  };
}
const file = { name: 'cpu.cpuprofile', bytes: Buffer.from('{"nodes":[]}') };
const codeOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'none',
    (error: { failure?: { code: string } }) => error.failure?.code ?? String(error),
  );

describe('the recordings of a workspace', () => {
  it('gives back what was stored, with its files beside it', async () => {
    const stored = await store.add(record(), [file]);
    expect(await store.read(stored.id)).toEqual(stored);
    expect(readFileSync(path.join(store.folderOf(stored.id), 'cpu.cpuprofile'), 'utf8')).toBe('{"nodes":[]}');
    expect(readFileSync(path.join(root, '.gitignore'), 'utf8')).toBe('*\n');
  });

  it('lists the newest first and leaves out what is damaged', async () => {
    const older = await store.add(record({ startedAt: '2026-01-01T00:00:00.000Z' }), [file]);
    const newer = await store.add(record({ startedAt: '2026-01-03T00:00:00.000Z' }), [file]);
    const damaged = await store.add(record(), [file]);
    writeFileSync(path.join(store.folderOf(damaged.id), 'recording.json'), '{');
    expect((await store.list()).map((one) => one.id)).toEqual([newer.id, older.id]);
    expect(await codeOf(store.read(damaged.id))).toBe('recording-damaged');
  });

  it('leaves nothing behind when a file cannot be written', async () => {
    expect(await codeOf(store.add(record(), [file, { name: '../outside', bytes: file.bytes }]))).toBe('run-file-name');
    expect(readdirSync(store.folder)).toEqual([]);
    expect(existsSync(path.join(root, 'outside'))).toBe(false);
  });

  it('keeps the secrets of a command line off the disk', async () => {
    const stored = await store.add(record({ command: 'node server.mjs --password=hunter22 s3cret-password' }), [file]);
    const text = readFileSync(path.join(store.folderOf(stored.id), 'recording.json'), 'utf8');
    expect(text).not.toContain('s3cret-password');
    expect(text).not.toContain('hunter22');
  });

  it('takes one off the list and brings it back', async () => {
    const stored = await store.add(record(), [file]);
    await store.remove(stored.id);
    expect(await store.list()).toEqual([]);
    expect(await codeOf(store.read(stored.id))).toBe('recording-not-found');
    await store.restore(stored.id);
    expect(await store.read(stored.id)).toEqual(stored);
  });

  it('clears away old trash and half-written folders, and nothing else', async () => {
    const kept = await store.add(record(), [file]);
    const dropped = await store.add(record(), [file]);
    await store.remove(dropped.id);
    const own = `.tmp-${ownIdentityTag()}-half`;
    mkdirSync(path.join(store.folder, own));
    mkdirSync(path.join(store.folder, own.replace(String(process.pid), '4194400')));
    await store.sweep();
    expect(readdirSync(store.folder)).toHaveLength(3);
    await store.sweep(Date.now() + 25 * 60 * 60 * 1000);
    expect(readdirSync(store.folder).sort()).toEqual([own, kept.id]);
  });

  it('takes no id for a path, and follows no link', async () => {
    expect(await codeOf(store.read('../../etc'))).toBe('recording-not-found');
    expect(await codeOf(store.remove('..'))).toBe('recording-not-found');
    mkdirSync(root, { recursive: true });
    symlinkSync(tmpdir(), store.folder);
    expect(await codeOf(store.add(record(), [file]))).toBe('store-link');
  });
});

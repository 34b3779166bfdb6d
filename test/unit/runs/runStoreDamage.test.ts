import { mkdir, readdir, readFile, rename, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runSchemaVersion, runSummarySchema } from '../../../src/model/domain/run.ts';
import { RunStore } from '../../../src/engine/runs/runStore.ts';
import { exampleRun } from '../../support/runRecords.ts';
import { codeOf, useStore } from './storeFixture.ts';

const fixture = useStore();

describe('damage', () => {
  const ruin: [string, (folder: string) => Promise<unknown>, RegExp][] = [
    ['run.json is missing', (folder) => rm(join(folder, 'run.json')), /run\.json is missing/],
    ['run.json is empty', (folder) => truncate(join(folder, 'run.json')), /empty/],
    ['run.json is cut off', (folder) => truncate(join(folder, 'run.json'), 500), /not JSON/],
    ['run.json is full of NULs', (folder) => writeFile(join(folder, 'run.json'), Buffer.alloc(4096)), /not JSON/],
    ['run.json is a list', (folder) => writeFile(join(folder, 'run.json'), '[]'), /not an object/],
    ['run.json is null', (folder) => writeFile(join(folder, 'run.json'), 'null'), /not an object/],
    ['run.json has no version', (folder) => writeFile(join(folder, 'run.json'), '{"id":"x"}'), /version/],
    ['run.json lacks its members', (folder) => writeFile(join(folder, 'run.json'), '{"schemaVersion":1}'), /run\.json, /],
    ['run.json is a folder', (folder) => rm(join(folder, 'run.json')).then(() => mkdir(join(folder, 'run.json'))), /not a file/],
    [
      'run.json is a link',
      (folder) =>
        rename(join(folder, 'run.json'), join(fixture.parent, 'elsewhere')).then(() =>
          symlink(join(fixture.parent, 'elsewhere'), join(folder, 'run.json')),
        ),
      /link/,
    ],
    ['a file is missing', (folder) => rm(join(folder, 'histogram-1.txt')), /histogram-1\.txt is missing/],
    ['a file is shorter', (folder) => truncate(join(folder, 'histogram-1.txt'), 3), /has 3 bytes instead of 9/],
    [
      'the folder is a link',
      (folder) => rename(folder, join(fixture.parent, 'elsewhere')).then(() => symlink(join(fixture.parent, 'elsewhere'), folder)),
      /link/,
    ],
    ['the folder is a file', (folder) => rm(folder, { recursive: true }).then(() => writeFile(folder, '')), /file where the folder/],
  ];

  it.each(ruin)('%s: it is listed with the reason, the others are intact, and it can be deleted', async (_what, damage, reason) => {
    const good = await fixture.storeRun();
    const bad = await fixture.storeRun();
    await damage(fixture.folderOf(bad));
    const list = await fixture.store.list();
    expect(list).toHaveLength(2);
    expect(list[0]).toMatchObject({ kind: 'unreadable', id: bad, problem: 'damaged', reason: expect.stringMatching(reason) as string });
    expect(list[1]).toMatchObject({ kind: 'run', id: good });
    expect(await codeOf(fixture.store.read(bad))).toBe('run-damaged');
    expect((await fixture.store.read(good)).id).toBe(good);
    await fixture.store.remove(bad);
    expect((await fixture.store.list()).map((summary) => summary.id)).toEqual([good]);
    await fixture.store.sweep(Date.now() + 25 * 60 * 60 * 1000);
    expect(await fixture.names()).toEqual([good]);
  });

  it('of the same size is found when the run is read', async () => {
    const id = await fixture.storeRun();
    await writeFile(join(fixture.folderOf(id), 'histogram-1.txt'), 'HISTOGRAN');
    expect(await codeOf(fixture.store.read(id))).toBe('run-damaged');
    expect(await codeOf(fixture.store.readFile(id, 'histogram-1.txt'))).toBe('run-damaged');
    expect((await fixture.store.readFile(id, 'ticks.ndjson')).length).toBeGreaterThan(0);
  });

  it('a record that lists files outside its folder is damaged, and they are not read', async () => {
    const id = await fixture.storeRun();
    await writeFile(join(fixture.parent, 'secret'), 'x');
    const record = exampleRun({ id, files: [{ name: '../../../secret', bytes: 1, sha256: 'x' }] });
    await writeFile(join(fixture.folderOf(id), 'run.json'), JSON.stringify(record));
    expect((await fixture.store.list())[0]).toMatchObject({ kind: 'unreadable', problem: 'damaged' });
    expect(await codeOf(fixture.store.readFile(id, '../../../secret'))).toBe('run-file-name');
  });

  it('gives no file that the record does not list, and follows no link in place of one that it lists', async () => {
    const id = await fixture.storeRun();
    await writeFile(join(fixture.folderOf(id), 'extra.txt'), 'x');
    expect(await codeOf(fixture.store.readFile(id, 'extra.txt'))).toBe('run-file');
    await rename(join(fixture.folderOf(id), 'histogram-1.txt'), join(fixture.parent, 'moved'));
    await symlink(join(fixture.parent, 'moved'), join(fixture.folderOf(id), 'histogram-1.txt'));
    expect(await codeOf(fixture.store.readFile(id, 'histogram-1.txt'))).toBe('run-damaged');
  });

  it('whatever run.json holds, the list does not throw and every row fits its schema', async () => {
    const id = await fixture.storeRun();
    const path = join(fixture.folderOf(id), 'run.json');
    const good = await readFile(path);
    const mutation = fc.oneof(
      fc.record({ kind: fc.constant('cut' as const), at: fc.nat(good.length) }),
      fc.record({ kind: fc.constant('flip' as const), at: fc.nat(good.length - 1), byte: fc.nat(255) }),
      fc.record({ kind: fc.constant('json' as const), value: fc.json() }),
      fc.record({ kind: fc.constant('member' as const), name: fc.constantFrom(...Object.keys(exampleRun())), value: fc.jsonValue() }),
      fc.record({ kind: fc.constant('bytes' as const), bytes: fc.uint8Array({ maxLength: 300 }) }),
    );
    await fc.assert(
      fc.asyncProperty(mutation, async (how) => {
        const bytes = Buffer.from(good);
        if (how.kind === 'cut') await writeFile(path, bytes.subarray(0, how.at));
        else if (how.kind === 'flip') await writeFile(path, bytes.fill(how.byte, how.at, how.at + 1));
        else if (how.kind === 'json') await writeFile(path, how.value);
        else if (how.kind === 'member')
          await writeFile(path, JSON.stringify({ ...(JSON.parse(good.toString()) as object), [how.name]: how.value }));
        else await writeFile(path, how.bytes);
        const list = await new RunStore(fixture.root).list();
        expect(list).toHaveLength(1);
        expect(runSummarySchema.safeParse(list[0]).success).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});

describe('a run of a newer version', () => {
  it('is listed as such, read by nobody, and left as it is', async () => {
    const id = await fixture.storeRun();
    const path = join(fixture.folderOf(id), 'run.json');
    const text = JSON.stringify({ schemaVersion: runSchemaVersion + 1, id, something: 'else' });
    await writeFile(path, text);
    expect((await fixture.store.list())[0]).toMatchObject({
      kind: 'unreadable',
      problem: 'newer',
      reason: expect.stringContaining('made by a newer version of Benchside') as string,
    });
    expect(await codeOf(fixture.store.read(id))).toBe('run-newer');
    expect(await readFile(path, 'utf8')).toBe(text);
  });
});

describe('links', () => {
  it('in place of the store are refused, and nothing is written behind them', async () => {
    const elsewhere = join(fixture.parent, 'elsewhere');
    await mkdir(elsewhere);
    await symlink(elsewhere, fixture.root);
    expect(await codeOf(fixture.store.begin(fixture.store.newId()))).toBe('store-link');
    expect(await codeOf(fixture.store.list())).toBe('store-link');
    await rm(fixture.root);
    await mkdir(fixture.root);
    await symlink(elsewhere, join(fixture.root, 'runs'));
    expect(await codeOf(fixture.store.begin(fixture.store.newId()))).toBe('store-link');
    expect(await codeOf(fixture.store.sweep())).toBe('store-link');
    expect(await readdir(elsewhere)).toEqual([]);
  });
});

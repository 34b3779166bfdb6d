import { createHash } from 'node:crypto';
import { chmod, cp, lstat, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FailureError } from '../../../src/model/failure.ts';
import { runIdSchema, runSchemaVersion, runSummarySchema } from '../../../src/model/run.ts';
import { RunStore } from '../../../src/engine/runs/runStore.ts';
import { processIdentity } from '../../../src/engine/supervise/identity.ts';
import { exampleRun } from '../../support/runRecords.ts';

let parent: string;
let root: string;
let store: RunStore;

beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'benchside-runs-'));
  root = join(parent, '.benchside');
  store = new RunStore(root);
});
afterEach(() => rm(parent, { recursive: true, force: true }));

async function storeRun(target = store, title = 'A run'): Promise<string> {
  const id = target.newId();
  const writer = await target.begin(id);
  await writer.writeFile('histogram-1.txt', 'HISTOGRAM');
  const ticks = writer.append('ticks.ndjson');
  for (let index = 0; index < 5; index += 1) ticks.add({ index });
  await writer.commit(exampleRun({ id, title }));
  return id;
}

async function codeOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
    return 'no failure';
  } catch (error) {
    if (!(error instanceof FailureError)) throw error;
    expect(error.failure.message).not.toBe('');
    expect(error.failure.cure).not.toBe('');
    return error.failure.code;
  }
}

const folderOf = (id: string): string => join(root, 'runs', id);
const names = async (): Promise<string[]> => (await readdir(join(root, 'runs'))).sort();

describe('writing a run', () => {
  it('gives back what was stored, with name, size and hash of each file', async () => {
    const id = await storeRun();
    const ticks = '{"index":0}\n{"index":1}\n{"index":2}\n{"index":3}\n{"index":4}\n';
    const hash = (text: string): string => createHash('sha256').update(text).digest('hex');
    expect(await store.read(id)).toEqual({
      ...exampleRun({ id, title: 'A run' }),
      files: [
        { name: 'histogram-1.txt', bytes: 9, sha256: hash('HISTOGRAM') },
        { name: 'ticks.ndjson', bytes: 60, sha256: hash(ticks) },
      ],
    });
    expect((await store.readFile(id, 'histogram-1.txt')).toString()).toBe('HISTOGRAM');
    expect((await store.readFile(id, 'ticks.ndjson')).toString()).toBe(ticks);
  });

  it('is not visible before it is committed', async () => {
    const id = store.newId();
    const writer = await store.begin(id);
    await writer.writeFile('a.txt', 'a');
    expect(await store.list()).toEqual([]);
    expect(await codeOf(store.read(id))).toBe('run-not-found');
    await writer.commit(exampleRun({ id }));
    expect((await store.list()).map((summary) => summary.id)).toEqual([id]);
    expect((await names()).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  it('leaves nothing behind when it is abandoned, also with lines under way', async () => {
    const writer = await store.begin(store.newId());
    const ticks = writer.append('ticks.ndjson');
    for (let index = 0; index < 1_000; index += 1) ticks.add({ index, text: 'x'.repeat(200) });
    await writer.abandon();
    await writer.abandon();
    ticks.add({ late: true });
    expect(await names()).toEqual([]);
    expect(await codeOf(writer.commit(exampleRun({ id: writer.id })))).toBe('run-closed');
    expect(await codeOf(writer.writeFile('b.txt', 'b'))).toBe('run-closed');
  });

  it('refuses a record that breaks the schema or belongs to another run, and stores nothing', async () => {
    const writer = await store.begin(store.newId());
    expect(await codeOf(writer.commit({ ...exampleRun({ id: writer.id }), startedAt: 'yesterday' }))).toBe('run-invalid');
    const other = await store.begin(store.newId());
    expect(await codeOf(other.commit(exampleRun({ id: store.newId() })))).toBe('run-invalid');
    expect(await names()).toEqual([]);
  });

  it('keeps folder and files to their owner, and out of git', async () => {
    const id = await storeRun();
    expect(await readFile(join(root, '.gitignore'), 'utf8')).toBe('*\n');
    for (const folder of [root, join(root, 'runs'), folderOf(id)]) expect((await stat(folder)).mode & 0o777).toBe(0o700);
    const files = await readdir(folderOf(id));
    expect(files.sort()).toEqual(['histogram-1.txt', 'run.json', 'ticks.ndjson']);
    for (const file of files) expect((await stat(join(folderOf(id), file))).mode & 0o777).toBe(0o600);
  });

  it('takes each file name once, and plain names only', async () => {
    const writer = await store.begin(store.newId());
    await writer.writeFile('a.txt', 'a');
    for (const name of ['a.txt', 'run.json', '../a', 'a/b', '.hidden', '', '..', 'a\\b', 'a\0b', 'x'.repeat(200)]) {
      expect(await codeOf(writer.writeFile(name, 'x')), name).toBe('run-file-name');
    }
    expect(() => writer.append('../x')).toThrow(FailureError);
    await writer.commit(exampleRun({ id: writer.id }));
    expect(await readdir(parent)).toEqual(['.benchside']);
  });

  it('keeps secrets out of every file: canaries in logs, command lines, failures and notes', async () => {
    const canary = 'c4naryVALUE987';
    const generated = 'Zm9vYmFyLWdlbmVyYXRlZA';
    const guarded = new RunStore(root, { secrets: () => [generated] });
    const id = guarded.newId();
    const writer = await guarded.begin(id);
    await writer.writeLog('app.log', `connecting to postgres://u:${canary}@h/db\npassword=${canary}\nplain ${generated} here\nready`);
    const base = exampleRun({ id });
    const stored = await writer.commit({
      ...base,
      notes: [`used ${generated}`],
      failure: { code: 'app-exit', message: 'It ended.', cure: 'Look at its log.', detail: `Authorization: Bearer ${canary}` },
      plan: {
        ...base.plan,
        commands: { key: { argv: ['app', '--password', canary, `--url=http://x:${canary}@h/`], cwd: '.', env: ['DB_PASSWORD'] } },
      },
    });
    for (const file of await readdir(folderOf(id))) {
      const text = await readFile(join(folderOf(id), file), 'utf8');
      expect(text, file).not.toContain(canary);
      expect(text, file).not.toContain(generated);
    }
    expect(await guarded.read(id)).toEqual(stored);
    expect((await guarded.readFile(id, 'app.log')).toString()).toContain('ready');
  });

  it('says which folder cannot be written when the workspace is a file', async () => {
    await writeFile(join(parent, 'file'), '');
    expect(await codeOf(new RunStore(join(parent, 'file', '.benchside')).begin(store.newId()))).toBe('store-write');
  });

  it('stores what several writers of several stores write at once', async () => {
    const stores = [new RunStore(root), new RunStore(root), store];
    const ids = (await Promise.all(stores.flatMap((each) => Array.from({ length: 8 }, () => storeRun(each))))).sort();
    expect(new Set(ids).size).toBe(24);
    expect((await store.list()).map((summary) => summary.id).sort()).toEqual(ids);
    for (const id of ids) expect((await store.read(id)).id).toBe(id);
  });

  it('lets one of two writers of the same id win, whole', async () => {
    const id = store.newId();
    const first = await store.begin(id);
    await expect(store.begin(id)).rejects.toThrow(FailureError);
    await first.commit(exampleRun({ id, title: 'first' }));
    const second = await store.begin(id);
    expect(await codeOf(second.commit(exampleRun({ id, title: 'second' })))).toBe('store-write');
    expect((await store.read(id)).title).toBe('first');
    expect(await names()).toEqual([id]);
  });
});

describe('ids', () => {
  it('are valid, unique and in order of time', () => {
    const ids = Array.from({ length: 2_000 }, () => store.newId());
    expect(ids.every((id) => runIdSchema.safeParse(id).success)).toBe(true);
    const times = ids.map((id) => Number.parseInt(id.split('-')[0] ?? '', 36));
    expect(times.every((time, index) => index === 0 || time > (times[index - 1] ?? 0))).toBe(true);
  });

  it('that are paths or anything else are refused by every operation', async () => {
    await storeRun();
    await writeFile(join(parent, 'victim'), 'untouched');
    const hostile = [
      '..',
      '../..',
      '../../victim',
      '/etc/passwd',
      '.',
      '',
      'a/../../b',
      '..\\..',
      `${store.newId()}/..`,
      `${store.newId()}\n`,
      '.trash-x',
      'run.json\0',
    ];
    for (const id of hostile) {
      const results = [store.read(id), store.readFile(id, 'run.json'), store.remove(id), store.restore(id), store.begin(id)];
      for (const result of results) expect(await codeOf(result), JSON.stringify(id)).toBe('run-id');
    }
    expect(await readFile(join(parent, 'victim'), 'utf8')).toBe('untouched');
    expect(await store.list()).toHaveLength(1);
  });
});

describe('the list', () => {
  it('is empty without a store and makes none', async () => {
    expect(await store.list()).toEqual([]);
    expect(await readdir(parent)).toEqual([]);
  });

  it('is newest first, with headline and targets', async () => {
    const ids = [await storeRun(store, 'one'), await storeRun(store, 'two'), await storeRun(store, 'three')];
    const list = await store.list();
    expect(list.map((summary) => summary.id)).toEqual([...ids].reverse());
    expect(list[0]).toEqual({
      kind: 'run',
      id: ids[2],
      title: 'three',
      startedAt: '2025-06-02T14:02:09.000Z',
      state: 'complete',
      valid: true,
      reasons: [],
      headline: 'node · pool 2 · 8,472 req/s',
      targets: ['java', 'node'],
    });
  });

  it('sees changes made by others although it remembers what it read', async () => {
    const other = new RunStore(root);
    const first = await storeRun();
    expect(await store.list()).toHaveLength(1);
    const second = await storeRun(other);
    expect((await store.list()).map((summary) => summary.id)).toEqual([second, first]);
    await writeFile(join(folderOf(second), 'run.json'), '{');
    expect((await store.list())[0]).toMatchObject({ kind: 'unreadable', problem: 'damaged' });
    await other.remove(first);
    expect(await store.list()).toHaveLength(1);
  });

  it('passes over other things in the folder', async () => {
    const id = await storeRun();
    await mkdir(join(root, 'runs', 'notes'));
    await writeFile(join(root, 'runs', 'README'), '');
    await mkdir(join(root, 'runs', '.tmp-1-x'));
    expect((await store.list()).map((summary) => summary.id)).toEqual([id]);
  });

  it('of 1,000 runs takes little time when nothing changed', async () => {
    const id = await storeRun();
    await store.begin(store.newId()).then((writer) => writer.abandon());
    const text = await readFile(join(folderOf(id), 'run.json'), 'utf8');
    for (let count = 0; count < 999; count += 1) {
      const next = store.newId();
      await cp(folderOf(id), folderOf(next), { recursive: true });
      await writeFile(join(folderOf(next), 'run.json'), text.replace(id, next));
    }
    const fresh = new RunStore(root);
    const started = performance.now();
    expect((await fresh.list()).filter((summary) => summary.kind === 'run')).toHaveLength(1_000);
    const firstMs = performance.now() - started;
    const again = performance.now();
    expect(await fresh.list()).toHaveLength(1_000);
    const againMs = performance.now() - again;
    expect(againMs).toBeLessThan(1_500);
    expect(firstMs).toBeLessThan(15_000);
  }, 60_000);
});

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
        rename(join(folder, 'run.json'), join(parent, 'elsewhere')).then(() =>
          symlink(join(parent, 'elsewhere'), join(folder, 'run.json')),
        ),
      /link/,
    ],
    ['a file is missing', (folder) => rm(join(folder, 'histogram-1.txt')), /histogram-1\.txt is missing/],
    ['a file is shorter', (folder) => truncate(join(folder, 'histogram-1.txt'), 3), /has 3 bytes instead of 9/],
    [
      'the folder is a link',
      (folder) => rename(folder, join(parent, 'elsewhere')).then(() => symlink(join(parent, 'elsewhere'), folder)),
      /link/,
    ],
    ['the folder is a file', (folder) => rm(folder, { recursive: true }).then(() => writeFile(folder, '')), /file where the folder/],
  ];

  it.each(ruin)('%s: it is listed with the reason, the others are intact, and it can be deleted', async (_what, damage, reason) => {
    const good = await storeRun();
    const bad = await storeRun();
    await damage(folderOf(bad));
    const list = await store.list();
    expect(list).toHaveLength(2);
    expect(list[0]).toMatchObject({ kind: 'unreadable', id: bad, problem: 'damaged', reason: expect.stringMatching(reason) as string });
    expect(list[1]).toMatchObject({ kind: 'run', id: good });
    expect(await codeOf(store.read(bad))).toBe('run-damaged');
    expect((await store.read(good)).id).toBe(good);
    await store.remove(bad);
    expect((await store.list()).map((summary) => summary.id)).toEqual([good]);
    await store.purgeTrash();
    expect(await names()).toEqual([good]);
  });

  it('of the same size is found when the run is read', async () => {
    const id = await storeRun();
    await writeFile(join(folderOf(id), 'histogram-1.txt'), 'HISTOGRAN');
    expect(await codeOf(store.read(id))).toBe('run-damaged');
    expect(await codeOf(store.readFile(id, 'histogram-1.txt'))).toBe('run-damaged');
    expect((await store.readFile(id, 'ticks.ndjson')).length).toBeGreaterThan(0);
  });

  it('a record that lists files outside its folder is damaged, and they are not read', async () => {
    const id = await storeRun();
    await writeFile(join(parent, 'secret'), 'x');
    const record = exampleRun({ id, files: [{ name: '../../../secret', bytes: 1, sha256: 'x' }] });
    await writeFile(join(folderOf(id), 'run.json'), JSON.stringify(record));
    expect((await store.list())[0]).toMatchObject({ kind: 'unreadable', problem: 'damaged' });
    expect(await codeOf(store.readFile(id, '../../../secret'))).toBe('run-file-name');
  });

  it('gives no file that the record does not list, and follows no link in place of one that it lists', async () => {
    const id = await storeRun();
    await writeFile(join(folderOf(id), 'extra.txt'), 'x');
    expect(await codeOf(store.readFile(id, 'extra.txt'))).toBe('run-file');
    await rename(join(folderOf(id), 'histogram-1.txt'), join(parent, 'moved'));
    await symlink(join(parent, 'moved'), join(folderOf(id), 'histogram-1.txt'));
    expect(await codeOf(store.readFile(id, 'histogram-1.txt'))).toBe('run-damaged');
  });

  it('whatever run.json holds, the list does not throw and every row fits its schema', async () => {
    const id = await storeRun();
    const path = join(folderOf(id), 'run.json');
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
        const list = await new RunStore(root).list();
        expect(list).toHaveLength(1);
        expect(runSummarySchema.safeParse(list[0]).success).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});

describe('a run of a newer version', () => {
  it('is listed as such, read by nobody, and left as it is', async () => {
    const id = await storeRun();
    const path = join(folderOf(id), 'run.json');
    const text = JSON.stringify({ schemaVersion: runSchemaVersion + 1, id, something: 'else' });
    await writeFile(path, text);
    expect((await store.list())[0]).toMatchObject({
      kind: 'unreadable',
      problem: 'newer',
      reason: expect.stringContaining('made by a newer version of Benchside') as string,
    });
    expect(await codeOf(store.read(id))).toBe('run-newer');
    expect(await readFile(path, 'utf8')).toBe(text);
  });
});

describe('links', () => {
  it('in place of the store are refused, and nothing is written behind them', async () => {
    const elsewhere = join(parent, 'elsewhere');
    await mkdir(elsewhere);
    await symlink(elsewhere, root);
    expect(await codeOf(store.begin(store.newId()))).toBe('store-link');
    expect(await codeOf(store.list())).toBe('store-link');
    await rm(root);
    await mkdir(root);
    await symlink(elsewhere, join(root, 'runs'));
    expect(await codeOf(store.begin(store.newId()))).toBe('store-link');
    expect(await codeOf(store.sweep())).toBe('store-link');
    expect(await readdir(elsewhere)).toEqual([]);
  });
});

describe('removing', () => {
  it('takes a run off the list until it is restored', async () => {
    const id = await storeRun();
    const before = await store.read(id);
    await store.remove(id);
    expect(await store.list()).toEqual([]);
    expect(await codeOf(store.read(id))).toBe('run-not-found');
    expect(await codeOf(store.remove(id))).toBe('run-not-found');
    await store.restore(id);
    expect(await store.read(id)).toEqual(before);
    expect(await codeOf(store.restore(id))).toBe('run-not-found');
  });

  it('cannot be undone after the trash was emptied', async () => {
    const id = await storeRun();
    const kept = await storeRun();
    await store.remove(id);
    expect(await store.purgeTrash()).toBe(1);
    expect(await codeOf(store.restore(id))).toBe('run-not-found');
    expect(await names()).toEqual([kept]);
  });

  it('of a run that is not there says so', async () => {
    expect(await codeOf(store.remove(store.newId()))).toBe('run-not-found');
    expect(await codeOf(store.restore(store.newId()))).toBe('run-not-found');
  });
});

describe('sweeping', () => {
  const deadPid = 4_194_400; // above the largest pid that Linux gives

  async function leftOver(pid: number, owner: string | null): Promise<string> {
    const name = `.tmp-${pid}-${store.newId()}`;
    await mkdir(join(root, 'runs', name), { recursive: true });
    if (owner !== null) await writeFile(join(root, 'runs', name, '.owner.json'), owner);
    return name;
  }

  it('clears folders of processes that are gone, and never that of one that runs', async () => {
    const writer = await store.begin(store.newId());
    const self = processIdentity(process.pid);
    await leftOver(deadPid, JSON.stringify({ ...self, pid: deadPid }));
    await leftOver(process.pid, JSON.stringify({ ...self, startTime: '1' }));
    await leftOver(process.pid, JSON.stringify({ ...self, bootId: 'another-boot' }));
    expect(await store.sweep()).toBe(3);
    expect(await names()).toEqual([`.tmp-${process.pid}-${writer.id}`]);
    await writer.commit(exampleRun({ id: writer.id }));
    expect(await store.list()).toHaveLength(1);
  });

  it('without an owner file waits until the folder is old and its pid free', async () => {
    const dead = await leftOver(deadPid, null);
    const torn = await leftOver(deadPid, '{"pi');
    const alive = await leftOver(process.pid, null);
    expect(await store.sweep()).toBe(0);
    expect(await store.sweep(Date.now() + 120_000)).toBe(2);
    expect(await names()).toEqual([alive]);
    expect([dead, torn]).not.toContain(alive);
  });

  it('keeps the trash for a day', async () => {
    const id = await storeRun();
    await store.remove(id);
    expect(await store.sweep(Date.now() + 23 * 3_600_000)).toBe(0);
    expect(await store.sweep(Date.now() + 25 * 3_600_000)).toBe(1);
    expect(await names()).toEqual([]);
  });

  it('touches no run and nothing that it does not know', async () => {
    const id = await storeRun();
    await mkdir(join(root, 'runs', '.tmp-mine'));
    await mkdir(join(root, 'runs', '.trash'));
    expect(await store.sweep(Date.now() + 1e12)).toBe(0);
    expect(await names()).toEqual(['.tmp-mine', '.trash', id].sort());
    expect((await lstat(folderOf(id))).isDirectory()).toBe(true);
  });
});

describe('a store that must not be written', () => {
  it.skipIf(process.getuid?.() === 0)('says so', async () => {
    await storeRun();
    await chmod(join(root, 'runs'), 0o500);
    expect(await codeOf(store.begin(store.newId()))).toBe('store-not-writable');
    await chmod(join(root, 'runs'), 0o700);
  });
});

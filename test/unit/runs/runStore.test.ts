import { createHash } from 'node:crypto';
import { chmod, lstat, mkdir, readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FailureError } from '../../../src/model/domain/failure.ts';
import { runIdSchema } from '../../../src/model/domain/run.ts';
import { RunStore } from '../../../src/engine/runs/runStore.ts';
import { type ProcessIdentity, identityTag, ownIdentityTag, parseIdentityTag } from '../../../src/engine/supervise/identity.ts';
import { codeOf, useStore } from './storeFixture.ts';
import { exampleRun } from '../../support/runRecords.ts';
import { cpuMsSince } from '../../support/cpuMsSince.ts';

const fixture = useStore();

describe('writing a run', () => {
  it('gives back what was stored, with name, size and hash of each file', async () => {
    const id = await fixture.storeRun();
    const ticks = '{"index":0}\n{"index":1}\n{"index":2}\n{"index":3}\n{"index":4}\n';
    const hash = (text: string): string => createHash('sha256').update(text).digest('hex');
    expect(await fixture.store.read(id)).toEqual({
      ...exampleRun({ id, title: 'A run' }),
      files: [
        { name: 'histogram-1.txt', bytes: 9, sha256: hash('HISTOGRAM') },
        { name: 'ticks.ndjson', bytes: 60, sha256: hash(ticks) },
      ],
    });
    expect((await fixture.store.readFile(id, 'histogram-1.txt')).toString()).toBe('HISTOGRAM');
    expect((await fixture.store.readFile(id, 'ticks.ndjson')).toString()).toBe(ticks);
  });

  it('is not visible before it is committed', async () => {
    const id = fixture.store.newId();
    const writer = await fixture.store.begin(id);
    await writer.writeFile('a.txt', 'a');
    expect(await fixture.store.list()).toEqual([]);
    expect(await codeOf(fixture.store.read(id))).toBe('run-not-found');
    await writer.commit(exampleRun({ id }));
    expect((await fixture.store.list()).map((summary) => summary.id)).toEqual([id]);
    expect((await fixture.names()).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  it('leaves nothing behind when it is abandoned, also with lines under way', async () => {
    const writer = await fixture.store.begin(fixture.store.newId());
    const ticks = writer.append('ticks.ndjson');
    for (let index = 0; index < 1_000; index += 1) ticks.add({ index, text: 'x'.repeat(200) });
    await writer.abandon();
    await writer.abandon();
    ticks.add({ late: true });
    expect(await fixture.names()).toEqual([]);
    expect(await codeOf(writer.commit(exampleRun({ id: writer.id })))).toBe('run-closed');
    expect(await codeOf(writer.writeFile('b.txt', 'b'))).toBe('run-closed');
  });

  it('refuses a record that breaks the schema or belongs to another run, and stores nothing', async () => {
    const writer = await fixture.store.begin(fixture.store.newId());
    expect(await codeOf(writer.commit({ ...exampleRun({ id: writer.id }), startedAt: 'yesterday' }))).toBe('run-invalid');
    const other = await fixture.store.begin(fixture.store.newId());
    expect(await codeOf(other.commit(exampleRun({ id: fixture.store.newId() })))).toBe('run-invalid');
    expect(await fixture.names()).toEqual([]);
  });

  it('keeps folder and files to their owner, and out of git', async () => {
    const id = await fixture.storeRun();
    expect(await readFile(join(fixture.root, '.gitignore'), 'utf8')).toBe('*\n');
    for (const folder of [fixture.root, join(fixture.root, 'runs'), fixture.folderOf(id)])
      expect((await stat(folder)).mode & 0o777).toBe(0o700);
    const files = await readdir(fixture.folderOf(id));
    expect(files.sort()).toEqual(['histogram-1.txt', 'run.json', 'ticks.ndjson']);
    for (const file of files) expect((await stat(join(fixture.folderOf(id), file))).mode & 0o777).toBe(0o600);
  });

  it('takes each file name once, and plain names only', async () => {
    const writer = await fixture.store.begin(fixture.store.newId());
    await writer.writeFile('a.txt', 'a');
    for (const name of ['a.txt', 'run.json', '../a', 'a/b', '.hidden', '', '..', 'a\\b', 'a\0b', 'x'.repeat(200)]) {
      expect(await codeOf(writer.writeFile(name, 'x')), name).toBe('run-file-name');
    }
    expect(() => writer.append('../x')).toThrow(FailureError);
    await writer.commit(exampleRun({ id: writer.id }));
    expect(await readdir(fixture.parent)).toEqual(['.benchside']);
  });

  it('keeps secrets out of every file: canaries in logs, command lines, failures and notes', async () => {
    const canary = 'c4naryVALUE987';
    const generated = 'Zm9vYmFyLWdlbmVyYXRlZA';
    const guarded = new RunStore(fixture.root, { secrets: () => [generated] });
    const id = guarded.newId();
    const writer = await guarded.begin(id);
    await writer.writeLog('app.log', `connecting to postgres://u:${canary}@h/db\npassword=${canary}\nplain ${generated} here\nready`);
    const base = exampleRun({ id });
    const stored = await writer.commit({
      ...base,
      notes: [{ code: 'recorded', sentence: `used ${generated}` }],
      failure: { code: 'target-exited', message: 'It ended.', cure: 'Look at its log.', detail: `Authorization: Bearer ${canary}` },
      plan: {
        ...base.plan,
        commands: { key: { argv: ['app', '--password', canary, `--url=http://x:${canary}@h/`], cwd: '.', env: ['DB_PASSWORD'] } },
      },
    });
    for (const file of await readdir(fixture.folderOf(id))) {
      const text = await readFile(join(fixture.folderOf(id), file), 'utf8');
      expect(text, file).not.toContain(canary);
      expect(text, file).not.toContain(generated);
    }
    expect(await guarded.read(id)).toEqual(stored);
    expect((await guarded.readFile(id, 'app.log')).toString()).toContain('ready');
  });

  it('says which folder cannot be written when the workspace is a file', async () => {
    await writeFile(join(fixture.parent, 'file'), '');
    expect(await codeOf(new RunStore(join(fixture.parent, 'file', '.benchside')).begin(fixture.store.newId()))).toBe('store-write');
  });

  it('stores what several writers of several stores write at once', async () => {
    const stores = [new RunStore(fixture.root), new RunStore(fixture.root), fixture.store];
    const ids = (await Promise.all(stores.flatMap((each) => Array.from({ length: 8 }, () => fixture.storeRun(each))))).sort();
    expect(new Set(ids).size).toBe(24);
    expect((await fixture.store.list()).map((summary) => summary.id).sort()).toEqual(ids);
    for (const id of ids) expect((await fixture.store.read(id)).id).toBe(id);
  });

  it('lets one of two writers of the same id win, whole', async () => {
    const id = fixture.store.newId();
    const first = await fixture.store.begin(id);
    await expect(fixture.store.begin(id)).rejects.toThrow(FailureError);
    await first.commit(exampleRun({ id, title: 'first' }));
    const second = await fixture.store.begin(id);
    expect(await codeOf(second.commit(exampleRun({ id, title: 'second' })))).toBe('store-write');
    expect((await fixture.store.read(id)).title).toBe('first');
    expect(await fixture.names()).toEqual([id]);
  });
});

describe('ids', () => {
  it('are valid, unique and in order of time', () => {
    const ids = Array.from({ length: 2_000 }, () => fixture.store.newId());
    expect(ids.every((id) => runIdSchema.safeParse(id).success)).toBe(true);
    const times = ids.map((id) => Number.parseInt(id.split('-')[0] ?? '', 36));
    expect(times.every((time, index) => index === 0 || time > (times[index - 1] ?? 0))).toBe(true);
  });

  it('that are paths or anything else are refused by every operation', async () => {
    await fixture.storeRun();
    await writeFile(join(fixture.parent, 'victim'), 'untouched');
    const hostile = [
      '..',
      '../..',
      '../../victim',
      '/etc/passwd',
      '.',
      '',
      'a/../../b',
      '..\\..',
      `${fixture.store.newId()}/..`,
      `${fixture.store.newId()}\n`,
      '.trash-x',
      'run.json\0',
    ];
    for (const id of hostile) {
      const results = [
        fixture.store.read(id),
        fixture.store.readFile(id, 'run.json'),
        fixture.store.remove(id),
        fixture.store.restore(id),
        fixture.store.begin(id),
      ];
      for (const result of results) expect(await codeOf(result), JSON.stringify(id)).toBe('run-id');
    }
    expect(await readFile(join(fixture.parent, 'victim'), 'utf8')).toBe('untouched');
    expect(await fixture.store.list()).toHaveLength(1);
  });
});

describe('the list', () => {
  it('is empty without a store and makes none', async () => {
    expect(await fixture.store.list()).toEqual([]);
    expect(await readdir(fixture.parent)).toEqual([]);
  });

  it('is newest first, with headline and targets', async () => {
    const ids = [
      await fixture.storeRun(fixture.store, 'one'),
      await fixture.storeRun(fixture.store, 'two'),
      await fixture.storeRun(fixture.store, 'three'),
    ];
    const list = await fixture.store.list();
    expect(list.map((summary) => summary.id)).toEqual([...ids].reverse());
    expect(list[0]).toEqual({
      kind: 'run',
      id: ids[2],
      title: 'three',
      startedAt: '2025-06-02T14:02:09.000Z',
      state: 'complete',
      valid: true,
      reasons: [],
      headline: 'Node · pool 2 · 8,472 req/s',
      targets: ['java', 'node'],
      recordings: [],
      marks: { name: null, tags: [], baseline: false },
      againstBaseline: null,
      tuned: false,
      experimentId: null,
      takenPercent: 1.5,
    });
  });

  it('sees changes made by others although it remembers what it read', async () => {
    const other = new RunStore(fixture.root);
    const first = await fixture.storeRun();
    expect(await fixture.store.list()).toHaveLength(1);
    const second = await fixture.storeRun(other);
    expect((await fixture.store.list()).map((summary) => summary.id)).toEqual([second, first]);
    await writeFile(join(fixture.folderOf(second), 'run.json'), '{');
    expect((await fixture.store.list())[0]).toMatchObject({ kind: 'unreadable', problem: 'damaged' });
    await other.remove(first);
    expect(await fixture.store.list()).toHaveLength(1);
  });

  it('passes over other things in the folder', async () => {
    const id = await fixture.storeRun();
    await mkdir(join(fixture.root, 'runs', 'notes'));
    await writeFile(join(fixture.root, 'runs', 'README'), '');
    await mkdir(join(fixture.root, 'runs', '.tmp-1-x'));
    expect((await fixture.store.list()).map((summary) => summary.id)).toEqual([id]);
  });

  it('of 1,000 runs takes little time when nothing changed', async () => {
    await fixture.storeRun();
    for (let count = 0; count < 999; count += 1) {
      const id = fixture.store.newId();
      await mkdir(fixture.folderOf(id));
      await writeFile(join(fixture.folderOf(id), 'run.json'), JSON.stringify(exampleRun({ id })));
    }
    const fresh = new RunStore(fixture.root);
    const started = process.cpuUsage();
    expect((await fresh.list()).filter((summary) => summary.kind === 'run')).toHaveLength(1_000);
    const firstMs = cpuMsSince(started);
    const again = process.cpuUsage();
    expect(await fresh.list()).toHaveLength(1_000);
    const againMs = cpuMsSince(again);
    expect(againMs).toBeLessThan(1_500);
    expect(firstMs).toBeLessThan(15_000);
  }, 60_000);
});

describe('removing', () => {
  it('takes a run off the list until it is restored', async () => {
    const id = await fixture.storeRun();
    const before = await fixture.store.read(id);
    await fixture.store.remove(id);
    expect(await fixture.store.list()).toEqual([]);
    expect(await codeOf(fixture.store.read(id))).toBe('run-not-found');
    expect(await codeOf(fixture.store.remove(id))).toBe('run-not-found');
    await fixture.store.restore(id);
    expect(await fixture.store.read(id)).toEqual(before);
    expect(await codeOf(fixture.store.restore(id))).toBe('run-not-found');
  });

  it('cannot be undone after the trash was emptied', async () => {
    const id = await fixture.storeRun();
    const kept = await fixture.storeRun();
    await fixture.store.remove(id);
    expect(await fixture.store.sweep(Date.now() + 25 * 60 * 60 * 1000)).toBe(1);
    expect(await codeOf(fixture.store.restore(id))).toBe('run-not-found');
    expect(await fixture.names()).toEqual([kept]);
  });

  it('of a run that is not there says so', async () => {
    expect(await codeOf(fixture.store.remove(fixture.store.newId()))).toBe('run-not-found');
    expect(await codeOf(fixture.store.restore(fixture.store.newId()))).toBe('run-not-found');
  });
});

describe('sweeping', () => {
  const own = parseIdentityTag(ownIdentityTag());

  async function leftOver(changes: Partial<ProcessIdentity>): Promise<string> {
    if (own === null) throw new Error('this process has no identity');
    const name = `.tmp-${identityTag({ ...own, ...changes })}-${fixture.store.newId()}`;
    await mkdir(join(fixture.root, 'runs', name), { recursive: true });
    return name;
  }

  it('clears folders of processes that are gone, and never that of one that runs', async () => {
    const writer = await fixture.store.begin(fixture.store.newId());
    await leftOver({ pid: 4_194_400 }); // above the largest pid that Linux gives
    await leftOver({ startTime: '1' });
    await leftOver({ bootId: 'earlier' });
    expect(await fixture.store.sweep()).toBe(3);
    expect(await fixture.names()).toEqual([`.tmp-${ownIdentityTag()}-${writer.id}`]);
    await writer.commit(exampleRun({ id: writer.id }));
    expect(await fixture.store.list()).toHaveLength(1);
  });

  it('leaves a folder that is being written on another machine or in another container, until nothing was written for a day', async () => {
    const foreign = [
      await leftOver({ host: '0badcafe', bootId: 'another' }),
      await leftOver({ host: '0badcafe', pidNamespace: '7', pid: 4_194_400 }),
      await leftOver({ pidNamespace: '7', pid: 4_194_400 }),
    ];
    expect(await fixture.store.sweep(Date.now() + 23 * 3_600_000)).toBe(0);
    expect(await fixture.names()).toEqual(foreign.sort());
    const [first = ''] = foreign;
    const written = new Date(Date.now() + 10 * 3_600_000);
    await writeFile(join(fixture.root, 'runs', first, 'ticks.ndjson'), '{}');
    await utimes(join(fixture.root, 'runs', first, 'ticks.ndjson'), written, written);
    expect(await fixture.store.sweep(Date.now() + 25 * 3_600_000)).toBe(2);
    expect(await fixture.names()).toEqual([first]);
  });

  it('keeps the trash for a day', async () => {
    const id = await fixture.storeRun();
    await fixture.store.remove(id);
    expect(await fixture.store.sweep(Date.now() + 23 * 3_600_000)).toBe(0);
    expect(await fixture.store.sweep(Date.now() + 25 * 3_600_000)).toBe(1);
    expect(await fixture.names()).toEqual([]);
  });

  it('touches no run and nothing that it does not know', async () => {
    const id = await fixture.storeRun();
    await mkdir(join(fixture.root, 'runs', '.tmp-mine'));
    await mkdir(join(fixture.root, 'runs', '.trash'));
    expect(await fixture.store.sweep(Date.now() + 1e12)).toBe(0);
    expect(await fixture.names()).toEqual(['.tmp-mine', '.trash', id].sort());
    expect((await lstat(fixture.folderOf(id))).isDirectory()).toBe(true);
  });
});

describe('a store that must not be written', () => {
  it.skipIf(process.getuid?.() === 0)('says so', async () => {
    await fixture.storeRun();
    await chmod(join(fixture.root, 'runs'), 0o500);
    expect(await codeOf(fixture.store.begin(fixture.store.newId()))).toBe('store-not-writable');
    await chmod(join(fixture.root, 'runs'), 0o700);
  });
});

import { readFile, readdir, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readListedRun } from '../../../src/engine/runs/listedRun.ts';
import { noMarks } from '../../../src/engine/runs/runMarks.ts';
import { RunStore } from '../../../src/engine/runs/runStore.ts';
import { useStore } from './storeFixture.ts';

const fixture = useStore();

/** The store as the next engine sees it, and of which runs it reads the whole record. */
function nextStore(): { store: RunStore; read: string[] } {
  const read: string[] = [];
  const store = new RunStore(fixture.root, {
    readListed: (folder, id) => {
      read.push(id);
      return readListedRun(folder, id);
    },
  });
  return { store, read };
}

const indexFile = (): string => join(fixture.root, '.runs.index');

describe('the index of the runs', () => {
  it('spares the next engine to read the records, and says the same', async () => {
    for (const title of ['one', 'two', 'three']) await fixture.storeRun(fixture.store, title);
    const list = await fixture.store.list();
    const next = nextStore();
    expect(await next.store.list()).toEqual(list);
    expect(next.read).toEqual([]);
  });

  it('is passed over for a run of which anything has changed', async () => {
    const [changed, marked, same] = [await fixture.storeRun(), await fixture.storeRun(), await fixture.storeRun()];
    await fixture.store.list();
    await truncate(join(fixture.folderOf(changed), 'histogram-1.txt'), 3);
    await nextStore().store.mark(marked, { ...noMarks, name: 'the best' });
    const next = nextStore();
    const rows = new Map((await next.store.list()).map((row) => [row.id, row]));
    expect(next.read.sort()).toEqual([changed, marked].sort());
    expect(rows.get(changed)).toMatchObject({ kind: 'unreadable', reason: expect.stringContaining('3 bytes instead of 9') as string });
    expect(rows.get(marked)).toMatchObject({ kind: 'run', marks: { name: 'the best' } });
    expect(rows.get(same)).toMatchObject({ kind: 'run' });
  });

  it.each<[string, (text: string) => string | null]>([
    ['missing', () => null],
    ['empty', () => ''],
    ['cut short', (text) => text.slice(0, text.length / 2)],
    ['of another version', (text) => text.replace(/runs \d+/, 'runs 99')],
    ['full of other things', (text) => text.replaceAll('"kind":"run"', '"kind":"walk"')],
    ['about other runs', (text) => text.replace(/"id":"[^"]+"/g, '"id":"another"')],
    ['no text', () => '\0\xff\n\n{}[]"'],
  ])('that is %s is made anew', async (_what, damage) => {
    const ids = [await fixture.storeRun(), await fixture.storeRun()];
    const list = await fixture.store.list();
    const damaged = damage(await readFile(indexFile(), 'utf8'));
    if (damaged === null) await rm(indexFile());
    else await writeFile(indexFile(), damaged);
    const next = nextStore();
    expect(await next.store.list()).toEqual(list);
    expect(next.read.length).toBeGreaterThan(0);
    const later = nextStore();
    expect(await later.store.list()).toEqual(list);
    expect(later.read).toEqual([]);
    expect(list.map(({ id }) => id).sort()).toEqual(ids.sort());
  });

  it.skipIf(process.platform === 'win32')('is not written through a link', async () => {
    await fixture.storeRun();
    const elsewhere = join(fixture.parent, 'precious');
    await writeFile(elsewhere, 'mine');
    await symlink(elsewhere, indexFile());
    expect(await fixture.store.list()).toHaveLength(1);
    expect(await readFile(elsewhere, 'utf8')).toBe('mine');
  });

  it('forgets runs that are gone, and is none where there is no store', async () => {
    const id = await fixture.storeRun();
    await fixture.store.list();
    await fixture.store.remove(id);
    const kept = await fixture.storeRun();
    await fixture.store.list();
    const text = await readFile(indexFile(), 'utf8');
    expect(text).not.toContain(id);
    expect(text).toContain(kept);
    const nowhere = join(fixture.parent, 'nowhere');
    expect(await new RunStore(nowhere).list()).toEqual([]);
    expect(await readdir(fixture.parent)).toEqual(['.benchside']);
  });
});

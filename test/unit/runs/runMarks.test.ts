import { randomBytes } from 'node:crypto';
import { readdir, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RunMarks, RunSummary } from '../../../src/model/domain/run.ts';
import { RunStore } from '../../../src/engine/runs/runStore.ts';
import { exampleEnvironment, exampleRun, exampleTrial } from '../../support/runRecords.ts';
import { codeOf, useStore } from './storeFixture.ts';

const fixture = useStore();
const marks = (some: Partial<RunMarks> = {}): RunMarks => ({ name: null, tags: [], baseline: false, ...some });

/** Stores a run of one Java setting with eight blocks. */
async function store(throughput: number, extra: Parameters<typeof exampleRun>[0] = {}, target: 'java' | 'node' = 'java'): Promise<string> {
  const id = fixture.store.newId();
  const writer = await fixture.store.begin(id);
  await writer.commit(exampleRun({ id, recommendations: [], trials: [exampleTrial({ target, throughput, rounds: 8 })], ...extra }));
  return id;
}

async function rows(from = fixture.store): Promise<Map<string, Extract<RunSummary, { kind: 'run' }>>> {
  return new Map((await from.list()).flatMap((summary) => (summary.kind === 'run' ? [[summary.id, summary] as const] : [])));
}

describe('marks of a run', () => {
  it('are kept beside the record, tidied, and read by another store', async () => {
    const id = await fixture.storeRun();
    const record = await stat(join(fixture.folderOf(id), 'run.json'));
    await fixture.store.mark(id, marks({ name: '  before\nthe  upgrade ', tags: ['slow', ' slow ', '', 'ci'] }));
    const again = new RunStore(fixture.root);
    expect((await rows(again)).get(id)?.marks).toEqual({ name: 'before the upgrade', tags: ['slow', 'ci'], baseline: false });
    expect(await again.marks(id)).toEqual({ name: 'before the upgrade', tags: ['slow', 'ci'], baseline: false });
    expect((await stat(join(fixture.folderOf(id), 'run.json'))).mtimeMs).toBe(record.mtimeMs);
    expect((await fixture.store.read(id)).title).toBe('A run');
    expect((await readdir(fixture.folderOf(id))).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  it('show at once in the list that was read before', async () => {
    const id = await fixture.storeRun();
    expect((await rows()).get(id)?.marks.name).toBeNull();
    await fixture.store.mark(id, marks({ name: 'one' }));
    expect((await rows()).get(id)?.marks.name).toBe('one');
    await fixture.store.mark(id, marks());
    expect((await rows()).get(id)?.marks.name).toBeNull();
  });

  it('survive deleting and restoring', async () => {
    const id = await fixture.storeRun();
    await fixture.store.mark(id, marks({ name: 'kept' }));
    await fixture.store.remove(id);
    expect(await codeOf(fixture.store.mark(id, marks({ name: 'lost' })))).toBe('run-not-found');
    await fixture.store.restore(id);
    expect((await rows()).get(id)?.marks.name).toBe('kept');
  });

  it('that are damaged, too large, of another kind or a link are ignored, and the run stays whole', async () => {
    for (const content of ['', '{', '[]', '{"name":5}', randomBytes(2_000).toString('latin1'), `{"name":"${'x'.repeat(100_000)}"}`]) {
      const id = await fixture.storeRun();
      await writeFile(join(fixture.folderOf(id), 'marks.json'), content);
      expect((await rows()).get(id)?.marks).toEqual(marks());
      expect((await fixture.store.read(id)).id).toBe(id);
      await fixture.store.mark(id, marks({ name: 'new' }));
      expect((await rows()).get(id)?.marks.name).toBe('new');
    }
    const id = await fixture.storeRun();
    await writeFile(join(fixture.parent, 'elsewhere.json'), '{"name":"stolen"}');
    await symlink(join(fixture.parent, 'elsewhere.json'), join(fixture.folderOf(id), 'marks.json'));
    expect((await rows()).get(id)?.marks.name).toBeNull();
  });

  it('are refused when they are too long or too many, and for a run that is not there', async () => {
    const id = await fixture.storeRun();
    expect(await codeOf(fixture.store.mark(id, marks({ name: 'x'.repeat(81) })))).toBe('run-marks');
    expect(await codeOf(fixture.store.mark(id, marks({ tags: Array.from({ length: 11 }, (_, index) => `t${index}`) })))).toBe('run-marks');
    expect(await codeOf(fixture.store.mark(fixture.store.newId(), marks()))).toBe('run-not-found');
    expect(await codeOf(fixture.store.mark('../../etc', marks()))).toBe('run-id');
    expect(await codeOf(fixture.store.marks('../../etc'))).toBe('run-id');
  });
});

describe('the baseline', () => {
  it('is one for the same targets: pinning another one moves it', async () => {
    const [first, second] = [await store(7_900), await store(7_900)];
    const other = await store(8_400, {}, 'node');
    for (const id of [first, other, second]) await fixture.store.mark(id, marks({ name: id.slice(0, 8), baseline: true }));
    const listed = await rows();
    expect([first, second, other].map((id) => listed.get(id)?.marks.baseline)).toEqual([false, true, true]);
    expect(listed.get(first)?.marks.name).toBe(first.slice(0, 8));
    expect(listed.get(second)?.againstBaseline).toBeNull();
    expect(listed.get(other)?.againstBaseline).toBeNull();
  });

  it('tells a run that is clearly slower, and does not accuse one that drifted', async () => {
    const base = await store(8_000);
    const [slow, drifted, fast] = [await store(6_400), await store(7_700), await store(9_900)];
    await fixture.store.mark(base, marks({ baseline: true }));
    const listed = await rows();
    expect(listed.get(slow)?.againstBaseline).toMatchObject({
      baselineId: base,
      verdict: 'worse',
      basis: { code: 'setting', target: 'java', values: { pool: 8 }, ratio: { mean: expect.closeTo(0.8, 2) as number } },
    });
    expect(listed.get(drifted)?.againstBaseline?.verdict).toBe('unknown');
    expect(listed.get(fast)?.againstBaseline?.verdict).toBe('better');
  });

  it('judges by the worst setting', async () => {
    const pools = [2, 4, 8, 16].map((pool) => exampleTrial({ settings: { pool }, rounds: 8 }));
    const base = await store(0, { trials: pools });
    const run = await store(0, {
      trials: pools.map((trial, index) => (index === 2 ? exampleTrial({ settings: { pool: 8 }, throughput: 5_900, rounds: 8 }) : trial)),
    });
    await fixture.store.mark(base, marks({ baseline: true }));
    expect((await rows()).get(run)?.againstBaseline).toMatchObject({
      verdict: 'worse',
      basis: { values: { pool: 8 } },
    });
  });

  it('is not held against other machines, other requests and other settings', async () => {
    const base = await store(8_000);
    const elsewhere = await store(4_000, { environment: exampleEnvironment({ cores: 2 }) });
    const otherRequests = await store(4_000, { routes: { java: ['GET /hello 100 %'] } });
    const otherSetting = await store(4_000, { trials: [exampleTrial({ settings: { pool: 2 }, throughput: 4_000 })] });
    await fixture.store.mark(base, marks({ baseline: true }));
    const listed = await rows();
    const bases = [elsewhere, otherRequests, otherSetting].map((id) => listed.get(id)?.againstBaseline);
    expect(bases.map((against) => against?.verdict)).toEqual(['unknown', 'unknown', 'unknown']);
    expect(bases.map((against) => against?.basis.code)).toEqual(['other-machine', 'no-common-setting', 'no-common-setting']);
  });

  it('is gone with its run, and back with it', async () => {
    const [base, slow] = [await store(8_000), await store(6_000)];
    await fixture.store.mark(base, marks({ baseline: true }));
    await fixture.store.remove(base);
    expect((await rows()).get(slow)?.againstBaseline).toBeNull();
    await fixture.store.restore(base);
    expect((await rows()).get(slow)?.againstBaseline?.verdict).toBe('worse');
  });
});

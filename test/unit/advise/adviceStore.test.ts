import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AdviceStore } from '../../../src/engine/advise/adviceStore.ts';
import { adviceHandlers } from '../../../src/engine/handlers/adviceHandlers.ts';
import { timedId } from '../../../src/engine/files/storeFolder.ts';
import type { AdviceRecord } from '../../../src/model/domain/adviceRecord.ts';
import { advice, exampleAdvice, pool } from '../../support/adviceRecords.ts';

let root = '';
let store: AdviceStore;

beforeEach(() => {
  root = path.join(mkdtempSync(path.join(tmpdir(), 'benchside-advice-')), '.benchside');
  store = new AdviceStore(root, () => ['s3cret-password']);
});
afterEach(() => rmSync(path.dirname(root), { recursive: true, force: true }));

function found(more: Partial<AdviceRecord> = {}): Parameters<AdviceStore['add']>[0] {
  const { startedAt, outcome, request, advice: what } = exampleAdvice(more);
  return { startedAt, outcome, request, advice: what };
}
const fileOf = (id: string): string => path.join(store.folder, id, 'advice.json');
const codeOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'none',
    (error: { failure?: { code: string } }) => error.failure?.code ?? String(error),
  );

describe('the advices of a workspace', () => {
  it('gives back what was stored, with the runs that are its evidence', async () => {
    const stored = await store.add(found());
    expect(await store.read(stored.id)).toEqual(stored);
    expect(stored.advice.runs).toEqual(advice.runs);
    expect(readFileSync(path.join(root, '.gitignore'), 'utf8')).toBe('*\n');
  });

  it('lists the newest first, among the SQL files of its folder, and leaves out what is damaged', async () => {
    const older = await store.add(found({ startedAt: '2026-01-01T00:00:00.000Z' }));
    const newer = await store.add(found());
    writeFileSync(path.join(store.folder, 'ads_seller_idx.sql'), 'CREATE INDEX …');
    const broken = await store.add(found());
    writeFileSync(fileOf(broken.id), '{');
    expect((await store.list()).map(({ id }) => id)).toEqual([newer.id, older.id]);
    expect(await codeOf(store.read(broken.id))).toBe('advice-damaged');
  });

  it('reads what limits now as earlier versions stored it', async () => {
    const stored = await store.add(found());
    const verdict = { kind: 'database-cpu', headline: 'The database is full.' };
    writeFileSync(fileOf(stored.id), JSON.stringify({ ...stored, advice: { ...stored.advice, verdict } }));
    const { said } = (await store.read(stored.id)).advice.verdict ?? {};
    expect(said).toEqual({ code: 'recorded', sentence: 'The database is full.' });
  });

  it('refuses what does not fit its schema, what has the id of another, and what a later version wrote', async () => {
    const { id } = await store.add(found());
    const stored = await store.read(id);
    const codes = [
      { ...stored, advice: { ...stored.advice, tried: [{ ...pool, verdict: 'great' }] } },
      { ...stored, id: timedId() },
      { ...stored, schemaVersion: 2 },
    ].map(async (other) => {
      const copy = timedId();
      mkdirSync(path.join(store.folder, copy));
      writeFileSync(fileOf(copy), JSON.stringify({ ...other, id: other.id === id ? copy : other.id }));
      return codeOf(store.read(copy));
    });
    expect(await Promise.all(codes)).toEqual(['advice-damaged', 'advice-damaged', 'advice-newer']);
    expect(await codeOf(store.read('../../etc'))).toBe('advice-not-found');
  });

  it('keeps no secret', async () => {
    const { id } = await store.add(
      found({ advice: { ...advice, tried: [{ ...pool, apply: [{ where: 'environment', text: 'URL=s3cret-password' }] }] } }),
    );
    expect(readFileSync(fileOf(id), 'utf8')).not.toContain('s3cret-password');
  });

  it('takes one off the list and brings it back', async () => {
    const { id } = await store.add(found());
    await store.remove(id);
    expect(await store.list()).toEqual([]);
    expect(await codeOf(store.read(id))).toBe('advice-not-found');
    await store.restore(id);
    expect((await store.read(id)).id).toBe(id);
    expect(await codeOf(store.restore(id))).toBe('advice-not-found');
  });

  it('answers a client with rows that say what helps, and with a report by the document that exists', async () => {
    const { id } = await store.add(found());
    const handlers = adviceHandlers(store);
    expect((await handlers['advice/list']()).advice).toMatchObject([{ id, tried: 3, useful: ['index ads (seller)', 'pool=<b>4'] }]);
    const { text, suggestedName } = await handlers['advice/report']({ id, format: 'markdown' });
    expect(suggestedName).toBe('benchside-advice-20260102-0304.md');
    expect(text).toContain('# What would help: Shop');
  });
});

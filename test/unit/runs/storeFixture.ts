import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect } from 'vitest';
import { FailureError } from '../../../src/model/domain/failure.ts';
import { RunStore } from '../../../src/engine/runs/runStore.ts';
import { exampleRun } from '../../support/runRecords.ts';

/** A store in a folder of its own, new for each test of the file that asks for it. */
export interface StoreFixture {
  parent: string;
  root: string;
  store: RunStore;
  folderOf: (id: string) => string;
  /** Names in `runs`, sorted. */
  names: () => Promise<string[]>;
  /** Stores a run with two files next to its record and gives its id. */
  storeRun: (store?: RunStore, title?: string) => Promise<string>;
}

export function useStore(): StoreFixture {
  const fixture: StoreFixture = {
    parent: '',
    root: '',
    store: new RunStore('/nowhere'),
    folderOf: (id) => join(fixture.root, 'runs', id),
    names: async () => (await readdir(join(fixture.root, 'runs'))).sort(),
    storeRun: async (store = fixture.store, title = 'A run') => {
      const id = store.newId();
      const writer = await store.begin(id);
      await writer.writeFile('histogram-1.txt', 'HISTOGRAM');
      const ticks = writer.append('ticks.ndjson');
      for (let index = 0; index < 5; index += 1) ticks.add({ index });
      await writer.commit(exampleRun({ id, title }));
      return id;
    },
  };
  beforeEach(async () => {
    fixture.parent = await mkdtemp(join(tmpdir(), 'benchside-runs-'));
    fixture.root = join(fixture.parent, '.benchside');
    fixture.store = new RunStore(fixture.root);
  });
  afterEach(() => rm(fixture.parent, { recursive: true, force: true }));
  return fixture;
}

/** The code of the failure that a promise ends with; the failure must say what happened and what to do. */
export async function codeOf(promise: Promise<unknown>): Promise<string> {
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

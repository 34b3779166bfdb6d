import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { catalogSchema } from '../../../src/model/protocol.ts';
import { runRecordSchema } from '../../../src/model/run.ts';

const read = (name: string): unknown => JSON.parse(readFileSync(new URL(`../../fixtures/${name}`, import.meta.url), 'utf8'));

describe('the examples that previews and tests are fed with', () => {
  it('runExample.json is a valid run record', () => {
    expect(runRecordSchema.safeParse(read('runExample.json')).error?.issues ?? []).toEqual([]);
  });
  it('catalogExample.json is a valid catalog', () => {
    expect(catalogSchema.safeParse(read('catalogExample.json')).error?.issues ?? []).toEqual([]);
  });
});

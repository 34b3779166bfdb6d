import { describe, expect, it } from 'vitest';
import {
  type PlanChange,
  planChangeKinds,
  planChangeText,
  planChangesSchema,
  scansPhrase,
  tableScansSchema,
} from '../../../src/model/domain/planChangeKinds.ts';
import { type Words, expectTable } from '../../support/verdictWords.ts';

const words: Words<PlanChange> = [
  [{ code: 'scans', table: 'items', from: ['Index Scan'], to: ['Seq Scan'] }, 'index scan → sequential scan on items'],
  [
    { code: 'scans', table: 'items', from: [], to: ['Bitmap Heap Scan', 'Index Only Scan'] },
    'not read → bitmap scan and index only scan on items',
  ],
  [{ code: 'scans', table: 'items', from: ['Tid Scan'], to: [] }, 'scan by row’s place → not read on items'],
  [
    { code: 'indexes', table: 'items', scans: ['Index Scan'], from: ['by_group', 'by_name'], to: ['items_pkey'] },
    'index scan by by_group and by_name → by items_pkey on items',
  ],
  [{ code: 'joins', from: ['Hash Left Join', 'Nested Loop'], to: [] }, 'hash left join and nested loop → no join'],
  [{ code: 'joins', from: [], to: ['Merge Join'] }, 'no join → merge join'],
  [{ code: 'sorts', more: true }, 'a sort more'],
  [{ code: 'sorts', more: false }, 'a sort less'],
  [{ code: 'recorded', sentence: 'index scan → hash on items' }, 'index scan → hash on items'],
];

describe('what a plan does otherwise', () => {
  expectTable(
    words,
    Object.keys(planChangeKinds),
    (change) => planChangeText([change]),
    (change) => planChangesSchema.parse([change])[0],
  );

  it('is one phrase of all its changes, as a record of before holds it', () => {
    const before = 'nested loop → hash left join, a sort more';
    const joined: PlanChange[] = [
      { code: 'joins', from: ['Nested Loop'], to: ['Hash Left Join'] },
      { code: 'sorts', more: true },
    ];
    expect(planChangeText(joined)).toBe(before);
    expect(planChangeText(planChangesSchema.parse(before))).toBe(before);
  });

  it('names how a table is read, also by the phrase of a record of before', () => {
    expect(scansPhrase({ table: 'items', scans: ['Seq Scan'] })).toBe('sequential scan on items');
    expect(scansPhrase(tableScansSchema.parse('sequential scan on items'))).toBe('sequential scan on items');
  });
});

import * as z from 'zod';
import { type OneOf, recorded, saidIn, storedOrSentence, worded } from './findingTable.ts';
import { keysOf } from './keysOf.ts';

const scanNames = {
  'Seq Scan': 'sequential scan',
  'Index Only Scan': 'index only scan',
  'Index Scan': 'index scan',
  'Bitmap Heap Scan': 'bitmap scan',
  'Tid Scan': 'scan by row’s place',
} as const;
const scans = z.array(z.enum(keysOf(scanNames))).describe('each once, as PostgreSQL names it');
const names = z.array(z.string());

/** How a table is read, as PostgreSQL names it. */
export type ScanKind = keyof typeof scanNames;

/** How a plan reads a table. Records of before hold it as a phrase. */
export const tableScansSchema = z.union([z.object({ table: z.string(), scans }), z.string()]);
export type TableScans = z.infer<typeof tableScansSchema>;

/** E.g. “sequential scan on items”. */
export function scansPhrase(of: TableScans): string {
  return typeof of === 'string' ? of : `${scansText(of.scans)} on ${of.table}`;
}

function scansText(kinds: readonly ScanKind[]): string {
  return kinds.map((kind) => scanNames[kind]).join(' and ');
}

/** What PostgreSQL does otherwise with a statement in head than in base. */
export const planChangeKinds = {
  scans: worded({ table: z.string(), from: scans, to: scans }).says(
    ({ table, from, to }) => `${scansText(from) || 'not read'} → ${scansText(to) || 'not read'} on ${table}`,
  ),
  indexes: worded({ table: z.string(), scans, from: names, to: names }).says(
    ({ table, scans: kinds, from, to }) => `${scansText(kinds)} by ${from.join(' and ')} → by ${to.join(' and ')} on ${table}`,
  ),
  joins: worded({ from: names, to: names }).says(({ from, to }) => `${joinsText(from)} → ${joinsText(to)}`),
  sorts: worded({ more: z.boolean() }).says(({ more }) => (more ? 'a sort more' : 'a sort less')),
  recorded,
} as const;

function joinsText(joins: readonly string[]): string {
  return joins.length === 0 ? 'no join' : joins.join(' and ').toLowerCase();
}

export type PlanChange = OneOf<typeof planChangeKinds>;

/** A record of before holds all of them as one phrase. */
export const planChangesSchema = z.preprocess(
  (found) => (typeof found === 'string' ? [found] : found),
  z.array(storedOrSentence('planChange', planChangeKinds)),
);

/** E.g. “index scan → sequential scan on items, a sort more”. */
export function planChangeText(changes: readonly PlanChange[]): string {
  return changes.map((change) => saidIn(planChangeKinds, change)).join(', ');
}

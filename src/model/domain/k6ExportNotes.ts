import * as z from 'zod';
import { keysOf } from './keysOf.ts';

const words = {
  fresh: 'Nothing is confirmed in fresh processes: each test has fresh ones.',
  recording: 'Nothing is recorded: profilers are attached on one machine only.',
  raw: 'Raw samples are not kept by an import; k6’s own files have every request.',
  topology: 'What stands around the instances (a proxy, shares of the CPU) is the cluster’s business.',
  mode: 'The cluster also activates each setting: value.sh.',
  'fewest-rounds': 'The fewest rounds of the load profile are planned; more of them make intervals narrower (--rounds).',
} as const;

/** What a run asks for and a folder for k6 has not, or what can be asked of it. */
export const k6ExportNoteSchema = z.enum(keysOf(words));
export type K6ExportNote = z.infer<typeof k6ExportNoteSchema>;

export function k6ExportNoteText(note: K6ExportNote): string {
  return words[note];
}

import { expect, it } from 'vitest';
import { k6ExportNoteSchema, k6ExportNoteText } from '../../../src/model/domain/k6ExportNotes.ts';

it('says what an export for k6 leaves out, and what can be asked of it', () => {
  expect(Object.fromEntries(k6ExportNoteSchema.options.map((note) => [note, k6ExportNoteText(note)]))).toEqual({
    fresh: 'Nothing is confirmed in fresh processes: each test has fresh ones.',
    recording: 'Nothing is recorded: profilers are attached on one machine only.',
    raw: 'Raw samples are not kept by an import; k6’s own files have every request.',
    topology: 'What stands around the instances (a proxy, shares of the CPU) is the cluster’s business.',
    mode: 'The cluster also activates each setting: value.sh.',
    'fewest-rounds': 'The fewest rounds of the load profile are planned; more of them make intervals narrower (--rounds).',
  });
});

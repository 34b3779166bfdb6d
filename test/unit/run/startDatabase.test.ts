import { expect, it } from 'vitest';
import type { Step } from '../../../src/model/domain/progress/stepKinds.ts';
import type { RunNote } from '../../../src/model/domain/runNoteKinds.ts';
import { startDatabase } from '../../../src/engine/run/runLife.ts';

type Started = Parameters<typeof startDatabase>;

const remark = { code: 'sql-remark', file: 'schema.sql', kind: 'role-left', reason: 'app', statement: '', alone: true } as const;

it('says once what PostgreSQL remarks on a file: as a note, and not as a step besides', async () => {
  const [steps, notes]: [Step[], RunNote[]] = [[], []];
  const applying = { code: 'applying-sql', file: 'schema.sql', database: 'shop' } as const;
  const data = {
    wanted: true,
    prepare: (_address: unknown, say: (step: Step) => void) => {
      say(applying);
      say(remark);
      return Promise.resolve();
    },
    notesOn: () => [remark],
    databasesOn: () => [],
  } as unknown as Started[0];
  const context = { postgres: { database: () => Promise.resolve({ address: {} }) } } as unknown as Started[1];
  const say = (step: Step): void => void steps.push(step);
  await startDatabase(data, context, { begin: say, say, note: (note) => void notes.push(note) });
  expect(steps).toEqual([{ code: 'starting-postgres' }, applying]);
  expect(notes).toEqual([remark]);
});

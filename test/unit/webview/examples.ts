import { readFileSync } from 'node:fs';
import type { Form } from '../../../src/model/protocol/panel.ts';
import { type Catalog, catalogSchema } from '../../../src/model/protocol/protocol.ts';
import { emptyForm } from '../../../src/model/presentation/emptyForm.ts';
import { type RunRecord, type Trial, runRecordSchema } from '../../../src/model/domain/run.ts';

const read = (name: string): unknown => JSON.parse(readFileSync(new URL(`../../fixtures/${name}`, import.meta.url), 'utf8'));

/** A run of two targets with five pool sizes each; the last Java trial is not valid. */
export const exampleRun: RunRecord = runRecordSchema.parse(read('runExample.json'));

/** Two samples and one target of the workspace. */
export const exampleCatalog: Catalog = catalogSchema.parse(read('catalogExample.json'));

/** What the form holds for {@link exampleRun}. */
export const exampleForm: Form = {
  ...emptyForm,
  targets: ['java', 'node'],
  values: { pool: '2, 4, 8' },
  load: 'steady',
  connections: '32',
  durationS: '4',
  rounds: '3',
};

/** A trial of the example with other settings or figures. */
export function trialWith(part: Partial<Trial>): Trial {
  const first = exampleRun.trials[0];
  if (!first) throw new Error('the example has no trial');
  return { ...first, ...part };
}

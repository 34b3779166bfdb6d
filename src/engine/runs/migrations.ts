import { answersToCodes } from './answersToCodes.ts';
import { commonTerms } from './commonTerms.ts';
import { diffsToFacts } from './diffsToFacts.ts';
import { oneResult } from './oneResult.ts';
import { notesToCodes, sentencesToFindings } from './sentencesToFindings.ts';
import { verdictsToCodes } from './verdictsToCodes.ts';
import { runSchemaVersion } from '../../model/domain/run.ts';

/** Takes the parsed `run.json` of one version to the next. Pure: it neither reads files nor looks at the clock. */
export type Migration = (record: Readonly<Record<string, unknown>>) => Record<string, unknown>;

/**
 * By the version they start from. A change of the record's shape raises `runSchemaVersion`, adds the step here, and leaves examples of
 * the old version in `test/fixtures/runs/v<n>/`, which the tests read with the current code.
 */
export const migrations: Readonly<Record<number, Migration>> = {
  1: sentencesToFindings,
  2: notesToCodes,
  3: oneResult,
  4: commonTerms,
  5: answersToCodes,
  6: (record) => diffsToFacts(verdictsToCodes(record)),
};

/**
 * Brings an older record to the current version, step by step.
 *
 * @throws Error when a step is missing.
 */
export function migrate(
  record: Readonly<Record<string, unknown>>,
  fromVersion: number,
  steps: Readonly<Record<number, Migration>> = migrations,
  toVersion: number = runSchemaVersion,
): Readonly<Record<string, unknown>> {
  let current = record;
  for (let version = fromVersion; version < toVersion; version += 1) {
    const step = steps[version];
    if (step === undefined) throw new Error(`records of version ${version} cannot be read any more`);
    current = { ...step(current), schemaVersion: version + 1 };
  }
  return current;
}

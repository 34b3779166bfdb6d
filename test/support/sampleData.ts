import path from 'node:path';
import type { DatabaseWants } from '../../src/engine/services/prepareDatabase.ts';

const samplesDir = path.resolve(import.meta.dirname, '../../samples');

/** The database of the shared server of which each file's own is a copy. */
export const seededDatabase = 'bulletin_board_seeded';

/** What the samples and the lab want to find in their database. */
export function sampleWants(database: string): DatabaseWants {
  const file = (name: string): string => path.join(samplesDir, name);
  return {
    database,
    folder: samplesDir,
    sqlFiles: ['database/001_schema.sql', 'database/002_seed.sql', 'lab/database/003_workloads.sql'].map(file),
    prepareFiles: ['database/prepare.sql', 'lab/database/prepare.sql'].map(file),
  };
}

import { reapKilled } from './reap.ts';

/** How long it may take at most: PostgreSQL's ladder, and the folders. */
const limitMs = 60_000;

// Started by the guardian of an engine that has ended without removing its journal: `reaper.cjs JOURNAL FOLDER…`.
const [journalFile, ...folders] = process.argv.slice(2);
setTimeout(() => process.exit(1), limitMs).unref();
if (journalFile !== undefined) void reapKilled(journalFile, folders).finally(() => process.exit(0));

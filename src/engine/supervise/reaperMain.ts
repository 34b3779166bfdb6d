import { afterInput } from './guardian.ts';
import { reapKilled } from './reap.ts';

/** How long it may take at most: PostgreSQL's ladder, and the folders. */
const limitMs = 60_000;

// Started by the guardian of an engine that has ended without removing its journal: `reaper.cjs JOURNAL FOLDER…`; or where it is the guardian itself,
// `reaper.cjs --after-input JOURNAL FOLDER…`, which an engine that ended in order has left nothing to do.
const waits = process.argv[2] === afterInput;
const [journalFile, ...folders] = process.argv.slice(waits ? 3 : 2);
function reap(): void {
  setTimeout(() => process.exit(1), limitMs).unref();
  if (journalFile !== undefined) void reapKilled(journalFile, folders).finally(() => process.exit(0));
}
if (waits) process.stdin.on('error', reap).once('end', reap).resume();
else reap();

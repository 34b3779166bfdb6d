import { failure } from '../../model/domain/failure.ts';

/** Open files that the generator needs besides its connections: pipes, timers, modules, and a connection that is being replaced here and there. */
const spareDescriptors = 64;
/** The lowest limit that is usual; fewer connections are not worth a look. */
const lowestUsualLimit = 256;

/** The part of Node's report that is read here. */
interface UserLimits {
  userLimits?: { open_files?: { soft?: number | string } };
}

/** Fails with `load-descriptors` when this process may not open so many connections. Node has already raised its limit as far as it may. */
export function requireDescriptors(connections: number): void {
  const needed = connections + spareDescriptors;
  if (needed <= lowestUsualLimit) return;
  const limit = openFilesLimit();
  if (needed <= limit) return;
  throw failure(
    'load-descriptors',
    `${connections} connections need ${needed} open files, and the load generator may have ${limit}.`,
    `Use at most ${limit - spareDescriptors} connections, or raise the limit on open files (ulimit -n ${needed}) in the shell or service that starts the editor.`,
  );
}

let knownLimit: number | undefined;

/** How many files this process may have open; Infinity where there is no limit, or none to be read (Windows). */
function openFilesLimit(): number {
  // Looking takes some 50 ms, and a process does not change its limit.
  return (knownLimit ??= readOpenFilesLimit());
}

function readOpenFilesLimit(): number {
  // Else the report looks up the names of all peers.
  Object.assign(process.report, { excludeNetwork: true });
  const { userLimits } = process.report.getReport() as UserLimits;
  const soft = userLimits?.open_files?.soft;
  return typeof soft === 'number' ? soft : Infinity;
}

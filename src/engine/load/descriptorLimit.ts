import { failure } from '../../model/domain/failure.ts';
import { descriptorLimits } from '../limits/descriptorLimits.ts';

/** Open files that the generator needs besides its connections: pipes, timers, modules, and a connection that is being replaced here and there. */
const spareDescriptors = 64;
/** The lowest limit that is usual; fewer connections are not worth a look. */
const lowestUsualLimit = 256;
/** A process does not change its limit, and where there is no /proc looking takes some 50 ms. */
let knownLimit: number | undefined;

/** Fails with `load-descriptors` when this process may not open so many connections. Node has already raised its limit as far as it may. */
export function requireDescriptors(connections: number): void {
  const needed = connections + spareDescriptors;
  if (needed <= lowestUsualLimit) return;
  const limit = (knownLimit ??= descriptorLimits()?.soft ?? Infinity);
  if (needed <= limit) return;
  throw failure(
    'load-descriptors',
    `${connections} connections need ${needed} open files, and the load generator may have ${limit}.`,
    `Use at most ${limit - spareDescriptors} connections, or raise the limit on open files (ulimit -n ${needed}) in the shell or service that starts the editor.`,
  );
}

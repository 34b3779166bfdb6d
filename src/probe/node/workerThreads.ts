import type { KnownClass } from './emitterWatch.ts';
import { hasMethods } from './objects.ts';
import type { PoolRegistry } from './pools/poolRegistry.ts';

/** Says so when the app has worker threads, since the probe observes the main thread only. */
export function workerThreads(registry: PoolRegistry): KnownClass {
  return {
    recognizes: (prototype) => hasMethods(prototype, 'postMessage', 'terminate', 'getHeapSnapshot'),
    found: () => registry.note('The app has worker threads: pools and requests in them are not seen.'),
  };
}

/** A service of `services` with one thing planted. */
export interface Planted {
  runtime: 'node' | 'jvm';
  /** Its variable KIND. */
  kind: string;
  /** What it is, for the page. */
  is: string;
  leaks: boolean;
  /** What the answer has to name: a variable, a class, or a place in the source; null where nothing leaks. */
  names: readonly string[] | null;
}

const leak = (runtime: Planted['runtime'], kind: string, is: string, ...names: string[]): Planted => ({
  runtime,
  kind,
  is,
  leaks: true,
  names,
});
const none = (runtime: Planted['runtime'], kind: string, is: string): Planted => ({ runtime, kind, is, leaks: false, names: null });

export const planted: readonly Planted[] = [
  leak('node', 'list-100', 'an array of numbers for each request in a list, about 110 B', 'numbers', 'service.cjs:'),
  leak('node', 'map-200', 'a string for each request in a Map, about 200 B', 'Map kept', 'service.cjs:'),
  leak('node', 'map-1000', 'an object with 100 numbers for each request in a Map, about 1 kB', 'Map kept', 'service.cjs:'),
  leak('node', 'listeners', 'a listener for each request, which holds the request', 'IncomingMessage'),
  leak('node', 'closure', 'a closure for each request in a list, which holds the request', 'handlers', 'IncomingMessage'),
  leak('node', 'buffers', 'a buffer of 256 B for each request in a list', 'buffers'),
  leak('node', 'every-50th', 'a buffer of 8 kB for every 50th request in a Map', 'Map kept'),
  none('node', 'none', 'nothing'),
  none('node', 'lru-500', 'a cache of at most 500 entries of 200 B'),
  none('node', 'lru-8000', 'a cache of at most 8,000 entries of 200 B'),
  none('node', 'pool', 'a pool that fills to 64 buffers of 64 kB'),
  none('node', 'by-route', 'a counter for each route'),
  none('node', 'timers', 'timers that end after 50 ms'),
  leak('jvm', 'list-100', 'an array of 80 bytes for each request in a static list, about 100 B', 'byte[]', 'Service.act'),
  leak(
    'jvm',
    'map-1000',
    'an array of 900 bytes for each request in a ConcurrentHashMap, about 1 kB',
    'ConcurrentHashMap$Node',
    'Service.act',
  ),
  leak('jvm', 'thread-local', 'an array of 200 bytes for each request in a list of a ThreadLocal', 'byte[]', 'Service.act'),
  none('jvm', 'none', 'nothing'),
  none('jvm', 'lru', 'a LinkedHashMap of at most 2,000 entries of 300 B'),
  none('jvm', 'by-route', 'a counter for each route'),
  none('jvm', 'weak', 'a WeakHashMap whose keys nobody holds'),
];

import { readWhole } from '../reading.ts';
import type { VariantKey } from '../variantKey.ts';

export const uvThreads: VariantKey = {
  key: 'uv.threads',
  meaning: 'How many threads libuv’s pool has: for files, look-ups of names, zlib and crypto.',
  takes: 'whole numbers from 1 to 1024',
  example: 'uv.threads=4,16',
  fits: ({ runtime }) => runtime === 'node',
  of: 'a Node process',
  means: 'environment variable',
  effect: 'More of them where requests wait for the pool, as for password hashes, compression and files.',
  cost: 'CPU time is shared among more threads, so that the event loop may get less of it.',
  source: 'https://nodejs.org/api/cli.html#uv_threadpool_sizesize',
  read: (text) => readWhole(text, { min: 1, max: 1024 }),
  copies: () => ['4', '5'],
  activation: (value) => ({ env: { UV_THREADPOOL_SIZE: value } }),
  seen: async (value, view) => {
    const size = (await view.probe())?.workerPool?.size;
    return size === undefined ? null : { holds: size === Number(value), shown: String(size) };
  },
};

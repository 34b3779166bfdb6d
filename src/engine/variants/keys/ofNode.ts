import { misread } from '../../../model/domain/parsed.ts';
import { heapSize, mebibytes, optionNumber, readWhole } from '../reading.ts';
import type { VariantKey } from '../variantKey.ts';

const ofNode: Pick<VariantKey, 'fits' | 'of'> = { fits: ({ runtime }) => runtime === 'node', of: 'a Node process' };
const range = { min: 1, max: 1024 } as const;

/** V8 counts the young generation as three semi-spaces, whose size it chooses by the memory there is: one of these, in MiB. */
const usualSemiSpaces = [1, 2, 4, 8, 16, 32, 64];

export const nodeHeap: VariantKey = {
  key: 'node.heap',
  meaning: 'The most that the old space of V8’s heap may grow to.',
  example: 'node.heap=256m,512m',
  ...ofNode,
  ...heapSize,
  source: 'https://nodejs.org/api/cli.html#--max-old-space-sizesize-in-mib',
  activation: (value) => ({ nodeOptions: [`--max-old-space-size=${mebibytes(value)}`] }),
  replaces: /^--max[-_]old[-_]space[-_]size=/,
  seen: async (value, view) => {
    const bytes = (await view.probe())?.heap?.maxBytes;
    if (bytes == null) return null;
    const limit = Math.round(bytes / 2 ** 20);
    const asked = optionNumber(view.options() ?? [], '--max-semi-space-size');
    const old = (asked === null ? usualSemiSpaces : [asked]).map((semi) => limit - 3 * semi);
    return { holds: old.includes(mebibytes(value)), shown: `a limit of ${limit} MiB, young space included` };
  },
};

export const nodeSemiSpace: VariantKey = {
  key: 'node.semi-space',
  meaning: 'The most that each half of V8’s young space may grow to, in MiB.',
  takes: 'powers of two from 1 to 1024, in MiB',
  example: 'node.semi-space=16,64',
  ...ofNode,
  source: 'https://nodejs.org/api/cli.html#--max-semi-space-sizesize-in-mib',
  read: (text) => {
    const parsed = readWhole(text, range);
    // V8 takes the next power of two for any other number without a word.
    return parsed.ok && !Number.isInteger(Math.log2(Number(parsed.value)))
      ? misread(`“${text}” is no power of two, which V8 would make of it.`)
      : parsed;
  },
  copies: () => ['64', '128'],
  activation: (value) => ({ nodeOptions: [`--max-semi-space-size=${value}`] }),
  replaces: /^--max[-_]semi[-_]space[-_]size=/,
  seen: async (value, view) => {
    const [bytes, options] = [(await view.probe())?.heap?.maxBytes, view.options()];
    if (bytes == null || options === null) return null;
    const asked = optionNumber(options, '--max-semi-space-size');
    const old = optionNumber(options, '--max-old-space-size');
    // The limit of the heap is the old space and three semi-spaces: where the old space is known, V8 itself says how large they are.
    const shown = old === null ? asked : Math.round(bytes / 2 ** 20 - old) / 3;
    return { holds: asked === Number(value) && shown === asked, shown: shown === null ? 'V8’s own choice' : `${shown} MiB` };
  },
};

export const uvThreads: VariantKey = {
  key: 'uv.threads',
  meaning: 'How many threads libuv’s pool has: for files, look-ups of names, zlib and crypto.',
  takes: 'whole numbers from 1 to 1024',
  example: 'uv.threads=4,16',
  ...ofNode,
  source: 'https://nodejs.org/api/cli.html#uv_threadpool_sizesize',
  read: (text) => readWhole(text, range),
  copies: () => ['4', '5'],
  activation: (value) => ({ env: { UV_THREADPOOL_SIZE: value } }),
  seen: async (value, view) => {
    const size = (await view.probe())?.workerPool?.size;
    return size === undefined ? null : { holds: size === Number(value), shown: String(size) };
  },
};

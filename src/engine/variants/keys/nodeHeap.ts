import { mebibytes, optionNumber, readMebibytes } from '../reading.ts';
import type { VariantKey } from '../variantKey.ts';

/** V8 counts the young generation as three semi-spaces, whose size it chooses by the memory there is: one of these, in MiB. */
const usualSemiSpaces = [1, 2, 4, 8, 16, 32, 64];

export const nodeHeap: VariantKey = {
  key: 'node.heap',
  meaning: 'The most that the old space of V8’s heap may grow to.',
  takes: 'sizes from 16m to 1048576m, such as 256m or 2g',
  example: 'node.heap=256m,512m',
  fits: ({ runtime }) => runtime === 'node',
  of: 'a Node process',
  means: 'option at the start',
  effect: 'With more of it V8 collects the whole heap less often; with too little it hardly does anything else, and ends.',
  cost: 'Memory of the machine or the container.',
  source: 'https://nodejs.org/api/cli.html#--max-old-space-sizesize-in-mib',
  read: (text) => readMebibytes(text, { min: 16, max: 1_048_576 }),
  copies: () => ['1024m', '1056m'],
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

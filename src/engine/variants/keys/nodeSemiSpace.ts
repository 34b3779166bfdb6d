import { misread } from '../../../model/domain/parsed.ts';
import { optionNumber, readWhole } from '../reading.ts';
import type { VariantKey } from '../variantKey.ts';

const range = { min: 1, max: 1024 } as const;

export const nodeSemiSpace: VariantKey = {
  key: 'node.semi-space',
  meaning: 'The most that each half of V8’s young space may grow to, in MiB.',
  takes: 'powers of two from 1 to 1024, in MiB',
  example: 'node.semi-space=16,64',
  fits: ({ runtime }) => runtime === 'node',
  of: 'a Node process',
  means: 'option at the start',
  effect: 'With more of it what requests allocate is dead before it is copied, so that V8 collects less often.',
  cost: 'Memory, up to three times the value; single collections of the young space can take longer.',
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

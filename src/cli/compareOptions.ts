import { command } from './command.ts';
import type { Asked } from './command.ts';
import { gateOf, gateOptions } from './gate.ts';
import { many } from './options.ts';
import { word, wrong } from './values.ts';

export const compareCommand = command({
  words: 'compare <base> <other>',
  description: 'two runs side by side (“last”, “previous” and, as the base, “baseline” are understood), or two settings',
  options: { trial: many('--trial <key>', 'which trial; given twice, the second is that of the other run', word), ...gateOptions },
  means: ({ trial, ...gate }, a: string, b: string) => {
    if (trial.length > 2) throw wrong('--trial is given too often: once, and once more for the other run.');
    return { a, b, trials: trial, gate: gateOf(gate) };
  },
});

export type CompareAsked = Asked<typeof compareCommand>;

import { command } from './command.ts';
import { gateOf, gateOptions } from './gate.ts';
import type { Gate } from './gate.ts';
import { many } from './options.ts';
import { word, wrong } from './values.ts';

/** What `benchside compare` puts side by side. */
export interface CompareAsked {
  a: string;
  b: string;
  trials: readonly string[];
  gate: Gate;
}

export const compareCommand = command({
  words: 'compare <base> <other>',
  description: 'two runs side by side (“last”, “previous” and, as the base, “baseline” are understood), or two settings',
  options: { trial: many('--trial <key>', 'which trial; given twice, the second is that of the other run', word), ...gateOptions },
  means: ({ trial, ...gate }, a: string, b: string): CompareAsked => {
    if (trial.length > 2) throw wrong('--trial is given too often: once, and once more for the other run.');
    return { a, b, trials: trial, gate: gateOf(gate) };
  },
});

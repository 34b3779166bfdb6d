import { command } from './command.ts';
import { flag } from './options.ts';

export interface CheckAsked {
  lab: boolean;
}

export const checkCommand = command({
  words: 'check',
  description: 'which differences this machine can resolve, whether it is ready, and what can be benchmarked here',
  options: { lab: flag('--lab', 'also what is planted for experiments and tests') },
  means: ({ lab }): CheckAsked => ({ lab }),
  does: async () => (await import('./machineCommands.ts')).check,
});

export const stopCommand = command({
  words: 'stop',
  description: 'end whatever earlier runs have left behind',
  options: {},
  means: () => ({}),
  does: async () => (await import('./machineCommands.ts')).stop,
});

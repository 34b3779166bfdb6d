import { command } from './command.ts';

/** What `benchside baseline` is to do. */
export type BaselineAsked = { action: 'set'; run: string } | { action: 'show' } | { action: 'clear'; run: string | null };

const does = async () => (await import('./baselineCommand.ts')).baseline;

export const baselineCommands = [
  command({
    words: 'baseline set <run>',
    description: 'make a run the baseline of its targets',
    options: {},
    means: (_, run: string): BaselineAsked => ({ action: 'set', run }),
    does,
  }),
  command({
    words: 'baseline show',
    description: 'the baselines, and on which machine they were measured',
    options: {},
    means: (): BaselineAsked => ({ action: 'show' }),
    does,
  }),
  command({
    words: 'baseline clear [run]',
    description: 'no longer this one, or none at all',
    options: {},
    means: (_, run?: string): BaselineAsked => ({ action: 'clear', run: run ?? null }),
    does,
  }),
];

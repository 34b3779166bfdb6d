import { command } from './command.ts';
import { flag, many } from './options.ts';
import { word } from './values.ts';

/** What `benchside databases` removes; it lists where that is nothing. */
export interface DatabasesAsked {
  remove: readonly string[];
  yes: boolean;
}

export const databasesCommand = command({
  words: 'databases',
  description: 'what Benchside has made on a PostgreSQL server of yours',
  options: {
    remove: many('--remove <name>', 'remove this one, or “all”; may be repeated', word),
    yes: flag('--yes', 'without asking'),
  },
  means: ({ remove, yes }): DatabasesAsked => ({ remove, yes }),
  does: async () => (await import('./databasesCommand.ts')).databases,
});

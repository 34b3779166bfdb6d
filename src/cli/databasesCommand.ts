import { failure } from '../model/domain/failure.ts';
import { bytesPhrase, listPhrase } from '../model/domain/format.ts';
import type { ManagedDatabase } from '../model/domain/userServer.ts';
import { confirm } from './confirm.ts';
import { type EngineCommand, byEngine, command } from './command.ts';
import { flag, many } from './options.ts';
import { word } from './values.ts';

const described = command({
  words: 'databases',
  description: 'what Benchside has made on a PostgreSQL server of yours',
  options: {
    remove: many('--remove <name>', 'remove this one, or “all”; may be repeated', word),
    yes: flag('--yes', 'without asking'),
  },
  means: ({ remove, yes }) => ({ remove, yes }),
});

/** `benchside databases`: lists what Benchside has made on a server of the user's, and removes of it what is named. */
const databases: EngineCommand<typeof described> = async (asked, engine, { print, tell, signal }) => {
  const found = await engine.request('databases/list', {}, signal);
  if (asked.remove.length === 0) {
    if (asked.json) print(JSON.stringify(found));
    else print(found.databases.length === 0 ? `Benchside has made no databases on ${found.server}.` : found.databases.map(line).join('\n'));
    return 0;
  }
  const names = asked.remove.includes('all') ? found.databases.map(({ name }) => name) : [...new Set(asked.remove)];
  if (names.length > 0 && !asked.yes) {
    const answer = await confirm(`Remove ${listPhrase(names)} from ${found.server}? This cannot be undone.`, signal);
    if (answer !== true) {
      throw failure(
        'cancelled',
        'Nothing was removed: it was not confirmed.',
        `Confirm it in a terminal, or give --yes, to remove ${listPhrase(names)}.`,
      );
    }
  }
  const { removed } = await engine.request('databases/remove', { names }, signal);
  if (asked.json) print(JSON.stringify({ server: found.server, removed }));
  else
    tell(removed.length === 0 ? `There was nothing to remove on ${found.server}.` : `Removed ${listPhrase(removed)} from ${found.server}.`);
  return 0;
};

function line({ name, folder, machine, madeAt, bytes, sessions }: ManagedDatabase): string {
  const connected = sessions === 0 ? '' : `, ${sessions} connected`;
  return `${name}  ${bytesPhrase(bytes).padStart(8)}  ${madeAt.slice(0, 16).replace('T', ' ')}  ${folder === '' ? 'raw samples' : folder} (${machine})${connected}`;
}

export const databasesCommand = byEngine(described, () => Promise.resolve(databases));

import { bytesPhrase, listPhrase } from '../../model/domain/format.ts';
import { agrees, choose, say } from '../kit/safeUi/dialogs.ts';
import type { Services } from '../services/services.ts';

/** Lets a person choose among the databases that Benchside has made on a server of the user, and removes it once that was confirmed. */
export async function removeDatabases({ engine }: Services): Promise<void> {
  const { server, databases } = await engine.request('databases/list', {});
  if (databases.length === 0) return say(`Benchside has made no databases on ${server}.`);
  const each = databases.map(({ name, folder, bytes, madeAt, sessions }) => ({
    label: name,
    description: `${bytesPhrase(bytes)} · ${new Date(madeAt).toLocaleDateString()}${sessions === 0 ? '' : ` · ${sessions} connected`}`,
    detail: folder,
    names: [name],
  }));
  const all = { label: 'All of them', description: '', detail: '', names: databases.map(({ name }) => name) };
  const chosen = await choose(each.length > 1 ? [...each, all] : each, `Which database on ${server} is to be removed?`);
  if (chosen === undefined) return;
  const detail = `${listPhrase(chosen.names)}. This cannot be undone; a run that needs one makes it again.`;
  if (!(await agrees(`Remove from ${server}?`, detail, 'Remove', 'warning'))) return;
  const { removed } = await engine.request('databases/remove', { names: chosen.names });
  say(`Removed ${listPhrase(removed)} from ${server}.`);
}

import { choose } from '../kit/safeUi/picks.ts';
import type { Services } from '../services/services.ts';

/** The named target, the only one, or the one that the user chooses; those of the folder before the samples. */
export async function chosenTarget(
  services: Services,
  targetId: string | undefined,
  question: string,
  title: string,
): Promise<string | undefined> {
  const { targets } = await services.inventory.catalog.get();
  const able = targets.filter(({ problem, origin }) => problem === null && origin !== 'lab');
  const own = able.filter(({ origin }) => origin === 'workspace');
  const among = own.length === 0 ? able : own;
  const named = among.find(({ id }) => id === targetId) ?? (among.length === 1 ? among[0] : undefined);
  const items = among.map(({ id, label, description }) => ({ label, description, id }));
  return named?.id ?? (await choose(items, question, title))?.id;
}

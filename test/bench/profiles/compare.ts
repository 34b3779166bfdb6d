import { profileNoteText } from '../../../src/model/domain/profileNoteKinds.ts';
import { openFile, treeNotes } from '../../../src/engine/profiles/openedFile.ts';
import { functionTable, eventTotal } from '../../../src/calltree/totals.ts';
import { type CorpusFile, type Told, plainName, Sums } from './corpus.ts';

/** So many functions are compared, those that the reference has first. */
const compared = 10;
/** How far off a total may be, percent, and the share of a function, points. */
export const goal = { totalPercent: 0.5, points: 1 } as const;

/** A function of which the reference says that it is among the first, and the share of all that each of both gives it, percent. */
interface ComparedFunction {
  name: string;
  reference: number;
  ours: number;
}

export interface Comparison {
  totalReference: number;
  totalOurs: number;
  /** How far ours is from the reference’s, percent. */
  totalOffPercent: number;
  functions: ComparedFunction[];
  /** The largest difference of these shares, points. */
  worstPoints: number;
}

/** Opens a file as the product does: the label of its format, what it says of the event, and what it notes about it. */
export async function opened(file: string, { event }: Pick<CorpusFile, 'event'>): Promise<Told & { format: string; notes: string[] }> {
  const { tree, format, notes } = await openFile(file);
  const column = tree.events.find(({ name }) => name === event);
  if (column === undefined)
    throw new Error(`It has no event “${event}”, but ${tree.events.map(({ name }) => `“${name}”`).join(', ') || 'none'}.`);
  const sums = new Sums();
  for (const { name, self } of functionTable(tree, column)) sums.add(name, self);
  return { total: eventTotal(column), functions: sums.functions, format, notes: [...notes, ...treeNotes(tree)].map(profileNoteText) };
}

/** Holds what both say against each other. */
export function compare(ours: Told, reference: Told, nameOf: (name: string) => string = (name) => name): Comparison {
  const plain = (told: Told): Map<string, number> => {
    const sums = new Sums();
    for (const [name, weight] of told.functions) sums.add(nameOf(plainName(name)), weight);
    return sums.functions;
  };
  const [own, theirs] = [plain(ours), plain(reference)];
  const first = [...theirs].sort((a, b) => b[1] - a[1]).slice(0, compared);
  const functions = first.map(([name, weight]) => ({
    name,
    reference: (100 * weight) / reference.total,
    ours: (100 * (own.get(name) ?? 0)) / ours.total,
  }));
  return {
    totalReference: reference.total,
    totalOurs: ours.total,
    totalOffPercent: 100 * (ours.total / reference.total - 1),
    functions,
    worstPoints: Math.max(0, ...functions.map((one) => Math.abs(one.ours - one.reference))),
  };
}

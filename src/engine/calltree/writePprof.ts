import { gzipSync } from 'node:zlib';
import type { CallTree, EventColumn } from '../../model/domain/callTree.ts';
import { numberIn } from '../../model/domain/remembered.ts';
import { ProtobufWriter } from './protobufWriter.ts';
import { eachStack } from './stackFrames.ts';

// What pprof’s profiles and those of OpenTelemetry, which come from them, write in the same way.
const units = { ns: 'nanoseconds', bytes: 'bytes', count: 'count' } as const;
const maxWeight = 2 ** 63;

/** A packed pprof profile (`.pb.gz`) with one sample type per event. pprof's values are whole numbers, so that weights are rounded. */
export function writePprof(tree: CallTree, events: readonly EventColumn[]): Uint8Array {
  const table = new TextTable();
  const out = new ProtobufWriter();
  for (const event of events) out.message(1, valueType(event, table));
  const places = new PlaceTable(tree);
  eachStack(tree, places.of, (node, path) => {
    const weights = events.map((event) => wholeWeight(event, node));
    if (weights.every((weight) => weight === 0)) return;
    out.message(2, new ProtobufWriter().numbers(1, path.toReversed()).numbers(2, weights));
  });
  for (const [index, place] of places.messages().entries()) out.message(4, new ProtobufWriter().number(1, index + 1).message(4, place));
  for (const func of tree.functions.name.keys())
    out.message(5, addFunction(new ProtobufWriter().number(1, func + 1), 2, tree, func, table));
  for (const value of table.texts()) out.text(6, value);
  return gzipSync(out.finish());
}

/**
 * Profiles of OpenTelemetry (`ProfilesData`, v1development, with stacks in its dictionary and attributes of a sample before its values): one profile for each
 * event. The first entry of each table is empty, as the format requires. Weights are rounded, as values are whole numbers.
 */
export function writeOtlp(tree: CallTree, events: readonly EventColumn[]): Uint8Array {
  const table = new TextTable();
  const dictionary = new ProtobufWriter();
  dictionary.message(1, new ProtobufWriter()).message(2, new ProtobufWriter());
  const places = new PlaceTable(tree);
  const stacks = new Map<number, number>();
  const stackMessages: ProtobufWriter[] = [new ProtobufWriter()];
  eachStack(tree, places.of, (node, path) => {
    if (node === 0 || events.every((event) => wholeWeight(event, node) === 0)) return;
    stacks.set(node, stackMessages.length);
    stackMessages.push(new ProtobufWriter().numbers(1, path.toReversed()));
  });
  for (const place of places.messages()) dictionary.message(2, new ProtobufWriter().message(3, place));
  dictionary.message(3, new ProtobufWriter());
  for (const func of tree.functions.name.keys()) dictionary.message(3, addFunction(new ProtobufWriter(), 1, tree, func, table));
  const scope = new ProtobufWriter();
  for (const event of events) {
    const profile = new ProtobufWriter().message(1, valueType(event, table));
    for (let node = 0; node < tree.nodeCount; node += 1) {
      const weight = wholeWeight(event, node);
      if (weight === 0) continue;
      profile.message(2, new ProtobufWriter().number(1, stacks.get(node) ?? 0).numbers(4, [weight]));
    }
    scope.message(2, profile);
  }
  dictionary.message(4, new ProtobufWriter());
  for (const value of table.texts()) dictionary.text(5, value);
  dictionary.message(6, new ProtobufWriter());
  for (const stack of stackMessages) dictionary.message(7, stack);
  return new ProtobufWriter().message(1, new ProtobufWriter().message(2, scope)).message(2, dictionary).finish();
}

/** Texts, each once, in the order in which they were first asked for; the first is empty. */
class TextTable {
  readonly #places = new Map<string, number>([['', 0]]);

  /** The place of a text in the table, to which it is added where it is new. */
  place(value: string): number {
    return numberIn(this.#places, value);
  }

  texts(): Iterable<string> {
    return this.#places.keys();
  }
}

/** Places in code by number, from 1: a function of the tree, and the line that was executing. */
class PlaceTable {
  readonly #numbers = new Map<string, number>();

  constructor(private readonly tree: CallTree) {}

  /** The place of a node. */
  readonly of = (node: number): number => numberIn(this.#numbers, `${this.tree.func[node]}:${this.tree.line[node]}`) + 1;

  /** Of each place in turn, the function by its number from 1, and the line. */
  messages(): ProtobufWriter[] {
    return Array.from(this.#numbers.keys(), (key) => {
      const [func, line] = key.split(':').map(Number) as [number, number];
      return new ProtobufWriter().number(1, func + 1).number(2, line);
    });
  }
}

/** Adds to a message, from a field on, a function's name, its name in the system, its file and its line. */
function addFunction(to: ProtobufWriter, field: number, { functions }: CallTree, func: number, table: TextTable): ProtobufWriter {
  const named = table.place(functions.name[func] ?? '');
  return to
    .number(field, named)
    .number(field + 1, named)
    .number(field + 2, table.place(functions.file[func] ?? ''))
    .number(field + 3, functions.line[func] ?? 0);
}

/** What is measured, and in which unit. */
function valueType({ name, unit }: EventColumn, table: TextTable): ProtobufWriter {
  return new ProtobufWriter().number(1, table.place(name)).number(2, table.place(units[unit]));
}

/** The own weight of a node, rounded, as values are whole numbers. */
function wholeWeight({ self }: EventColumn, node: number): number {
  return Math.min(Math.round(self[node] as number), maxWeight);
}

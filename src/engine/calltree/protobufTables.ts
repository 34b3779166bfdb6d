import type { CallTree, EventColumn } from '../../model/domain/callTree.ts';
import { numberIn } from '../../model/domain/remembered.ts';
import { ProtobufWriter } from './protobufWriter.ts';

// What pprof’s profiles and those of OpenTelemetry, which come from them, write in the same way.
const units = { ns: 'nanoseconds', bytes: 'bytes', count: 'count' } as const;
const maxWeight = 2 ** 63;

/** Texts, each once, in the order in which they were first asked for; the first is empty. */
export class TextTable {
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
export class PlaceTable {
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
export function addFunction(to: ProtobufWriter, field: number, { functions }: CallTree, func: number, table: TextTable): ProtobufWriter {
  const named = table.place(functions.name[func] ?? '');
  return to
    .number(field, named)
    .number(field + 1, named)
    .number(field + 2, table.place(functions.file[func] ?? ''))
    .number(field + 3, functions.line[func] ?? 0);
}

/** What is measured, and in which unit. */
export function valueType({ name, unit }: EventColumn, table: TextTable): ProtobufWriter {
  return new ProtobufWriter().number(1, table.place(name)).number(2, table.place(units[unit]));
}

/** The own weight of a node, rounded, as values are whole numbers. */
export function wholeWeight({ self }: EventColumn, node: number): number {
  return Math.min(Math.round(self[node] as number), maxWeight);
}

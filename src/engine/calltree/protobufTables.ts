import type { EventColumn } from '../../model/domain/callTree.ts';
import { ProtobufWriter } from './protobufWriter.ts';

// What pprof’s profiles and those of OpenTelemetry, which come from them, write in the same way.
const units = { ns: 'nanoseconds', bytes: 'bytes', count: 'count' } as const;
const maxWeight = 2 ** 63;

/** Texts, each once, in the order in which they were first asked for; the first is empty. */
export class TextTable {
  readonly #places = new Map<string, number>([['', 0]]);

  /** The place of a text in the table, to which it is added where it is new. */
  place(value: string): number {
    const known = this.#places.get(value);
    if (known !== undefined) return known;
    this.#places.set(value, this.#places.size);
    return this.#places.size - 1;
  }

  texts(): Iterable<string> {
    return this.#places.keys();
  }
}

/** What is measured, and in which unit. */
export function valueType({ name, unit }: EventColumn, table: TextTable): ProtobufWriter {
  return new ProtobufWriter().number(1, table.place(name)).number(2, table.place(units[unit]));
}

/** The own weight of a node, rounded, as values are whole numbers. */
export function wholeWeight({ self }: EventColumn, node: number): number {
  return Math.min(Math.round(self[node] as number), maxWeight);
}

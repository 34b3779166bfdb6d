import type { FunctionTable } from '../../../../src/model/domain/callTree.ts';
import type { FlameNames } from '../layout.ts';
import { NameMatcher } from './nameMatcher.ts';

/** Names of functions by number, and what is made of them once: the order by name and the text that is searched. */
export class Naming {
  #rank: Int32Array | null = null;
  #matcher: NameMatcher | null = null;

  constructor(readonly names: FlameNames) {}

  static of(functions: FunctionTable): Naming {
    return new Naming({ ...functions, inA: null, inB: null });
  }

  /** Place of each function by name, then by file. */
  ranks(): Int32Array {
    if (this.#rank !== null) return this.#rank;
    const { name, file } = this.names;
    const rank = new Int32Array(name.length);
    const order = Array.from(name.keys()).sort(
      (a, b) => compare(name[a] as string, name[b] as string) || compare(file[a] as string, file[b] as string) || a - b,
    );
    for (const [place, func] of order.entries()) rank[func] = place;
    this.#rank = rank;
    return rank;
  }

  match(text: string, regex: boolean): Uint8Array {
    this.#matcher ??= new NameMatcher(this.names.name, this.names.file);
    return this.#matcher.match(text, regex);
  }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

import type { FunctionTable } from '../../../../src/model/domain/callTree.ts';
import type { FlameNames } from '../layout.ts';
import { NameMatcher } from './nameMatcher.ts';

/** Names of functions by number, and what is made of them once: the text that is searched. */
export class Naming {
  #matcher: NameMatcher | null = null;

  constructor(readonly names: FlameNames) {}

  static of(functions: FunctionTable): Naming {
    return new Naming({ ...functions, inA: null, inB: null });
  }

  match(text: string, regex: boolean): Uint8Array {
    this.#matcher ??= new NameMatcher(this.names.name, this.names.file);
    return this.#matcher.match(text, regex);
  }
}

import { failure } from '../../../../src/model/domain/failure.ts';
import { numberIn } from '../../../../src/model/domain/remembered.ts';
import type { FlameNames } from '../layout.ts';

/** Of longer names the beginning is searched. */
const maxLength = 1000;
const maxTotalMs = 1000;
/** What one name may take; it is looked at after each lengthening of a name, so that what doubles with every character is noticed in time. */
const maxNameMs = 10;
const lengthening = 4;

/** Names of functions by number, and what is made of them once: the texts that are searched. */
export class Naming {
  #texts: ReturnType<typeof searchedTexts> | null = null;

  constructor(readonly names: FlameNames) {}

  /** For each function 1 where its name or file matches: as part of the text in any case, or as a regular expression. Throws a `SyntaxError`. */
  match(text: string, regex: boolean): Uint8Array {
    if (text === '') return new Uint8Array(this.names.name.length);
    const wanted = text.toLowerCase();
    const test = regex ? guardedTest(new RegExp(text, 'i')) : (name: string): boolean => name.includes(wanted);
    const { plain, lower, fileNumbers } = (this.#texts ??= searchedTexts(this.names));
    const { names, files } = regex ? plain : lower;
    const inFile = files.map(test);
    return Uint8Array.from(names, (name, func) => (inFile[fileNumbers[func] as number] === true || test(name) ? 1 : 0));
  }
}

/** Each file once, and its number for each function. */
function searchedTexts({ name, file }: FlameNames) {
  const cut = (text: string): string => (text.length > maxLength ? text.slice(0, maxLength) : text);
  const numbers = new Map<string, number>();
  const fileNumbers = Int32Array.from(file, (one) => numberIn(numbers, one));
  const plain = { names: name.map(cut), files: Array.from(numbers.keys(), cut) };
  const lowered = (texts: readonly string[]): string[] => texts.map((text) => text.toLowerCase());
  return { fileNumbers, plain, lower: { names: lowered(plain.names), files: lowered(plain.files) } };
}

/** A test that ends with a sentence instead of running for minutes, as an expression that tries every way to split a name can. */
function guardedTest(pattern: RegExp): (text: string) => boolean {
  const risky = canExplode(pattern.source);
  const begun = performance.now();
  let sinceLook = 0;
  return (text) => {
    if (risky) probe(pattern, text);
    const found = pattern.test(text);
    sinceLook += 1;
    if (risky || sinceLook >= 64) {
      sinceLook = 0;
      if (performance.now() - begun > maxTotalMs) throw tooSlow();
    }
    return found;
  };
}

/** Whether an expression repeats groups, refers back, or repeats without bound often: only then can its time grow faster than the square of a name. */
function canExplode(source: string): boolean {
  return /\)[*+?{]|\\[1-9]|\\k</.test(source) || (source.match(/[*+]|\{\d+,\}/g) ?? []).length >= 3;
}

/** Tries a name from its beginning, longer and longer, and each time with an end that hardly anything matches: what fails takes longest. */
function probe(pattern: RegExp, text: string): void {
  for (let length = lengthening; length < text.length; length += lengthening) {
    const begun = performance.now();
    pattern.test(`${text.slice(0, length)}\u0000`);
    if (performance.now() - begun > maxNameMs) throw tooSlow();
  }
}

function tooSlow(): Error {
  return failure(
    'search-too-slow',
    'This regular expression takes too long on the names of this recording.',
    'Write it without repeats inside repeats, or search for plain text.',
  );
}

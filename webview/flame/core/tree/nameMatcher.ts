import { failure } from '../../../../src/model/domain/failure.ts';

/** Of longer names the beginning is searched. */
const maxLength = 1000;
const maxTotalMs = 1000;
/** What one name may take; it is looked at after each lengthening of a name, so that what doubles with every character is noticed in time. */
const maxNameMs = 10;
const lengthening = 4;

/** For each function 1 where its name or file matches: as part of the text in any case, or as a regular expression. Throws a `SyntaxError`. */
export class NameMatcher {
  readonly #lowerNames: string[];
  readonly #fileNumbers: Int32Array;
  readonly #files: string[];
  readonly #lowerFiles: string[];

  constructor(
    private readonly names: readonly string[],
    files: readonly string[],
  ) {
    const cut = (text: string): string => (text.length > maxLength ? text.slice(0, maxLength) : text);
    this.names = names.map(cut);
    this.#lowerNames = this.names.map((name) => name.toLowerCase());
    const numbers = new Map<string, number>();
    this.#fileNumbers = Int32Array.from(files, (file) => {
      const known = numbers.get(file);
      if (known !== undefined) return known;
      numbers.set(file, numbers.size);
      return numbers.size - 1;
    });
    this.#files = Array.from(numbers.keys(), cut);
    this.#lowerFiles = this.#files.map((file) => file.toLowerCase());
  }

  match(text: string, regex: boolean): Uint8Array {
    if (text === '') return new Uint8Array(this.names.length);
    if (!regex) {
      const wanted = text.toLowerCase();
      return this.#matched(this.#lowerNames, this.#lowerFiles, (name) => name.includes(wanted));
    }
    const pattern = new RegExp(text, 'i');
    return this.#matched(this.names, this.#files, guardedTest(pattern));
  }

  #matched(names: readonly string[], files: readonly string[], test: (text: string) => boolean): Uint8Array {
    const inFile = Uint8Array.from(files, (file) => (test(file) ? 1 : 0));
    const matches = new Uint8Array(names.length);
    for (let func = 0; func < names.length; func += 1) {
      matches[func] = inFile[this.#fileNumbers[func] as number] === 1 || test(names[func] as string) ? 1 : 0;
    }
    return matches;
  }
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

/** What somebody says of a profile: all of an event, and what each function has itself; in ns, bytes or counts. */
export interface Told {
  total: number;
  /** By name; those of one name together. */
  functions: ReadonlyMap<string, number>;
}

/** Who else says what is in a file; `by` is its name, for people. */
export interface Reference {
  by: string;
  read: (file: string) => Promise<Told>;
}

/** One file of the corpus: another program writes it, and a third one, or the same, says what is in it. */
export interface CorpusFile {
  /** Also the name of its folder. */
  id: string;
  /** The label of the format as which it is to be read. */
  format: string;
  /** What wrote it, for people. */
  program: string;
  /** The event that is compared, by our name. */
  event: string;
  /** Writes the file into a folder of its own; gives its path, or that of the folder that is opened. */
  make: (folder: string) => Promise<string>;
  reference: Reference;
  /** What a name is compared by, beyond what all names are. */
  nameOf?: (name: string) => string;
  /** Where the reference is known to count in another way than is right here: how, and what says so. */
  differs?: string;
}

/** What is compared of names: without kinds of code, addresses and folders, which programs write in different ways. */
export function plainName(name: string): string {
  return name
    .replace(/_\[[01ijk]\]$/, '')
    .replace(/^RegExp: /, '')
    .replace(/ \(inline\)$/, '')
    .replace(/^\(anonymous .*\)$/, '(anonymous)')
    .replace(/ \{.*\}$/, '')
    .replace(/^\/.*\//, '')
    .replaceAll('/', '.')
    .replace(/[.$]*0x[0-9a-f]+/g, '')
    .trim();
}

/** Adds to what functions have. */
export class Sums {
  readonly functions = new Map<string, number>();
  total = 0;

  add(name: string, weight: number): void {
    this.total += weight;
    this.functions.set(name, (this.functions.get(name) ?? 0) + weight);
  }
}

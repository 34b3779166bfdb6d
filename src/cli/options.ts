import { type Command, Option } from 'commander';

/** Makes a value of what follows an option, `--name`; what cannot be understood fails with the code `usage`. */
export type Reader<T> = (text: string, name: string) => T;

/** An option with the type of what it gives. */
export interface Taken<T> {
  readonly option: Option;
  readonly given: (value: unknown) => T;
}

export type Options = Readonly<Record<string, Taken<unknown>>>;

/** What the options of a command were given, by the names under which they are declared. */
export type Values<O extends Options> = { readonly [K in keyof O]: O[K] extends Taken<infer T> ? T : never };

/** An option without a value. */
export function flag(flags: string, description: string): Taken<boolean> {
  return { option: new Option(flags, description), given: (value) => value === true };
}

/** An option with one value; given again, the last one counts. `alone`: what it means without its value, where `flags` let that be left out. */
export function one<T>(flags: string, description: string, read: Reader<T>, alone?: string): Taken<T | undefined> {
  const option = new Option(flags, description);
  option.argParser<T | undefined>((text) => read(text, nameOf(option)));
  return { option, given: (value) => (value === true && alone !== undefined ? read(alone, nameOf(option)) : (value as T | undefined)) };
}

/** An option that may be given several times. */
export function many<T>(flags: string, description: string, read: Reader<T>): Taken<readonly T[]> {
  const option = new Option(flags, description);
  option.argParser<readonly T[]>((text, before = []) => [...before, read(text, nameOf(option))]);
  return { option, given: (value) => (value ?? []) as readonly T[] };
}

/** Lets a command take options. */
export function take(command: Command, options: Options): void {
  for (const { option } of Object.values(options)) command.addOption(option);
}

/** What a command was given. */
export function valuesOf<O extends Options>(command: Command, options: O): Values<O> {
  const entries = Object.entries(options).map(([name, { option, given }]) => [name, given(command.getOptionValue(option.attributeName()))]);
  return Object.fromEntries(entries) as Values<O>;
}

/** The values, with null for what was not given. */
export function orNull<V extends object>(values: V): { [K in keyof V]: undefined extends V[K] ? Exclude<V[K], undefined> | null : V[K] } {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value ?? null])) as ReturnType<typeof orNull<V>>;
}

function nameOf({ long, flags }: Option): string {
  return long ?? flags;
}

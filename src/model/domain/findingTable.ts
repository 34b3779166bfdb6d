import * as z from 'zod';

export type Figures<F extends z.ZodRawShape> = { [N in keyof F]: z.infer<F[N]> };

/** What a code means: its figures, with their units in the schema, and its words. */
export interface Worded<F extends z.ZodRawShape> {
  figures: F;
  says: (figures: Figures<F>) => string;
}

export function worded<F extends z.ZodRawShape>(one: Worded<F>): Worded<F> {
  return one;
}

type Table = Readonly<Record<string, { figures: z.ZodRawShape }>>;

/** Any code of a table with its figures, and what each can have besides. */
export type OneOf<T extends Table, Common = unknown> = { [C in keyof T]: { code: C } & Common & Figures<T[C]['figures']> }[keyof T];

/** The schema of {@link OneOf}; `common` is what each can have besides its own figures. */
export function schemaOf<T extends Table, Common = unknown>(table: T, common: z.ZodRawShape = {}): z.ZodType<OneOf<T, Common>> {
  const [first, ...others] = Object.entries(table).map(([code, { figures }]) => z.object({ code: z.literal(code), ...figures, ...common }));
  if (first === undefined) throw new RangeError('a table of findings has at least one kind');
  return z.discriminatedUnion('code', [first, ...others]) as unknown as z.ZodType<OneOf<T, Common>>;
}

export function saidIn<T extends Table>(table: T, entry: { code: keyof T }): string {
  return (table[entry.code] as unknown as { says: (entry: object) => string }).says(entry);
}

/**
 * A code that another version of Benchside wrote says nothing to this one: that there is one is all that is kept of it. Every such table has the code `recorded`.
 *
 * @param id what JSON Schemas refer to it by
 */
export function orRecorded<S>(id: string, table: Table, schema: z.ZodType<S>): z.ZodType<S> {
  const read = z.preprocess((found) => {
    if (typeof found !== 'object' || found === null || !('code' in found) || typeof found.code !== 'string') return found;
    if (Object.hasOwn(table, found.code)) return found;
    return { ...found, code: 'recorded', was: found.code, sentence: `“${found.code}”, which another version of Benchside found.` };
  }, schema);
  return read.meta({ id });
}

/** A sentence of a record that was written when records held sentences. Only the list that contains it says what follows from it. */
export const recordedFigures = { sentence: z.string() };

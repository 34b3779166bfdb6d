import * as z from 'zod';

export type Figures<F extends z.ZodRawShape> = { [N in keyof F]: z.infer<F[N]> };

/** What a code means: its figures, with their units in the schema, and its words. */
export interface Worded<F extends z.ZodRawShape> {
  figures: F;
  says: (figures: Figures<F>) => string;
}

/** An entry of a table with these figures. */
export function worded<F extends z.ZodRawShape>(figures: F): { says: (says: Worded<F>['says']) => Worded<F> } {
  return { says: (says) => ({ figures, says }) };
}

/** An entry of a table that says the same each time. */
export function always(sentence: string): Worded<Record<never, never>> {
  return worded({}).says(() => sentence);
}

/** A sentence of a record that was written when records held sentences. Only the list that contains it says what follows from it. */
export const recorded = worded({ sentence: z.string() }).says(({ sentence }) => sentence);

type Table = Readonly<Record<string, { figures: z.ZodRawShape }>>;

/** Any code of a table with its figures, and what each can have besides. */
export type OneOf<T extends Table, Common = unknown> = { [C in keyof T]: { code: C } & Common & Figures<T[C]['figures']> }[keyof T];

/** What each entry of a table can have besides its own figures, by the schemas of these. */
export type Besides<C extends z.ZodRawShape> = z.infer<z.ZodObject<C>>;

/** The schema of {@link OneOf}. */
export function schemaOf<T extends Table>(table: T): z.ZodType<OneOf<T>>;
export function schemaOf<T extends Table, C extends z.ZodRawShape>(table: T, common: C): z.ZodType<OneOf<T, Besides<C>>>;
export function schemaOf<T extends Table>(table: T, common: z.ZodRawShape = {}): z.ZodType {
  const entries = Object.entries(table);
  const [bare, figured] = [entries.filter(([, { figures }]) => isBare(figures)), entries.filter(([, { figures }]) => !isBare(figures))];
  const [first, ...others] = [
    ...figured.map(([code, { figures }]) => z.object({ code: z.literal(code), ...figures, ...common })),
    // One object for all that have no figures keeps JSON Schemas short.
    ...(bare.length === 0 ? [] : [z.object({ code: z.enum(bare.map(([code]) => code)), ...common })]),
  ];
  if (first === undefined) throw new RangeError('a table of findings has at least one kind');
  return z.discriminatedUnion('code', [first, ...others]);
}

function isBare(figures: z.ZodRawShape): boolean {
  return Object.keys(figures).length === 0;
}

export function saidIn<T extends Table>(table: T, entry: { code: keyof T }): string {
  return (table[entry.code] as unknown as { says: (entry: object) => string }).says(entry);
}

/**
 * {@link schemaOf} for what is stored. A code that another version of Benchside wrote says nothing to this one: its words are kept, or that there is one. Every
 * such table has the code `recorded`.
 *
 * @param id what JSON Schemas refer to it by
 */
export function storedSchemaOf<T extends Table>(id: string, table: T): z.ZodType<OneOf<T>>;
export function storedSchemaOf<T extends Table, C extends z.ZodRawShape>(id: string, table: T, common: C): z.ZodType<OneOf<T, Besides<C>>>;
export function storedSchemaOf<T extends Table>(id: string, table: T, common: z.ZodRawShape = {}): z.ZodType {
  return z.preprocess((found) => ofTable(found, table), schemaOf(table, common)).meta({ id });
}

/** {@link storedSchemaOf} of a field in which records that were written before there were codes have a sentence. */
export function storedOrSentence<T extends Table>(id: string, table: T): z.ZodType<OneOf<T>> {
  const read = (found: unknown): unknown => (typeof found === 'string' ? { code: 'recorded', sentence: found } : ofTable(found, table));
  return z.preprocess(read, schemaOf(table)).meta({ id });
}

function ofTable(found: unknown, table: Table): unknown {
  if (typeof found !== 'object' || found === null || !('code' in found) || typeof found.code !== 'string') return found;
  if (Object.hasOwn(table, found.code)) return found;
  return {
    ...found,
    code: 'recorded',
    was: found.code,
    sentence: wordsOf(found) ?? `“${found.code}”, which another version of Benchside found.`,
  };
}

/** The words that a record has next to a code, where its version had them as text. */
function wordsOf(found: object): string | null {
  const words = ['message' in found && found.message, 'remedy' in found && found.remedy].filter((one) => typeof one === 'string');
  return words.length === 0 ? null : words.join(' ');
}

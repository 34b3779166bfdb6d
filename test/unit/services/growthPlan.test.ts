import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ColumnKind, type ReferenceFacts, type TableFacts, growthPlan } from '../../../src/engine/services/growthPlan.ts';

const kinds: readonly (ColumnKind | null)[] = ['number', 'uuid', 'text', 'time', 'date', null];
const names = ['a', 'b', 'c'];

/** Tables with three columns each, some unique together, that refer to each other’s columns at random. */
const schemas = fc.integer({ min: 1, max: 6 }).chain((count) => {
  const id = fc.integer({ min: 0, max: count - 1 });
  const table = fc.record({
    rows: fc.constantFrom(0, 3, 50, 5000),
    kinds: fc.tuple(fc.constantFrom(...kinds), fc.constantFrom(...kinds), fc.constantFrom(...kinds)),
    unique: fc.array(fc.subarray(names, { minLength: 1 }), { maxLength: 2 }),
  });
  const pair = fc.tuple(fc.constantFrom(...names), fc.constantFrom(...names));
  const reference = fc.record({ from: id, to: id, pairs: fc.array(pair, { minLength: 1, maxLength: 2 }) });
  return fc
    .tuple(fc.array(table, { minLength: count, maxLength: count }), fc.array(reference, { maxLength: 5 }))
    .map(([tables, references]): [TableFacts[], ReferenceFacts[]] => [
      tables.map(({ kinds: of, ...rest }, at) => ({ id: at, ...rest, columns: new Map(names.map((name, i) => [name, of[i] ?? null])) })),
      references,
    ]);
});

describe('the plan by which rows are multiplied', () => {
  it('makes copies differ in each unique index, lets references follow, and changes nothing of what does not grow', () => {
    fc.assert(
      fc.property(schemas, ([tables, references]) => {
        const { grown, shifted } = growthPlan(tables, references);
        const shiftOf = new Map(shifted.flatMap((key) => key.columns.map(({ table, column }) => [`${table}.${column}`, key] as const)));
        for (const { id, unique } of tables) {
          if (!grown.has(id)) for (const name of names) expect(shiftOf.has(`${id}.${name}`)).toBe(false);
          else for (const columns of unique) expect(columns.some((name) => shiftOf.has(`${id}.${name}`))).toBe(true);
        }
        for (const { from, to, pairs } of references)
          for (const [one, other] of pairs) expect(shiftOf.get(`${from}.${one}`)).toBe(shiftOf.get(`${to}.${other}`));
      }),
    );
  });

  it('leaves a list of kinds as it is, and grows a short table that little refers to', () => {
    const column = (kind: ColumnKind): ReadonlyMap<string, ColumnKind> => new Map([['id', kind]]);
    const table = (id: number, rows: number): TableFacts => ({ id, rows, columns: column('number'), unique: [] });
    const refers: ReferenceFacts[] = [{ from: 1, to: 0, pairs: [['id', 'id']] }];
    expect([...growthPlan([table(0, 5), table(1, 50)], refers).grown]).toEqual([1]);
    expect([...growthPlan([table(0, 5), table(1, 49)], refers).grown]).toEqual([0, 1]);
    expect([...growthPlan([table(0, 101), table(1, 5000)], refers).grown]).toEqual([0, 1]);
  });
});

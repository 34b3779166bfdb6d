/** The kinds of values whose copies can be made different. */
export type ColumnKind = 'number' | 'uuid' | 'text' | 'time' | 'date';

/** A table as PostgreSQL’s catalogue describes it. */
export interface TableFacts {
  id: number;
  rows: number;
  /** By name; `kind` is null where copies of a value cannot be made different. */
  columns: ReadonlyMap<string, ColumnKind | null>;
  /** The columns of each index that allows a value once. */
  unique: readonly (readonly string[])[];
}

/** A foreign key: columns of one table that name rows of another. */
export interface ReferenceFacts {
  from: number;
  to: number;
  /** Of the table that refers, and of the one that is referred to. */
  pairs: readonly (readonly [string, string])[];
}

/** Columns whose values belong together: a key with all that refers to it. The copies of each differ from it by one rule. */
export interface ShiftedKey {
  kind: ColumnKind;
  columns: readonly { table: number; column: string }[];
}

export interface GrowthPlan {
  /** The tables that get copies of their rows. */
  grown: ReadonlySet<number>;
  shifted: readonly ShiftedKey[];
}

/** A table with no more rows, to which ten times as many rows of another refer, lists kinds of things: more data has no more of them. */
const mostKinds = 100;
const rowsOfAKind = 10;

interface Key {
  kind: ColumnKind | null;
  columns: { table: number; column: string }[];
}

/**
 * Which tables get copies of their rows, and which columns differ in the copies. Each copy of a row refers to the copy of the row that it referred to, so that
 * as many rows belong to one as before. As few columns differ as unique indexes demand; a table that allows no second copy stays as it is, with what refers to it.
 */
export function growthPlan(tables: readonly TableFacts[], references: readonly ReferenceFacts[]): GrowthPlan {
  const keys = keysOf(tables, references);
  const keyOf = (table: number, column: string): Key | undefined => keys.get(nameOf(table, column));
  const rows = new Map(tables.map(({ id, rows: count }) => [id, count]));
  const grown = new Set(tables.filter(({ id }) => !listsKinds(id, rows, references)).map(({ id }) => id));
  const fixed = new Set<Key>();
  const canShift = (key: Key | undefined): key is Key => key !== undefined && key.kind !== null && !fixed.has(key);
  const fix = (table: TableFacts): void => {
    for (const column of table.columns.keys()) {
      const key = keyOf(table.id, column);
      if (key !== undefined) fixed.add(key);
    }
  };
  for (const table of tables) if (!grown.has(table.id)) fix(table);
  for (let before = -1; before !== grown.size;) {
    before = grown.size;
    for (const table of tables) {
      if (!grown.has(table.id) || table.unique.every((columns) => columns.some((column) => canShift(keyOf(table.id, column))))) continue;
      grown.delete(table.id);
      fix(table);
    }
  }
  const shifted = new Set<Key>();
  const demands = tables
    .filter(({ id }) => grown.has(id))
    .flatMap(({ id, unique }) => unique.map((columns) => columns.map((column) => keyOf(id, column)).filter(canShift)))
    .sort((a, b) => a.length - b.length);
  for (const able of demands) {
    if (able.some((key) => shifted.has(key))) continue;
    // What others refer to is a row’s identity; the rest of the index may be a number within it.
    const [chosen] = [...able].sort((a, b) => b.columns.length - a.columns.length);
    if (chosen !== undefined) shifted.add(chosen);
  }
  return { grown, shifted: [...shifted].flatMap(({ kind, columns }) => (kind === null ? [] : [{ kind, columns }])) };
}

const nameOf = (table: number, column: string): string => `${table}.${column}`;

/** Each column’s key: its own, or one with the columns that refer to it and those that it refers to. */
function keysOf(tables: readonly TableFacts[], references: readonly ReferenceFacts[]): Map<string, Key> {
  const keys = new Map<string, Key>();
  for (const { id, columns } of tables)
    for (const [column, kind] of columns) keys.set(nameOf(id, column), { kind, columns: [{ table: id, column }] });
  for (const { from, to, pairs } of references) {
    for (const [one, other] of pairs) {
      const [a, b] = [keys.get(nameOf(from, one)), keys.get(nameOf(to, other))];
      if (a === undefined || b === undefined || a === b) continue;
      a.kind = a.kind === b.kind ? a.kind : null;
      a.columns.push(...b.columns);
      for (const { table, column } of b.columns) keys.set(nameOf(table, column), a);
    }
  }
  return keys;
}

function listsKinds(id: number, rows: ReadonlyMap<number, number>, references: readonly ReferenceFacts[]): boolean {
  const own = rows.get(id) ?? 0;
  if (own > mostKinds || references.some(({ from, to }) => from === id && to !== id)) return false;
  return references.some(({ from, to }) => to === id && from !== id && (rows.get(from) ?? 0) >= rowsOfAKind * own);
}

import type { Table, TableColumn, TableRow } from '../../src/model/presentation/table.ts';

export interface Sort {
  column: string;
  descending: boolean;
}

/** Rows in the wanted order; that of the table without one. Cells without a value come last. */
export function sortedRows({ columns, rows }: Table, sort: Sort | null): readonly TableRow[] {
  const index = columns.findIndex((column) => column.id === sort?.column);
  if (!sort || index < 0) return rows;
  const direction = sort.descending ? -1 : 1;
  return [...rows].sort((one, other) => {
    const a = one.cells[index]?.sort ?? null;
    const b = other.cells[index]?.sort ?? null;
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    if (typeof a === 'number' && typeof b === 'number') return (a - b) * direction;
    return String(a).localeCompare(String(b), 'en') * direction;
  });
}

/** The next order after a click on a column: figures start with the largest, words with the first. */
export function nextSort(current: Sort | null, column: Pick<TableColumn, 'id' | 'numeric'>): Sort | null {
  const first = column.numeric;
  if (current?.column !== column.id) return { column: column.id, descending: first };
  return current.descending === first ? { column: column.id, descending: !first } : null;
}

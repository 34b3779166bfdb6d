export interface TableColumn {
  /** The same column in every table, whatever its title. */
  id: string;
  title: string;
  /** What several columns stand under together. */
  group?: string;
  /** Figures are aligned to the right. */
  numeric: boolean;
  /** Shown less strongly than the others, such as an interval beside its mean. */
  muted: boolean;
}

/** What is shown, and what rows are sorted by (`null` sorts last, whichever the direction). Plain text, not escaped for any format. */
export interface Cell {
  text: string;
  sort: number | string | null;
  /** What colour says of it beside the words. */
  kind?: 'good' | 'bad';
  /** What a pointer on it tells. */
  title?: string;
}

export interface TableRow {
  /** The trial that it is of; of a comparison its label. */
  key: string;
  target: string;
  valid: boolean;
  /** Why it is not valid, or was not measured. */
  reasons: readonly string[];
  /** `unsure`: recommended, though not proven and with an interval wider than is asked for. */
  mark: 'recommended' | 'unsure' | null;
  /** One for each column. */
  cells: Cell[];
}

/** A table that report, terminal and panel draw, each in its own way. */
export interface Table {
  columns: TableColumn[];
  rows: TableRow[];
}

/** A column of words. */
export function wordColumn(id: string, title: string): TableColumn {
  return { id, title, numeric: false, muted: false };
}

/** A column of figures. */
export function figureColumn(id: string, title: string, muted = false): TableColumn {
  return { id, title, numeric: true, muted };
}

/** A cell that is sorted by what it says. */
export function wordCell(text: string): Cell {
  return { text, sort: text === '' ? null : text };
}

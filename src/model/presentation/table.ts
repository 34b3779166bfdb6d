export interface TableColumn {
  /** The same column in every table, whatever its title. */
  id: string;
  title: string;
  /** The long form of a short title. */
  full?: string;
  /** The common heading over several columns. */
  group?: string;
  /** Figures are aligned to the right. */
  numeric: boolean;
  /** Shown less strongly than the others, such as an interval next to its mean. */
  muted: boolean;
}

/** What is shown, and what rows are sorted by (`null` sorts last, in either direction). Plain text, not escaped for any format. */
export interface Cell {
  text: string;
  sort: number | string | null;
  /** Half of the 95 % interval, "± 34". */
  spread?: string;
  /** Why it does not count; absent where it does. */
  discarded?: readonly string[];
  /** The meaning of its colour, in addition to the words. */
  kind?: 'good' | 'bad';
  /** Its tooltip. */
  title?: string;
}

export interface TableRow {
  /** The trial that it is of; of a comparison its label. */
  key: string;
  /** `null`: it is of none. */
  target: string | null;
  valid: boolean;
  /** Why it is not valid, or was not measured. */
  reasons: readonly string[];
  /** `unsure`: recommended, though not proven and with an interval wider than is asked for. */
  mark: 'recommended' | 'unsure' | null;
  /** One for each column. */
  cells: Cell[];
}

/** A table that report, terminal, agents and panel draw, each in its own way. */
export interface Table {
  caption?: string;
  columns: TableColumn[];
  rows: TableRow[];
}

export function wordColumn(id: string, title: string): TableColumn {
  return { id, title, numeric: false, muted: false };
}

export function figureColumn(id: string, title: string, muted = false): TableColumn {
  return { id, title, numeric: true, muted };
}

/** Columns by their titles; those from `first` up to `last` have figures. */
export function titledColumns(titles: readonly string[], first: number, last = titles.length - 1): TableColumn[] {
  return titles.map((title, index) => (index >= first && index <= last ? figureColumn(title, title) : wordColumn(title, title)));
}

/** A cell that is sorted by what it says. */
export function wordCell(text: string): Cell {
  return { text, sort: text === '' ? null : text };
}

/** A table whose rows are of no trial. */
export function plainTable(columns: TableColumn[], rows: readonly (readonly (string | Cell)[])[], caption?: string): Table {
  return {
    ...(caption === undefined ? {} : { caption }),
    columns,
    rows: rows.map((cells, index) => ({
      key: String(index),
      target: null,
      valid: true,
      reasons: [],
      mark: null,
      cells: cells.map((cell) => (typeof cell === 'string' ? wordCell(cell) : cell)),
    })),
  };
}

/** All that a cell says, where its parts cannot be drawn apart: "404 ± 8 (not valid)". */
export function cellText({ text, spread, discarded }: Cell): string {
  return `${text}${spread === undefined ? '' : ` ${spread}`}${discarded === undefined ? '' : ' (not valid)'}`;
}

import type { ForestLine } from '../forest.ts';
import type { Table } from '../table.ts';

/** A line of a list: a `problem` makes the figures doubtful, a `note` is for information. */
export interface Item {
  look: 'problem' | 'note';
  /** What it is about: the run, or a trial. */
  about: string;
  text: string;
  /** What it rests on, a phrase each; and what is shown only where there is room. */
  evidence?: readonly string[];
  more?: { explanation: string; ruledOut: readonly string[]; next: readonly string[] };
}

/** What is to be remembered of a document, for one target or trial. */
export interface Answer {
  /** Whose mark it has; `null`: none. */
  target: string | null;
  /** `null`: it is of the whole. */
  label: string | null;
  headline: string;
  /** Next to the headline, such as an interval. */
  aside: string;
  look?: 'good' | 'bad' | 'muted';
  /** How sure it is, in a word; empty where that is not asked. */
  status: string;
  text: string;
  evidence: readonly { name: string; says: 'for' | 'open' | 'against'; word: string; text: string }[];
  /** That the evidence contradicts itself, and under what it was measured; empty where neither applies. */
  warning: string;
  condition: string;
}

/** What an answer has nothing of, unless it says otherwise. */
export const noAnswer = { target: null, label: null, aside: '', status: '', evidence: [], warning: '', condition: '' } as const;

/** A part of a document, as plain texts that are escaped for no format. The most important part comes first. */
export type Part =
  | { kind: 'heading'; text: string; about?: string; chips?: readonly { text: string; look: string; section?: string }[] }
  | { kind: 'text'; text: string; quiet?: true }
  | { kind: 'answers'; answers: readonly Answer[] }
  | { kind: 'list'; items: readonly Item[] }
  | { kind: 'facts'; facts: readonly (readonly [name: string, value: string])[] }
  | { kind: 'table'; table: Table }
  | { kind: 'forest'; lines: readonly ForestLine[]; delta: number }
  /** Lines that are kept as they are; `command`: for a shell. */
  | { kind: 'lines'; lines: readonly string[]; command?: true }
  | Section
  /** Sections side by side where the page is wide. */
  | { kind: 'beside'; sections: readonly Section[] }
  /** Where a page’s script draws. */
  | { kind: 'drawn'; id: string };

/** Parts under a title. */
export interface Section {
  kind: 'section';
  title: string;
  id?: string;
  /** Where room is short, only its title is in sight. */
  fold?: true;
  /** Of what is too large the sections that are `spare` are left out, the last first. */
  spare?: true;
  parts: readonly Part[];
}

/** What makes a text of each kind of part in one format. */
export type PartTexts = { readonly [Kind in Part['kind']]: (part: Extract<Part, { kind: Kind }>) => string };

/** The text of a part; empty where the format has none for it. */
export function partText(texts: PartTexts, part: Part): string {
  return (texts[part.kind] as (part: Part) => string)(part);
}

/** The texts of the parts, `apart` between them. */
export function partsText(texts: PartTexts, parts: readonly Part[], apart: string): string {
  return parts
    .map((part) => partText(texts, part))
    .filter((text) => text !== '')
    .join(apart);
}

/** A section; none where it has no content. */
export function section(title: string, parts: readonly Part[], more: Pick<Section, 'id' | 'fold' | 'spare'> = {}): Section[] {
  return parts.length === 0 ? [] : [{ kind: 'section', title, parts, ...more }];
}

/** A paragraph. */
export function text(words: string): Part {
  return { kind: 'text', text: words };
}

/** A paragraph that is shown less strongly than the others. */
export function quiet(words: string): Part {
  return { kind: 'text', text: words, quiet: true };
}

export function note(text: string, look: Item['look'] = 'note'): Item {
  return { look, about: '', text };
}

/** A list, unless it is empty. */
export function list(items: readonly Item[]): Part[] {
  return items.length === 0 ? [] : [{ kind: 'list', items }];
}

/** Those of the tables that have rows. */
export function tables(...all: readonly Table[]): Part[] {
  return all.flatMap((table): Part[] => (table.rows.length === 0 ? [] : [{ kind: 'table', table }]));
}

/** A document as a text that `fits`: of its spare sections the last ones are left out, until it does or none is left. */
export function withinBudget(parts: readonly Part[], render: (parts: readonly Part[]) => string, fits: (text: string) => boolean): string {
  const shown = [...parts];
  for (;;) {
    const text = render(shown);
    const spare = shown.findLastIndex((part) => part.kind === 'section' && part.spare === true);
    if (spare < 0 || fits(text)) return text;
    shown.splice(spare, 1);
  }
}

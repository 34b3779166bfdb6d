import type { Condition } from './conditions.ts';
import type { Result } from './store.ts';

/** What one repetition adds to its key. */
export type Measured = Omit<Result, 'cell' | 'variant' | 'condition' | 'repeat' | 'with' | 'commit'>;

export interface CellContext {
  /** A folder with the targets of the bench; runs are stored below it. */
  workspace: string;
  condition: Condition;
  repeat: number;
  /** Further arguments for the product. */
  extra: readonly string[];
  signal: AbortSignal;
}

/** What a table says of one condition, and whether that reaches the goal; null: too little is measured to say so. */
export interface Reached {
  figures: string;
  reached: boolean | null;
}

/** A share of repetitions that is to be reached over all conditions: those that end in one of these outcomes. */
export interface Wish {
  what: string;
  outcomes: readonly string[];
  share: number;
}

/** One line of what is shown: what is measured, how often, and what was to be reached. */
export interface Cell {
  name: string;
  title: string;
  goal: string;
  /** How the figures came about and what distinguishes the outcomes, for the page. */
  how: string;
  variants: readonly string[];
  /** Repetitions of each variant in each condition, unless others are asked for. */
  times: number;
  /** All outcomes, in the order of the columns. */
  outcomes: readonly string[];
  wishes?: readonly Wish[];
  /** Why a variant cannot be measured on this machine; null when it can. */
  missing?(variant: string): string | null;
  /** Measures `variants` of one condition and repeat, and tells each as it is known. */
  measure(variants: readonly string[], context: CellContext, tell: (variant: string, measured: Measured) => void): Promise<void>;
  /** Of the results of one condition. */
  judge(results: readonly Result[]): Reached;
}

export function share(count: number, of: number): string {
  return of === 0 ? '–' : `${((100 * count) / of).toFixed(1)} %`;
}

export function countOf(results: readonly Result[], ...outcomes: readonly string[]): number {
  return results.filter(({ outcome }) => outcomes.includes(outcome)).length;
}

export function median(values: readonly (number | null)[]): number | null {
  const sorted = values.filter((value) => value !== null).sort((a, b) => a - b);
  const [low, high] = [sorted[Math.floor((sorted.length - 1) / 2)], sorted[Math.floor(sorted.length / 2)]];
  return low === undefined || high === undefined ? null : (low + high) / 2;
}

/** A cell whose variants are measured one after the other. */
export function oneByOne(measure: (variant: string, context: CellContext) => Promise<Measured>): Pick<Cell, 'measure'>['measure'] {
  return async (variants, context, tell) => {
    for (const variant of variants) tell(variant, await measure(variant, context));
  };
}

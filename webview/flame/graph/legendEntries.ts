import { codeTiers } from '../../../src/model/domain/callTree.ts';
import { type Category, categories, categoryLabels } from '../core/colours.ts';
import type { FlameNames, Layout } from '../core/layout.ts';
import { type CodeScheme, changeSteps } from './boxCodes.ts';
import { displayName } from '../../../src/calltree/shownNames.ts';
import { packageColours, packageHues } from './packages.ts';
import { changePhrase } from './weightFormat.ts';

/** A colour, as the code that has it, and what it means. */
export interface LegendEntry {
  code: number;
  label: string;
}

/** In this order, however often they occur; what has no place here comes last. */
const categoryOrder: readonly Category[] = ['app', 'dependency', 'runtime', 'poolWait', 'databaseWait', 'lockWait', 'waiting', 'otherWait'];

/** What the colours of a layout mean: only those that are in it. The diverging scale of a comparison is {@link changeScale}. */
export function legendEntries(layout: Layout, names: FlameNames | null, scheme: CodeScheme): LegendEntry[] {
  switch (scheme) {
    case 'category':
      return categoryEntries(layout);
    case 'tier':
      return tierEntries(layout);
    case 'package':
      return names === null ? [] : packageEntries(layout, names);
    case 'change':
      return [];
  }
}

function presentIn(column: Uint8Array): boolean[] {
  const present = new Array<boolean>(256).fill(false);
  // Box 0 is the root, which is of no kind.
  for (let box = 1; box < column.length; box++) present[column[box]!] = true;
  return present;
}

function categoryEntries(layout: Layout): LegendEntry[] {
  const present = presentIn(layout.category);
  const ordered = [...categoryOrder, ...categories.filter((category) => !categoryOrder.includes(category))];
  const entries = ordered
    .map((category) => ({ code: categories.indexOf(category), label: categoryLabels[category] }))
    .filter(({ code }) => present[code]);
  // Two kinds of waiting have one colour and one name.
  return entries.filter((entry, index) => entries.findIndex(({ label }) => label === entry.label) === index);
}

function tierEntries(layout: Layout): LegendEntry[] {
  if (layout.tier === null) return [];
  const present = presentIn(layout.tier);
  return codeTiers.flatMap((tier, code) =>
    present[code] ? [{ code, label: tier === 'unknown' ? 'not compiled or not known' : tier }] : [],
  );
}

function packageEntries(layout: Layout, names: FlameNames): LegendEntry[] {
  const { packages } = packageColours(layout, names);
  return [
    ...packages.map((name, code) => ({ code, label: displayName(name, 60) })),
    { code: packageHues, label: packages.length === 0 ? 'no packages known' : 'others' },
  ];
}

export interface ChangeScale {
  /** Codes from the largest decrease to the largest increase. */
  codes: readonly number[];
  least: string;
  most: string;
}

/** Of a comparison, its ends labelled. */
export function changeScale(layout: Layout): ChangeScale | null {
  const { diff } = layout;
  if (diff === null) return null;
  const steps = 4;
  return {
    codes: Array.from({ length: 2 * steps + 1 }, (_, index) => (index * changeSteps) / steps),
    least: `less: ${changePhrase(-diff.maxChange, diff.unit)}`,
    most: `more: ${changePhrase(diff.maxChange, diff.unit)}`,
  };
}

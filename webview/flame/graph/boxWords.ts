import { codeTiers } from '../../../src/model/domain/callTree.ts';
import { categories, categoryLabels } from '../core/colours.ts';
import type { FlameNames, Layout } from '../core/layout.ts';
import { childRange, siblingRange } from './boxes.ts';
import { displayName, shortName } from '../../../src/calltree/shownNames.ts';
import { timePhrase } from '../../../src/model/presentation/weightPhrase.ts';
import { type WeightFormat, changePhrase, comparedPhrase } from './weightFormat.ts';

const longestShown = 1000;
const longestSpoken = 300;

/** One line of the tooltip: what it is, and its figures from left to right. */
export interface WordRow {
  label: string;
  values: readonly string[];
}

export interface BoxWords {
  name: string;
  /** "HikariPool.java:162", or ''. */
  place: string;
  rows: readonly WordRow[];
}

export function nameOfBox(layout: Layout, names: FlameNames | null, box: number): string {
  const func = layout.func[box] ?? -1;
  if (func < 0) return layout.timeOrdered ? 'the whole recording' : 'all stacks';
  return names?.name[func] || '(no name)';
}

/** What a folded box is called: "12 frames of Jetty", "waiting for the pool · HikariPool.getConnection"; null where nothing is folded into it. */
export function foldLabel(layout: Layout, names: FlameNames | null, box: number): string | null {
  const { folds } = layout;
  const frames = folds?.frames[box] ?? 1;
  if (folds === undefined || frames < 2 || (layout.func[box] ?? -1) < 0) return null;
  const category = categories[layout.category[box] ?? -1];
  if (category !== undefined && waits.has(category)) return `${categoryLabels[category]} · ${shortName(nameOfBox(layout, names, box))}`;
  return `▸ ${frames} frames of ${folds.libraries[folds.library[box] ?? 0] ?? ''}`;
}

const waits: ReadonlySet<string> = new Set(['poolWait', 'databaseWait', 'lockWait', 'otherWait', 'idle']);

export function placeOfBox(layout: Layout, names: FlameNames | null, box: number): string {
  const func = layout.func[box] ?? -1;
  const file = names?.file[func] ?? '';
  const line = layout.line[box] || names?.line[func] || 0;
  if (file === '') return line > 0 ? `line ${line}` : '';
  return displayName(line > 0 ? `${file}:${line}` : file, longestShown);
}

export function categoryOfBox(layout: Layout, box: number): string {
  const category = categories[layout.category[box] ?? -1];
  return category === undefined ? '' : categoryLabels[category];
}

/** In a comparison: the box is in one of the two recordings only. */
export function onlyIn(layout: Layout, box: number): 'a' | 'b' | null {
  const { diff } = layout;
  if (diff === null || box === 0) return null;
  if (diff.totalB[box] === 0 && diff.totalA[box] !== 0) return 'a';
  return diff.totalA[box] === 0 && diff.totalB[box] !== 0 ? 'b' : null;
}

export function wordsOfBox(layout: Layout, names: FlameNames | null, box: number, format: WeightFormat): BoxWords {
  const rows = layout.diff === null ? ownRows(layout, box, format) : comparedRows(layout, box);
  const folded = layout.folds?.frames[box] ?? 1;
  if (folded > 1)
    rows.push({ label: 'folded', values: [`${folded} frames of ${layout.folds?.libraries[layout.folds.library[box] ?? 0] ?? ''}`] });
  const tier = codeTiers[layout.tier?.[box] ?? 0];
  if (box !== 0) rows.push({ label: 'kind', values: [categoryOfBox(layout, box)] });
  if (tier !== undefined && tier !== 'unknown') rows.push({ label: 'code', values: [tier === 'baseline' ? 'baseline compiled' : tier] });
  return { name: displayName(nameOfBox(layout, names, box), longestShown), place: placeOfBox(layout, names, box), rows };
}

function ownRows(layout: Layout, box: number, format: WeightFormat): WordRow[] {
  const total = layout.w[box] ?? 0;
  const self = layout.self[box] ?? 0;
  if (layout.timeOrdered) {
    return [
      { label: 'from', values: [timePhrase((layout.x[box] ?? 0) * 1000)] },
      { label: 'for', values: [timePhrase(total * 1000)] },
    ];
  }
  const figures = (value: number): string[] => {
    const perRequest = format.perRequest(value);
    return [format.share(value), format.weight(value), ...(perRequest === null ? [] : [perRequest])];
  };
  return [
    { label: 'total', values: figures(total) },
    { label: 'self', values: figures(self) },
  ];
}

function comparedRows(layout: Layout, box: number): WordRow[] {
  const { diff } = layout;
  if (diff === null) return [];
  const row = (label: string, a: number, b: number): WordRow => ({
    label,
    values: [comparedPhrase(a, diff.unit), comparedPhrase(b, diff.unit), changePhrase(a - b, diff.unit)],
  });
  const only = onlyIn(layout, box);
  return [
    { label: '', values: ['this', 'other', 'change'] },
    row('total', diff.totalA[box] ?? 0, diff.totalB[box] ?? 0),
    row('self', diff.selfA[box] ?? 0, diff.selfB[box] ?? 0),
    ...(only === null ? [] : [{ label: 'seen', values: [only === 'a' ? 'only in this recording' : 'only in the other recording'] }]),
  ];
}

/** For screen readers: "name, self x, total y, share, n callees"; of a box that unfolds, that it is folded. */
export function spokenBox(layout: Layout, names: FlameNames | null, box: number, format: WeightFormat): string {
  const [first, end] = childRange(layout, box);
  const callees = end - first === 0 ? 'no callees' : end - first === 1 ? '1 callee' : `${end - first} callees`;
  const folded = foldLabel(layout, names, box)?.replace('▸ ', '');
  const name = displayName(folded ?? nameOfBox(layout, names, box), longestSpoken);
  return [folded === undefined ? name : `${name}, folded`, ...figurePhrases(layout, box, format), callees].join(', ');
}

/** The figures of a box in short phrases, for a line or for speech. */
export function figurePhrases(layout: Layout, box: number, format: WeightFormat): string[] {
  const { diff } = layout;
  if (layout.timeOrdered) {
    return [`for ${timePhrase((layout.w[box] ?? 0) * 1000)}`, `from ${timePhrase((layout.x[box] ?? 0) * 1000)}`];
  }
  if (diff !== null) {
    const side = (label: string, a: number, b: number): string =>
      `${label} ${comparedPhrase(a, diff.unit)}, other ${comparedPhrase(b, diff.unit)}, ${changePhrase(a - b, diff.unit)}`;
    return [side('self', diff.selfA[box] ?? 0, diff.selfB[box] ?? 0), side('total', diff.totalA[box] ?? 0, diff.totalB[box] ?? 0)];
  }
  const total = layout.w[box] ?? 0;
  const perRequest = format.perRequest(total);
  return [
    `self ${format.weight(layout.self[box] ?? 0)}`,
    `total ${format.weight(total)}`,
    format.share(total),
    ...(perRequest === null ? [] : [perRequest]),
  ];
}

/** The position of a box among those with the same caller, from 1. */
export function positionAmongSiblings(layout: Layout, box: number): { position: number; count: number } {
  const [first, end] = siblingRange(layout, box);
  return { position: box - first + 1, count: end - first };
}

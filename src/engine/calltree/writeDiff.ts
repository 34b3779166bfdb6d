import { BoundedText, functionDocument } from './boundedText.ts';
import { type TreeDiff, diffUnit, functionChanges } from '../../calltree/diffTrees.ts';
import { collapsedNames, eachStack } from './stackFrames.ts';
import { type SvgFill, svgPage } from './svgPage.ts';
import { shortened } from '../../model/domain/plainText.ts';
import { amount } from './svgText.ts';
import { eventTotal, nodeTotals } from '../../calltree/totals.ts';

/** Fills for less and more self weight: colour-blind eyes distinguish blue and orange; a fill is the fuller the larger the change. */
const steps = 4;
const fills = new Map<string, SvgFill>([
  ['same', { label: 'as before', light: '#e6e6e6', dark: '#4a4a4a' }],
  ['appeared', { label: 'appeared', light: '#f2d21f', dark: '#8a7400' }],
  ['vanished', { label: 'vanished', light: '#56c4bd', dark: '#00625c' }],
  ...stepsOf('more', ['#fbe3cf', '#f7c296', '#f09c55', '#e37718'], ['#5a4433', '#7a4a22', '#9a5014', '#bd5a06']),
  ...stepsOf('less', ['#d6e6f7', '#a5caef', '#6ba8e2', '#2f83d0'], ['#37475a', '#2c547e', '#2061a2', '#146fc8']),
]);

function stepsOf(name: string, lights: readonly string[], darks: readonly string[]): [string, SvgFill][] {
  return lights.map((light, step) => [`${name}${step + 1}`, { label: step === steps - 1 ? name : '', light, dark: darks[step] ?? '' }]);
}

/**
 * A picture of the stacks of both recordings. A box is as wide as the larger of its two self weights and its callees together, so that what has vanished is
 * there too; its colour shows the change of its self weight.
 */
export function writeDiffSvg(diff: TreeDiff): string {
  const { tree, a, b } = diff;
  const unionSelf = a.self.map((weight, node) => Math.max(weight, b.self[node] as number));
  const totals = nodeTotals(tree, { ...a, self: unionSelf });
  const [totalsA, totalsB] = [nodeTotals(tree, a), nodeTotals(tree, b)];
  let largest = Number.MIN_VALUE;
  for (let node = 0; node < tree.nodeCount; node += 1)
    largest = Math.max(largest, Math.abs((a.self[node] as number) - (b.self[node] as number)));
  const words = (weight: number): string => diffAmount(diff, weight);
  const title = `${shortened(diff.titleA, 80)} compared with ${shortened(diff.titleB, 80)}`;
  return svgPage({
    tree,
    totals,
    title,
    fills,
    head: `${title} · ${shortened(diff.event, 40)} · ${words(totalsA[0] as number)} against ${words(totalsB[0] as number)}`,
    fillOf(node) {
      const [before, now] = [totalsB[node] as number, totalsA[node] as number];
      if (before === 0 && now > 0) return 'appeared';
      if (now === 0 && before > 0) return 'vanished';
      const change = (a.self[node] as number) - (b.self[node] as number);
      const step = Math.ceil((Math.abs(change) / largest) * steps - 0.02);
      return step <= 0 ? 'same' : `${change > 0 ? 'more' : 'less'}${Math.min(step, steps)}`;
    },
    tooltipOf: (node) =>
      `total ${words(totalsA[node] as number)} against ${words(totalsB[node] as number)}\nself ${words(a.self[node] as number)} against ${words(b.self[node] as number)}`,
  });
}

function diffAmount({ unit, normalise }: TreeDiff, weight: number): string {
  if (normalise === 'share') return `${(100 * weight).toFixed(2)} %`;
  return normalise === 'request' ? `${amount(weight, unit)} per request` : amount(weight, unit);
}

/**
 * One JSON document: `{event, unit, normalise, sentence, a, b, functions: [{name, file, line, selfA, selfB, totalA, totalB, change}]}`, the largest change
 * first; `a` and `b` have title and total.
 */
export function writeDiffJson(diff: TreeDiff, sentence: string): string {
  const head = {
    event: diff.event,
    unit: diffUnit(diff),
    normalise: diff.normalise,
    sentence,
    a: { title: diff.titleA, total: eventTotal(diff.a) },
    b: { title: diff.titleB, total: eventTotal(diff.b) },
  };
  return functionDocument(head, functionChanges(diff), (row) => row);
}

/**
 * Collapsed stacks with two columns, before and after: `root;callee;leaf 12 15`, as differential flame graphs are drawn from. Shares are in
 * parts per million of the recording.
 */
export function writeDiffCollapsed({ tree, a, b, normalise }: TreeDiff): string {
  const names = collapsedNames(tree);
  const factor = normalise === 'share' ? 1e6 : 1;
  const column = (weight: number): string => (weight * factor).toFixed(3).replace(/\.?0+$/, '');
  const out = new BoundedText();
  eachStack(
    tree,
    (node) => names[tree.func[node] as number] ?? '',
    (node, path) => {
      const [before, after] = [column(b.self[node] as number), column(a.self[node] as number)];
      if (before !== '0' || after !== '0') out.push(`${path.join(';')} ${before} ${after}\n`);
    },
  );
  return out.toString();
}

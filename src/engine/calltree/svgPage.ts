import type { CallTree } from '../../model/domain/callTree.ts';
import { BoundedText } from './boundedText.ts';
import { shortened } from '../../model/domain/plainText.ts';
import { xmlText } from './svgText.ts';

const widthPx = 1200;
const rowPx = 18;
const headPx = 34;
const footPx = 28;
/** Narrower boxes cannot be seen and are left out, with everything above them. */
const minWidthPx = 0.1;
const minLabelPx = 24;
const characterPx = 6.6;
const titleCharacters = 600;

/** A fill by its class: what it means, and its colours on a light and on a dark page. */
export interface SvgFill {
  label: string;
  light: string;
  dark: string;
}

/** What is drawn: the width of each node with its callees, its fill, and its text. */
export interface SvgPicture {
  tree: CallTree;
  totals: Float64Array;
  head: string;
  title: string;
  fills: ReadonlyMap<string, SvgFill>;
  fillOf: (node: number) => string;
  tooltipOf: (node: number) => string;
}

/** A self-contained picture: no script, light or dark by the reader's system, a tooltip per frame. Callees are below their caller. */
export function svgPage(picture: SvgPicture): string {
  const { tree, totals, title } = picture;
  const all = totals[0] ?? 0;
  const scale = all > 0 ? widthPx / all : 0;
  const out = new BoundedText();
  const frames = new BoundedText();
  const used = new Set<string>();
  /** Where the next callee of each depth begins. */
  const nextX: number[] = [0];
  let deepest = 0;
  for (let node = 0; node < tree.nodeCount;) {
    const depth = tree.depth[node] as number;
    const width = (totals[node] as number) * scale;
    const x = nextX[depth] ?? 0;
    nextX[depth] = x + width;
    nextX[depth + 1] = x;
    if (width < minWidthPx) {
      node = tree.subtreeEnd[node] as number;
      continue;
    }
    deepest = Math.max(deepest, depth);
    frames.push(frame(picture, node, { x, y: headPx + depth * rowPx, width }, used));
    node += 1;
  }
  const height = headPx + (deepest + 1) * rowPx + footPx;
  out.push(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${widthPx}" height="${height}" viewBox="0 0 ${widthPx} ${height}" role="img" aria-label="${xmlText(title)}">\n`,
  );
  out.push(`<style>${styleSheet(picture.fills)}</style>\n<rect class="page" width="${widthPx}" height="${height}"/>\n`);
  out.push(`<text class="head" x="8" y="22">${xmlText(picture.head)}</text>\n`);
  out.push(frames.toString());
  out.push(legend(picture.fills, used, height - 10));
  out.push('</svg>\n');
  return out.toString();
}

interface Box {
  x: number;
  y: number;
  width: number;
}

function frame(picture: SvgPicture, node: number, { x, y, width }: Box, used: Set<string>): string {
  const { functions, func: funcs } = picture.tree;
  const func = funcs[node] as number;
  const fill = func < 0 ? 'all' : picture.fillOf(node);
  used.add(fill);
  const label = func < 0 ? 'all' : (functions.name[func] ?? '');
  const line = functions.line[func] ?? 0;
  const file = func < 0 ? '' : (functions.file[func] ?? '');
  const at = file === '' ? '' : `\n${shortened(file, titleCharacters)}${line === 0 ? '' : `:${line}`}`;
  const tooltip = `${shortened(label, titleCharacters)}${at}\n${picture.tooltipOf(node)}`;
  const [left, wide] = [round(x), round(Math.max(width - 0.5, minWidthPx))];
  const box = `<rect class="${fill}" x="${left}" y="${y}" width="${wide}" height="${rowPx - 1}"/>`;
  // A picture of its own cuts its text at its edge, whatever script the name is written in.
  const text =
    width < minLabelPx
      ? ''
      : `<svg x="${left}" y="${y}" width="${wide}" height="${rowPx}"><text x="4" y="13">${xmlText(shortened(label, Math.floor((width - 8) / characterPx)))}</text></svg>`;
  return `<g><title>${xmlText(tooltip)}</title>${box}${text}</g>\n`;
}

function legend(fills: ReadonlyMap<string, SvgFill>, used: ReadonlySet<string>, y: number): string {
  let x = 8;
  // The steps of one hue differ by a number. Only the fullest has a label.
  const hues = new Set(Array.from(used, (name) => name.replace(/\d$/, '')));
  const entries = [...fills]
    .filter(([name, { label }]) => hues.has(name.replace(/\d$/, '')) && label !== '')
    .map(([name, { label }]) => {
      const entry = `<rect class="${name}" x="${x}" y="${y - 10}" width="12" height="12"/><text x="${x + 16}" y="${y}">${label}</text>`;
      x += 32 + label.length * 7;
      return entry;
    });
  return `<g>${entries.join('')}</g>\n`;
}

function styleSheet(fills: ReadonlyMap<string, SvgFill>): string {
  const rules = (theme: 'light' | 'dark'): string => [...fills].map(([name, fill]) => `.${name}{fill:${fill[theme]}}`).join('');
  const base =
    'text{font:11px ui-monospace,Menlo,Consolas,monospace;fill:#1b1b1b;unicode-bidi:isolate}.head{font:600 13px system-ui,sans-serif}g:hover>rect{stroke:#1b1b1b}';
  const light = `.page{fill:#fff}.all{fill:#e8e8e8}${rules('light')}`;
  const dark = `text{fill:#f2f2f2}.page{fill:#1f1f1f}.all{fill:#3a3a3a}g:hover>rect{stroke:#f2f2f2}${rules('dark')}`;
  return `${base}${light}@media (prefers-color-scheme:dark){${dark}}`;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

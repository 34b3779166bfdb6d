import { frameKinds } from '../../model/callTree.ts';
import type { CallTree, EventColumn, FrameKind } from '../../model/callTree.ts';
import { BoundedText } from './boundedText.ts';
import { nodeTotals } from './totals.ts';

const widthPx = 1200;
const rowPx = 18;
const headPx = 34;
const footPx = 28;
/** Narrower boxes cannot be seen and are left out, with everything above them. */
const minWidthPx = 0.1;
const minLabelPx = 24;
const characterPx = 6.6;
const titleCharacters = 600;

/** Made once: making one costs more than a frame. */
const countFormat = new Intl.NumberFormat('en', { maximumFractionDigits: 2 });

/** Fills by kind, from Okabe and Ito's palette for colour-blind eyes, paled for dark text on light and deepened for light text on dark. */
const colours: Record<FrameKind, { label: string; light: string; dark: string }> = {
  app: { label: 'app', light: '#f5c26b', dark: '#8a5a00' },
  dependency: { label: 'dependency', light: '#9fd3f2', dark: '#1f5f86' },
  runtime: { label: 'runtime', light: '#8fd8c0', dark: '#0b614a' },
  native: { label: 'native', light: '#d9d9d9', dark: '#54575c' },
  kernel: { label: 'kernel', light: '#f2a98c', dark: '#8d3a10' },
  gc: { label: 'GC', light: '#e6b3d0', dark: '#7b3f62' },
  jit: { label: 'JIT compiler', light: '#f4ea8e', dark: '#6b6210' },
  waiting: { label: 'waiting', light: '#b5b8ee', dark: '#43478f' },
  idle: { label: 'idle', light: '#ececec', dark: '#3b3d41' },
  other: { label: 'other', light: '#e0d6c8', dark: '#5b5348' },
};

/** A self-contained picture of one event: no script, light or dark by the reader's system, a tooltip per frame. Callees are below their caller. */
export function writeSvg(tree: CallTree, event: EventColumn, title: string): string {
  const totals = nodeTotals(tree, event);
  const all = totals[0] ?? 0;
  const scale = all > 0 ? widthPx / all : 0;
  const out = new BoundedText();
  const frames = new BoundedText();
  const used = new Set<FrameKind>();
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
    frames.push(frame(tree, event, totals, node, { x, y: headPx + depth * rowPx, width }, used));
    node += 1;
  }
  const height = headPx + (deepest + 1) * rowPx + footPx;
  out.push(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${widthPx}" height="${height}" viewBox="0 0 ${widthPx} ${height}" role="img" aria-label="${xmlText(title)}">\n`,
  );
  out.push(`<style>${styleSheet()}</style>\n<rect class="page" width="${widthPx}" height="${height}"/>\n`);
  out.push(
    `<text class="head" x="8" y="22">${xmlText(cut(title, 100))} · ${xmlText(cut(event.name, 40))} · ${xmlText(amount(all, event.unit))}</text>\n`,
  );
  out.push(frames.toString());
  out.push(legend(used, height - 10));
  out.push('</svg>\n');
  return out.toString();
}

interface Box {
  x: number;
  y: number;
  width: number;
}

function frame(tree: CallTree, event: EventColumn, totals: Float64Array, node: number, { x, y, width }: Box, used: Set<FrameKind>): string {
  const func = tree.func[node] as number;
  const { name, file, line, kind } = tree.functions;
  const frameKind = func < 0 ? 'other' : (frameKinds[kind[func] ?? 0] ?? 'other');
  if (func >= 0) used.add(frameKind);
  const label = func < 0 ? 'all' : (name[func] ?? '');
  const at = func < 0 || file[func] === '' ? '' : `\n${cut(file[func] ?? '', titleCharacters)}${line[func] === 0 ? '' : `:${line[func]}`}`;
  const total = totals[node] as number;
  const share = ((100 * total) / Math.max(totals[0] as number, Number.MIN_VALUE)).toFixed(2);
  const tooltip = `${cut(label, titleCharacters)}${at}\ntotal ${amount(total, event.unit)} (${share} %), self ${amount(event.self[node] as number, event.unit)}`;
  const [left, wide] = [round(x), round(Math.max(width - 0.5, minWidthPx))];
  const box = `<rect class="${func < 0 ? 'all' : frameKind}" x="${left}" y="${y}" width="${wide}" height="${rowPx - 1}"/>`;
  // A picture of its own cuts its text at its edge, whatever script the name is written in.
  const text =
    width < minLabelPx
      ? ''
      : `<svg x="${left}" y="${y}" width="${wide}" height="${rowPx}"><text x="4" y="13">${xmlText(cut(label, Math.floor((width - 8) / characterPx)))}</text></svg>`;
  return `<g><title>${xmlText(tooltip)}</title>${box}${text}</g>\n`;
}

function legend(used: ReadonlySet<FrameKind>, y: number): string {
  let x = 8;
  const entries = frameKinds
    .filter((kind) => used.has(kind))
    .map((kind) => {
      const { label } = colours[kind];
      const entry = `<rect class="${kind}" x="${x}" y="${y - 10}" width="12" height="12"/><text x="${x + 16}" y="${y}">${label}</text>`;
      x += 32 + label.length * 7;
      return entry;
    });
  return `<g>${entries.join('')}</g>\n`;
}

function styleSheet(): string {
  const fills = (theme: 'light' | 'dark'): string => frameKinds.map((kind) => `.${kind}{fill:${colours[kind][theme]}}`).join('');
  const base =
    'text{font:11px ui-monospace,Menlo,Consolas,monospace;fill:#1b1b1b;unicode-bidi:isolate}.head{font:600 13px system-ui,sans-serif}g:hover>rect{stroke:#1b1b1b}';
  const light = `.page{fill:#fff}.all{fill:#e8e8e8}${fills('light')}`;
  const dark = `text{fill:#f2f2f2}.page{fill:#1f1f1f}.all{fill:#3a3a3a}g:hover>rect{stroke:#f2f2f2}${fills('dark')}`;
  return `${base}${light}@media (prefers-color-scheme:dark){${dark}}`;
}

/** A weight for people, in its unit. */
function amount(weight: number, unit: EventColumn['unit']): string {
  if (unit === 'ns')
    return weight >= 1e9
      ? `${(weight / 1e9).toFixed(2)} s`
      : weight >= 1e6
        ? `${(weight / 1e6).toFixed(2)} ms`
        : `${(weight / 1e3).toFixed(1)} µs`;
  if (unit === 'bytes')
    return weight >= 1048576
      ? `${(weight / 1048576).toFixed(1)} MB`
      : weight >= 1024
        ? `${(weight / 1024).toFixed(1)} kB`
        : `${Math.round(weight)} B`;
  return `${countFormat.format(weight)} samples`;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

/** The first characters of a text, never half of one. */
function cut(text: string, characters: number): string {
  if (text.length <= characters) return text;
  const head = text.slice(0, Math.max(0, characters - 1));
  return `${/[\ud800-\udbff]$/.test(head) ? head.slice(0, -1) : head}…`;
}

/** Text as XML can hold it: marks escaped, and characters that no XML document may contain replaced. */
function xmlText(text: string): string {
  return text
    .replace(/\p{Surrogate}/gu, '\ufffd')
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

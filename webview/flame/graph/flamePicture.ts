import { firstEndingAfter, levelCount } from './boxes.ts';
import { cssColour, mixed } from './colourMath.ts';
import { type Scene, FlamePainter, hatchPattern, rowHeight } from './flamePainter.ts';
import { displayName } from '../../../src/calltree/shownNames.ts';
import { LabelFitter } from './labelText.ts';
import { changeScale, legendEntries } from './legendEntries.ts';
import type { Viewport } from './viewport.ts';
import type { WeightFormat } from './weightFormat.ts';

/** What browsers still draw: pixels of a side and of an area. */
const longestSide = 16_000;
const largestArea = 120_000_000;
const margin = 12;
const headHeight = 48;

export interface PictureOptions {
  title: string;
  /** CSS pixels. */
  width: number;
  pixelRatio: number;
  font: string;
  format: WeightFormat;
}

/** The graph at a zoom as PNG: title, all levels that have boxes there (as many as a picture can hold), legend. */
export async function pictureOf(scene: Scene, viewport: Viewport, options: PictureOptions): Promise<Uint8Array> {
  const levels = visibleLevels(scene, viewport);
  const ratio = levels * rowHeight * options.pixelRatio < longestSide ? options.pixelRatio : 1;
  const width = Math.min(options.width, Math.floor(longestSide / ratio));
  const most = Math.floor(Math.min(longestSide / ratio, largestArea / (width * ratio * ratio)) / rowHeight) - 6;
  const shown = Math.min(levels, most);
  const legend = layLegend(scene, width - 2 * margin);
  const height = headHeight + shown * rowHeight + legend.height + 2 * margin;
  const { canvas, context } = canvasOf(width, height, ratio);
  context.fillStyle = cssColour(scene.theme.background);
  context.fillRect(0, 0, canvas.width, canvas.height);

  const rowsSize = { width: width - 2 * margin, height: shown * rowHeight, pixelRatio: ratio };
  const rows = canvasOf(rowsSize.width, rowsSize.height, ratio);
  const top = scene.orientation === 'icicle' ? 0 : (levelCount(scene.layout) - shown) * rowHeight;
  new FlamePainter().paint(rows.context, scene, viewport, top, rowsSize, options.font);
  context.drawImage(rows.canvas, margin * ratio, headHeight * ratio);

  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  drawHead(context, scene, viewport, options, width, levels - shown);
  legend.draw(context, margin, headHeight + shown * rowHeight + margin, ratio);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  if (blob === null) throw new Error('The picture is too large for this browser.');
  return new Uint8Array(await blob.arrayBuffer());
}

function canvasOf(width: number, height: number, ratio: number): { canvas: HTMLCanvasElement; context: CanvasRenderingContext2D } {
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  const context = canvas.getContext('2d', { alpha: false });
  if (!context) throw new Error('This page cannot draw on a canvas.');
  return { canvas, context };
}

/** Levels down to the deepest one with a box in the stretch on show. */
function visibleLevels(scene: Scene, viewport: Viewport): number {
  const { layout } = scene;
  const from = viewport.fromX * layout.total;
  const to = viewport.toX * layout.total;
  let level = levelCount(layout);
  while (level > 1) {
    const first = firstEndingAfter(layout, level - 1, from);
    if (first < (layout.levelStart[level] ?? 0) && (layout.x[first] ?? 0) < to) break;
    level--;
  }
  return level;
}

function drawHead(
  context: CanvasRenderingContext2D,
  scene: Scene,
  viewport: Viewport,
  options: PictureOptions,
  width: number,
  leftOut: number,
): void {
  const { layout, theme } = scene;
  context.textBaseline = 'alphabetic';
  context.direction = 'ltr';
  context.fillStyle = cssColour(theme.foreground);
  context.font = '600 15px sans-serif';
  const fitter = new LabelFitter((text) => context.measureText(text).width);
  context.fillText(fitter.fit(displayName(options.title || 'Flame graph'), width - 2 * margin), margin, 22);
  context.font = '12px sans-serif';
  context.fillStyle = cssColour(mixed(theme.background, theme.foreground, 0.75));
  const share = viewport.toX - viewport.fromX;
  const weighed = !layout.timeOrdered && layout.diff === null;
  const parts = [
    ...(weighed ? [`total ${options.format.weight(layout.total)}`] : []),
    ...(share === 1 ? [] : [`zoomed to ${weighed ? options.format.share(share * layout.total) : `${(share * 100).toPrecision(3)} %`}`]),
    ...(layout.hiddenIdle > 0 ? ['idle stacks hidden'] : []),
    ...(leftOut > 0 ? [`${leftOut} deeper levels are left out`] : []),
  ];
  context.fillText(parts.join(' · '), margin, 40);
}

const lineHeight = 20;
const swatch = 10;

/** A legend of this width: how high it is, and what draws it. */
function layLegend(scene: Scene, width: number) {
  const { layout, names, scheme, colours, theme } = scene;
  const scale = changeScale(layout);
  const measuring = canvasOf(1, 1, 1).context;
  measuring.font = '12px sans-serif';
  const entries: { label: string; codes: readonly number[]; hatched: boolean }[] =
    scale === null
      ? legendEntries(layout, names, scheme).map(({ code, label }) => ({ label, codes: [code], hatched: false }))
      : [
          { label: `${scale.least} … no change … ${scale.most} (self)`, codes: scale.codes, hatched: false },
          { label: 'in one recording only', codes: [scale.codes[4] ?? 0], hatched: true },
        ];
  let x = 0;
  let line = 0;
  const places = entries.map((entry) => {
    const size = swatch * entry.codes.length + 6 + measuring.measureText(entry.label).width + 18;
    if (x > 0 && x + size > width) {
      x = 0;
      line++;
    }
    const place = { ...entry, x, line };
    x += size;
    return place;
  });
  return {
    height: entries.length === 0 ? 0 : (line + 1) * lineHeight,
    draw(context: CanvasRenderingContext2D, left: number, top: number, ratio: number): void {
      context.font = '12px sans-serif';
      context.textBaseline = 'middle';
      for (const place of places) {
        const y = top + place.line * lineHeight;
        place.codes.forEach((code, index) => {
          context.fillStyle = cssColour(colours.fill[code] ?? theme.background);
          context.fillRect(left + place.x + index * swatch, y, swatch, swatch);
        });
        if (place.hatched) {
          context.fillStyle = hatchPattern(context, cssColour(theme.background), ratio) ?? cssColour(theme.background);
          context.fillRect(left + place.x, y, swatch, swatch);
        }
        context.fillStyle = cssColour(theme.foreground);
        context.fillText(place.label, left + place.x + place.codes.length * swatch + 6, y + swatch / 2);
      }
    },
  };
}

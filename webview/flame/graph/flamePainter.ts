import type { FlameNames, Layout } from '../core/layout.ts';
import { levelCount } from './boxes.ts';
import { type CodeScheme, fadedFrom } from './boxCodes.ts';
import { foldLabel, nameOfBox, onlyIn } from './boxWords.ts';
import { cssColour } from './colourMath.ts';
import type { CodeColours, FlameTheme } from './flameColours.ts';
import { LabelFitter } from './labelText.ts';
import { type RowColours, paintRow, WideBoxes } from './rowTexture.ts';
import type { Viewport } from './viewport.ts';

/** CSS pixels from one row to the next, the gap included. */
export const rowHeight = 22;
const gapHeight = 2;
/** Boxes of at least so many CSS pixels get a label, an outline, a hatch. */
const labelFrom = 28;
const markFrom = 6;
const labelInset = 4;

export type Orientation = 'icicle' | 'flame';

export interface Scene {
  layout: Layout;
  names: FlameNames | null;
  codes: Uint8Array;
  /** What the codes mean, and their colours. */
  scheme: CodeScheme;
  colours: CodeColours;
  /** The same, made ready for painting. */
  rows: RowColours;
  theme: FlameTheme;
  orientation: Orientation;
  /** A search is on: what it found gets an outline. */
  searching: boolean;
}

/** Size of the picture in CSS pixels, and how many device pixels one of them has. */
export interface PictureSize {
  width: number;
  height: number;
  pixelRatio: number;
}

/** Top of a level's row in CSS pixels, in a picture of all levels that is `contentHeight` high. */
export function rowTop(level: number, orientation: Orientation, contentHeight: number): number {
  return orientation === 'icicle' ? level * rowHeight : contentHeight - (level + 1) * rowHeight;
}

/** The level whose row holds `y`. */
export function levelAt(y: number, orientation: Orientation, contentHeight: number): number {
  return Math.floor((orientation === 'icicle' ? y : contentHeight - y) / rowHeight);
}

export function heightOf(layout: Layout): number {
  return levelCount(layout) * rowHeight;
}

/** Paints the rows of a layout: the boxes as one small image of a texel per device pixel and row, stretched; then gaps, marks and labels. */
export class FlamePainter {
  readonly #texture = document.createElement('canvas');
  readonly #textureContext: CanvasRenderingContext2D;
  #image: ImageData | null = null;
  #texels = new Uint32Array(0);
  readonly #wide = new WideBoxes();
  /** What the texels hold. */
  #painted: { scene: Scene; fromX: number; toX: number; firstSlot: number; rows: number; wideFrom: number } | null = null;
  #fitter: LabelFitter | null = null;
  #fitterKey = '';
  #hatch: CanvasPattern | null = null;
  #hatchKey = '';

  constructor() {
    const context = this.#texture.getContext('2d', { alpha: false, willReadFrequently: true });
    if (!context) throw new Error('This page cannot draw on a canvas.');
    this.#textureContext = context;
  }

  /** Forgets measured labels: the names or the font are others. */
  forgetLabels(): void {
    this.#fitter = null;
  }

  /**
   * Paints what `viewport` shows at the top left of `context`. `scrollTop` is how far the picture of all levels is scrolled down, in CSS pixels.
   */
  paint(context: CanvasRenderingContext2D, scene: Scene, viewport: Viewport, scrollTop: number, size: PictureSize, font: string): void {
    const { layout, theme } = scene;
    const ratio = size.pixelRatio;
    const width = Math.round(size.width * ratio);
    const height = Math.round(size.height * ratio);
    const firstSlot = Math.max(0, Math.floor(scrollTop / rowHeight));
    const lastSlot = Math.min(levelCount(layout) - 1, Math.floor((scrollTop + size.height) / rowHeight));
    const rows = lastSlot - firstSlot + 1;
    const background = cssColour(theme.background);
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.fillStyle = background;
    context.fillRect(0, 0, width, height);
    if (rows <= 0 || width <= 0 || !(layout.total > 0)) return;

    const image = this.#imageOf(width, rows);
    this.#paintRows(scene, viewport, firstSlot, rows, width, Math.round(markFrom * ratio));
    this.#textureContext.putImageData(image, 0, 0, 0, 0, width, rows);

    const rowDevice = rowHeight * ratio;
    const top = firstSlot * rowDevice - Math.round(scrollTop * ratio);
    context.imageSmoothingEnabled = false;
    context.drawImage(this.#texture, 0, 0, width, rows, 0, top, width, rows * rowDevice);
    const gap = Math.max(1, Math.round(gapHeight * ratio));
    for (let row = 1; row <= rows; row++) context.fillRect(0, Math.round(top + row * rowDevice) - gap, width, gap);

    const geometry = { top, rowDevice, boxHeight: Math.round(rowDevice) - gap, ratio };
    this.#paintMarks(context, scene, geometry);
    this.#paintLabels(context, scene, geometry, font);
  }

  /** Fills the texels and finds the wide boxes; while only scrolling, of rows that come into view, and the others are moved. */
  #paintRows(scene: Scene, viewport: Viewport, firstSlot: number, rows: number, width: number, wideFrom: number): void {
    const { layout, orientation } = scene;
    const texels = this.#texels;
    const wide = this.#wide;
    const painted = this.#painted;
    const { fromX, toX } = viewport;
    let keptFrom = 0;
    let keptEnd = 0;
    if (painted !== null && painted.scene === scene && painted.fromX === fromX && painted.toX === toX && painted.wideFrom === wideFrom) {
      const down = painted.firstSlot - firstSlot;
      keptFrom = Math.max(0, down);
      keptEnd = Math.max(keptFrom, Math.min(rows, painted.rows + down));
      texels.copyWithin(keptFrom * width, (keptFrom - down) * width, (keptEnd - down) * width);
      wide.move(down, rows);
    } else wide.clear();
    const from = fromX * layout.total;
    const to = toX * layout.total;
    for (let row = 0; row < rows; row++) {
      if (row >= keptFrom && row < keptEnd) continue;
      const slot = firstSlot + row;
      const level = orientation === 'icicle' ? slot : levelCount(layout) - 1 - slot;
      paintRow(layout, level, from, to, scene.rows, texels, row * width, width, wide, row, wideFrom);
    }
    this.#painted = { scene, fromX, toX, firstSlot, rows, wideFrom };
  }

  #imageOf(width: number, rows: number): ImageData {
    const known = this.#image;
    if (known !== null && known.width === width && known.height >= rows) return known;
    const image = new ImageData(width, rows + 4);
    this.#image = image;
    this.#painted = null;
    this.#texels = new Uint32Array(image.data.buffer);
    this.#texture.width = width;
    this.#texture.height = rows + 4;
    return image;
  }

  /** Hatches what only one recording has, outlines what was found, and draws borders in high contrast. */
  #paintMarks(context: CanvasRenderingContext2D, scene: Scene, geometry: RowGeometry): void {
    const { layout, theme, searching, codes } = scene;
    const wide = this.#wide;
    const { ratio } = geometry;
    const line = Math.max(1, Math.round(ratio));
    const marksAppeared = layout.diff !== null;
    this.#paintFolds(context, scene, geometry);
    if (!marksAppeared && !searching && theme.border === null) return;
    const border = new Path2D();
    const found = new Path2D();
    let hatched: Path2D | null = null;
    for (let index = 0; index < wide.count; index++) {
      const box = wide.box[index]!;
      const left = wide.left[index]!;
      const width = wide.right[index]! - left - line;
      const top = Math.round(geometry.top + wide.row[index]! * geometry.rowDevice);
      if (marksAppeared && onlyIn(layout, box) !== null) (hatched ??= new Path2D()).rect(left, top, width, geometry.boxHeight);
      if (searching && box !== 0 && codes[box]! < fadedFrom)
        found.rect(left + line, top + line, width - 2 * line, geometry.boxHeight - 2 * line);
      else if (theme.border !== null) border.rect(left + line / 2, top + line / 2, width - line, geometry.boxHeight - line);
    }
    if (hatched !== null) {
      context.fillStyle = this.#hatchOf(context, theme, ratio);
      context.fill(hatched);
    }
    if (theme.border !== null) {
      context.strokeStyle = cssColour(theme.border);
      context.lineWidth = line;
      context.stroke(border);
    }
    if (searching) {
      context.strokeStyle = cssColour(theme.outline);
      context.lineWidth = 2 * line;
      context.stroke(found);
    }
  }

  /** A dashed line below each box of several frames. */
  #paintFolds(context: CanvasRenderingContext2D, { layout, theme }: Scene, geometry: RowGeometry): void {
    const { folds } = layout;
    if (folds === undefined) return;
    const wide = this.#wide;
    const thick = Math.max(1, Math.round(1.5 * geometry.ratio));
    const dashes = new Path2D();
    for (let index = 0; index < wide.count; index++) {
      if ((folds.frames[wide.box[index]!] ?? 1) < 2) continue;
      const y = Math.round(geometry.top + wide.row[index]! * geometry.rowDevice) + geometry.boxHeight - thick / 2;
      dashes.moveTo(wide.left[index]!, y);
      dashes.lineTo(wide.right[index]! - thick, y);
    }
    context.save();
    context.strokeStyle = cssColour(theme.background);
    context.lineWidth = thick;
    context.setLineDash([4 * geometry.ratio, 3 * geometry.ratio]);
    context.stroke(dashes);
    context.restore();
  }

  #paintLabels(context: CanvasRenderingContext2D, scene: Scene, geometry: RowGeometry, font: string): void {
    const { layout, names, codes, colours, theme } = scene;
    const wide = this.#wide;
    const { ratio } = geometry;
    context.font = font;
    context.textBaseline = 'middle';
    context.textAlign = 'left';
    context.direction = 'ltr';
    const fitter = this.#fitterOf(context, font);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    const least = labelFrom * ratio;
    const middle = geometry.boxHeight / 2 + 0.5 * ratio;
    let style = '';
    for (let index = 0; index < wide.count; index++) {
      const left = wide.left[index]!;
      const width = wide.right[index]! - left;
      if (width < least) continue;
      const box = wide.box[index]!;
      const func = layout.func[box] ?? -1;
      const room = width / ratio - 2 * labelInset;
      const folded = foldLabel(layout, names, box);
      const label =
        folded !== null
          ? fitter.fit(folded, room)
          : fitter.label(
              func,
              func < 0 ? nameOfBox(layout, names, box) : (names?.name[func] ?? ''),
              func < 0 ? 0 : (layout.line[box] ?? 0),
              room,
            );
      if (label === '') continue;
      const code = codes[box]!;
      const x = left / ratio + labelInset;
      const y = (geometry.top + wide.row[index]! * geometry.rowDevice + middle) / ratio;
      if (layout.diff !== null && onlyIn(layout, box) !== null) {
        // On hatching it could not be read.
        context.fillStyle = cssColour(colours.fill[code] ?? theme.background);
        context.fillRect(x - 2, y - 8, context.measureText(label).width + 4, 16);
      }
      const text = colours.text[code] ?? '';
      if (text !== style || layout.diff !== null) {
        context.fillStyle = text;
        style = text;
      }
      context.fillText(label, x, y);
    }
  }

  #fitterOf(context: CanvasRenderingContext2D, font: string): LabelFitter {
    if (this.#fitter === null || this.#fitterKey !== font) {
      context.setTransform(1, 0, 0, 1, 0, 0);
      this.#fitter = new LabelFitter((text) => context.measureText(text).width);
      this.#fitterKey = font;
    }
    return this.#fitter;
  }

  #hatchOf(context: CanvasRenderingContext2D, theme: FlameTheme, ratio: number): CanvasPattern | string {
    const colour = cssColour(theme.background);
    const key = `${colour} ${ratio}`;
    if (this.#hatch !== null && this.#hatchKey === key) return this.#hatch;
    this.#hatch = hatchPattern(context, colour, ratio);
    this.#hatchKey = key;
    return this.#hatch ?? colour;
  }
}

interface RowGeometry {
  /** Device pixels. */
  top: number;
  rowDevice: number;
  boxHeight: number;
  ratio: number;
}

/** Diagonal stripes, seamless, transparent between. */
export function hatchPattern(context: CanvasRenderingContext2D, colour: string, ratio: number): CanvasPattern | null {
  const size = Math.max(4, Math.round(6 * ratio));
  const tile = document.createElement('canvas');
  tile.width = size;
  tile.height = size;
  const stripes = tile.getContext('2d');
  if (!stripes) return null;
  stripes.strokeStyle = colour;
  stripes.lineWidth = size / 4;
  for (const shift of [-size, 0, size]) {
    stripes.beginPath();
    stripes.moveTo(shift - 1, size + 1);
    stripes.lineTo(shift + size + 1, -1);
    stripes.stroke();
  }
  return context.createPattern(tile, 'repeat');
}

import type { FlameNames, Layout } from '../core/layout.ts';
import { levelCount } from './boxes.ts';
import { figurePhrases, nameOfBox, placeOfBox } from './boxWords.ts';
import type { PictureSize } from './flamePainter.ts';
import type { BoxPlace } from './graphPlaces.ts';
import { displayName } from '../../../src/calltree/shownNames.ts';
import type { WeightFormat } from './weightFormat.ts';

const longestName = 200;
const leastMarkPx = 4;

export function element(tag: string, className: string, text = ''): HTMLElement {
  const made = document.createElement(tag);
  made.className = className;
  made.textContent = text;
  return made;
}

export function setAttributes(of: Element, attributes: Readonly<Record<string, string | number | boolean>>): void {
  for (const [name, value] of Object.entries(attributes)) of.setAttribute(name, String(value));
}

/** Gives a canvas a pixel for each device pixel of the picture. */
export function fitCanvas(canvas: HTMLCanvasElement, size: PictureSize): void {
  const width = Math.round(size.width * size.pixelRatio);
  const height = Math.round(size.height * size.pixelRatio);
  if (canvas.width === width && canvas.height === height) return;
  canvas.width = width;
  canvas.height = height;
  canvas.style.setProperty('width', `${size.width}px`);
  canvas.style.setProperty('height', `${size.height}px`);
}

/** Puts a mark around a box; null hides it. */
export function placeMark(mark: HTMLElement, place: BoxPlace | null): void {
  mark.style.setProperty('display', place === null ? 'none' : 'block');
  if (place === null) return;
  mark.style.setProperty('transform', `translate(${Math.round(place.left)}px, ${Math.round(place.top)}px)`);
  mark.style.setProperty('width', `${Math.max(leastMarkPx, Math.round(place.right) - Math.round(place.left))}px`);
}

/** The line below the picture: the description of the selected box, or, where it is -1, what can be done. */
export function detailsOf(layout: Layout, names: FlameNames | null, box: number, format: WeightFormat): (Node | string)[] {
  if (layout.boxCount === 0) return [];
  if (box === -1) {
    const click = layout.folds === undefined ? 'zooms in' : 'zooms in, or unfolds what is dashed';
    return [`${levelCount(layout)} levels. A click ${click}; two open the source.`];
  }
  const name = element('bdi', 'name', displayName(nameOfBox(layout, names, box), longestName));
  const place = placeOfBox(layout, names, box);
  // Two parts, of which the first gives way, so that no name hides the figures.
  const what = element('span', 'what', '');
  what.append(name, ...(place === '' ? [] : [` · ${place}`]));
  return [what, element('span', 'figures', ` · ${figurePhrases(layout, box, format).join(' · ')}`)];
}

import type { BoxWords } from './boxWords.ts';
import { element, setAttributes } from './graphElements.ts';

const distance = 14;
const margin = 4;

/**
 * Where a tip of this size goes: right below the pointer, left of it or above it where there is no room, always within the window and never
 * over the pointer. All in CSS pixels of the window.
 */
export function placeTip(
  pointer: { x: number; y: number },
  tip: { width: number; height: number },
  view: { width: number; height: number },
): { left: number; top: number } {
  const clamp = (value: number, size: number, room: number): number => Math.max(margin, Math.min(value, room - size - margin));
  const below = pointer.y + distance;
  const above = pointer.y - distance - tip.height;
  const left = clamp(pointer.x + distance, tip.width, view.width);
  if (below + tip.height + margin <= view.height) return { left, top: below };
  if (above >= margin) return { left, top: above };
  // No room above or below: next to the pointer.
  const top = clamp(below, tip.height, view.height);
  const right = pointer.x + distance;
  if (right + tip.width + margin <= view.width) return { left: right, top };
  return { left: Math.max(margin, pointer.x - distance - tip.width), top };
}

/** A tooltip as a real element. Text goes in as text, whatever it is. */
export class Tooltip {
  readonly element = element('div', 'tip');
  #size = { width: 0, height: 0 };

  constructor() {
    setAttributes(this.element, { role: 'tooltip' });
    this.element.hidden = true;
  }

  /** Shows these words near the pointer; null leaves the words as they are. */
  show(words: BoxWords | null, pointer: { x: number; y: number }): void {
    const wasHidden = this.element.hidden;
    this.element.hidden = false;
    if (words !== null) this.element.replaceChildren(...contentOf(words));
    if (words !== null || wasHidden) this.#size = { width: this.element.offsetWidth, height: this.element.offsetHeight };
    const place = placeTip(pointer, this.#size, { width: window.innerWidth, height: window.innerHeight });
    this.element.style.setProperty('left', `${Math.round(place.left)}px`);
    this.element.style.setProperty('top', `${Math.round(place.top)}px`);
  }

  hide(): void {
    this.element.hidden = true;
  }
}

function contentOf(words: BoxWords): HTMLElement[] {
  const head = element('p', 'head');
  head.append(element('bdi', 'name', words.name));
  if (words.place !== '') head.append(' ', element('bdi', 'place', words.place));
  if (words.rows.length === 0) return [head];
  const table = document.createElement('table');
  for (const row of words.rows) {
    const line = table.insertRow();
    const label = element('th', '', row.label);
    setAttributes(label, { scope: 'row' });
    line.append(label);
    for (const value of row.values) {
      const cell = line.insertCell();
      cell.textContent = value;
      // A row of words may run on over the columns of figures.
      if (row.values.length === 1) cell.colSpan = 3;
    }
  }
  return [head, table];
}

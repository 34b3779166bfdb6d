import type { Layout } from '../core/layout.ts';
import { childRange, levelOf, pathTo, siblingRange } from './boxes.ts';
import { element, setAttributes } from './graphElements.ts';
import { positionAmongSiblings } from './boxWords.ts';

/** Siblings and callees that are in the tree on each side of the active one; the rest are counted by `aria-setsize`. */
const reach = 4;
/** Callers that are in the tree, the nearest ones; `aria-level` has their depth. */
const longestPath = 60;

/** The boxes that the tree holds for an active one, in the order of a tree: the path to it, siblings around it, its first callees. */
export function treeBoxes(layout: Layout, active: number): number[] {
  const path = pathTo(layout, active);
  const [firstSibling, siblingsEnd] = siblingRange(layout, active);
  const [firstChild, childrenEnd] = childRange(layout, active);
  const range = (from: number, to: number): number[] => Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index);
  return [
    ...path.slice(0, -1).slice(-longestPath),
    ...range(Math.max(firstSibling, active - reach), active),
    active,
    ...range(firstChild, Math.min(childrenEnd, firstChild + reach)),
    ...range(active + 1, Math.min(siblingsEnd, active + 1 + reach)),
  ];
}

/**
 * The graph as a tree for screen readers: real elements for the path to the active box, and for the boxes around it and below it. It is the one stop
 * for the keyboard; `aria-activedescendant` says which box is active.
 */
export class AccessibleTree {
  readonly element = element('div', 'tree');
  readonly #items = element('div', 'items');

  constructor() {
    setAttributes(this.element, { tabindex: 0, role: 'tree', 'aria-label': 'Flame graph' });
    setAttributes(this.#items, { role: 'none' });
    this.element.append(this.#items);
  }

  /** Makes the elements for an active box again. `say` returns the words for a box. */
  update(layout: Layout | null, active: number, say: (box: number) => string): void {
    if (layout === null || layout.boxCount === 0) {
      this.#items.replaceChildren();
      this.element.removeAttribute('aria-activedescendant');
      return;
    }
    const shown = active >= 0 && active < layout.boxCount ? active : 0;
    const path = new Set(pathTo(layout, shown));
    this.#items.replaceChildren(...treeBoxes(layout, shown).map((box) => this.#item(layout, box, path.has(box), box === active, say(box))));
    this.element.setAttribute('aria-activedescendant', itemId(shown));
  }

  #item(layout: Layout, box: number, expanded: boolean, selected: boolean, words: string): HTMLElement {
    const item = element('div', '', words);
    const { position, count } = positionAmongSiblings(layout, box);
    setAttributes(item, { id: itemId(box), role: 'treeitem', 'aria-level': levelOf(layout, box) + 1, 'aria-selected': selected });
    setAttributes(item, { 'aria-setsize': count, 'aria-posinset': position });
    const [first, end] = childRange(layout, box);
    if (end > first) setAttributes(item, { 'aria-expanded': expanded });
    return item;
  }
}

function itemId(box: number): string {
  return `box-${box}`;
}

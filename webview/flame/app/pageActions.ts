import type { FlameView } from './look.ts';
import type { MenuItem } from './popupMenu.ts';

/** Which functions a comparison lists. */
export type TableFilter = 'all' | 'appeared' | 'vanished';

/** What the parts of the page ask of the page; the session does the rest. */
export interface PageActions {
  step: (by: 1 | -1) => void;
  show: (view: FlameView) => void;
  /** Opens a menu below the button that was pressed. */
  menu: (event: Event, label: string, items: () => MenuItem[]) => void;
  /** Shows another menu at the place of the open one. */
  instead: (label: string, items: () => MenuItem[]) => void;
  savePicture: () => void;
  canDraw: () => boolean;
  /** Selects the widest frame of a function, and makes it as wide as the view. */
  focus: (func: number) => void;
  /** Shows what the share in the sentence counts, or hides it. */
  explain: () => void;
  filter: (filter: TableFilter) => void;
  choose: (func: number) => void;
  functionMenu: (func: number, x: number, y: number) => void;
  zoomTo: (box: number) => void;
  resetZoom: () => void;
}

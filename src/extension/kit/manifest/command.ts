import { all, equals, inView, matches, type Condition, type ViewName } from './conditions.ts';

/** The menus of the editor that contain commands. */
export const menus = [
  'view/title',
  'view/item/context',
  'editor/title',
  'explorer/context',
  'scm/title',
  'timeline/item/context',
  'editor/title/context',
  'scm/sourceControl',
] as const;

/** Where in a menu: its group, and the place in it from 1 on. */
type Group = `${string}@${number}`;

export interface Place {
  menu: (typeof menus)[number];
  group: Group;
  when: Condition;
}

interface Keys {
  key: string;
  mac: string;
  when?: Condition;
}

/** All that the manifest says of a command. Its name in the table is its id after `benchside.`. */
export interface Command {
  title: string;
  icon: `$(${string})`;
  /** The state of the window in which it can be used. In any other it is disabled, and the palette, its keys and its menus have nothing of it. */
  during?: Condition;
  /** When it can be used, where it is shown nevertheless; left out: always. */
  enablement?: Condition;
  /** When the palette lists it; left out: always, or `during` its state. */
  palette?: Condition;
  keys?: Keys;
  places?: readonly Place[];
}
export type CommandTable = Readonly<Record<string, Command>>;

/** Ctrl+K (on a Mac Cmd+K), then this key. */
export const chord = (key: string, when?: Condition): Keys => ({
  key: `ctrl+k ${key}`,
  mac: `cmd+k ${key}`,
  ...(when === undefined ? {} : { when }),
});

/** In the title of a view. */
export const inTitle = (view: ViewName, group: Group, ...conditions: readonly Condition[]): Place => ({
  menu: 'view/title',
  group,
  when: all(inView(view), ...conditions),
});

/** On rows of a view, by their `contextValue`: one, or those of a pattern. The group `inline` is the row itself. */
export const onRows = (view: ViewName, rows: string | RegExp, group: Group, ...conditions: readonly Condition[]): Place => ({
  menu: 'view/item/context',
  group,
  when: all(inView(view), typeof rows === 'string' ? equals('viewItem', rows) : matches('viewItem', rows), ...conditions),
});

// The type alone: titles, menus and conditions are for the manifest, and activation does without them.
import type { commands } from './manifest/commands.ts';

export type CommandName = keyof typeof commands;
export type CommandId = `benchside.${CommandName}`;

/** The editor's id of a command of Benchside. */
export function commandId<Name extends CommandName>(name: Name): `benchside.${Name}` {
  return `benchside.${name}`;
}

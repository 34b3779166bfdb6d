import { commandId, type CommandName } from '../commandId.ts';
import { commands } from './commands.ts';

/** A link that runs a command, with an argument where one is given. In a welcome text, a link that is alone in its line is a button. */
export const link = (name: CommandName, label: string = commands[name].title, argument?: string): string =>
  `[${label}](command:${commandId(name)}${argument === undefined ? '' : `?${encodeURIComponent(JSON.stringify([argument]))}`})`;

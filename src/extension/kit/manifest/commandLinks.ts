import { commandId, type CommandName } from '../commandId.ts';
import { commands } from './commands.ts';

/** A link that runs a command. In a welcome text, a link that is alone in its line is a button. */
export const link = (name: CommandName, label: string = commands[name].title): string => `[${label}](command:${commandId(name)})`;

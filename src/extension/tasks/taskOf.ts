import { taskCommands, type TaskCommand } from '../kit/manifest/tasks.ts';

/** A command of the terminal with its words. */
export interface BenchsideTask {
  command: TaskCommand;
  arguments: readonly string[];
}

/** What a task of somebody’s tasks.json asks for; null where it is not a task of Benchside. */
export function taskOf(definition: Readonly<Record<string, unknown>>): BenchsideTask | null {
  const { command, arguments: words = [] } = definition;
  if (typeof command !== 'string' || !isCommand(command)) return null;
  if (!Array.isArray(words) || !words.every((word) => typeof word === 'string')) return null;
  return { command, arguments: words };
}

function isCommand(name: string): name is TaskCommand {
  return Object.hasOwn(taskCommands, name);
}

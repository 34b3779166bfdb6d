import { parseCommand } from '../../src/cli/arguments.ts';

/** What a command line asks for: the name of its command, with all that it is given. */
export function parsedCommand(argv: readonly string[]): Record<string, unknown> & { name: string } {
  const parsed = parseCommand(argv);
  if (parsed.say !== undefined) throw new Error(`“${argv.join(' ')}” only says something`);
  return { name: parsed.name, ...parsed.given };
}

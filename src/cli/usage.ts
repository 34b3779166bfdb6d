import type { Command, Help, Option } from 'commander';

/** The narrowest that help is laid out for, and what it is where there is no terminal: the characters of a line. */
const narrowest = 80;
const withoutTerminal = 140;

/** How wide help may be. */
export function helpWidth(columns: number | undefined): number {
  return Math.max(narrowest, columns ?? withoutTerminal);
}

/** The help of the whole program: every command with its options. Those that a command shares with one above are named only. */
export function wholeHelp(program: Command, helper: Help): string {
  const groups = helper.visibleCommands(program).flatMap((command) => leaves(command, helper));
  const terms = [...groups.flatMap(({ options }) => options), ...helper.visibleOptions(program)].map((option) => helper.optionTerm(option));
  const width = Math.max(...terms.map((term) => term.length)) + 2;
  const line = (term: string, description: string): string => helper.formatItem(term, width, description, helper);
  const first = new Map<Option, string>();
  const lines = groups.flatMap(({ name, term, description, options }) => {
    const own = options.filter((option) => !first.has(option));
    const shared = options.flatMap((option) => (first.has(option) ? [{ option, as: first.get(option) ?? '' }] : []));
    for (const option of own) first.set(option, name);
    const others = [...new Set(shared.map(({ as }) => as))].map((as) => ({
      names: shared.filter((one) => one.as === as).map(({ option }) => option.long ?? option.flags),
      as,
    }));
    return [
      term.length > width ? `  ${term}\n${line('', description)}` : line(term, description),
      ...own.map((option) => line(`  ${helper.optionTerm(option)}`, helper.optionDescription(option))),
      ...others.map(({ names, as }) => line('', `${names.join(', ')} as for ${as}`)),
    ];
  });
  return [
    `Usage: ${helper.commandUsage(program)}`,
    '',
    helper.commandDescription(program),
    '',
    ...lines,
    '',
    'Options of all commands',
    ...helper.visibleOptions(program).map((option) => line(`  ${helper.optionTerm(option)}`, helper.optionDescription(option))),
    '',
    '',
  ].join('\n');
}

interface Leaf {
  /** As a person says it: "raw query". */
  name: string;
  term: string;
  description: string;
  options: readonly Option[];
}

/** A command, or the commands that it consists of. */
function leaves(command: Command, helper: Help, before = ''): Leaf[] {
  const within = helper.visibleCommands(command).filter((one) => one.name() !== 'help');
  const name = `${before}${command.name()}`;
  if (within.length > 0) return within.flatMap((one) => leaves(one, helper, `${name} `));
  return [
    {
      name,
      term: `${before}${helper.subcommandTerm(command).replace(' [options]', '')}`,
      description: helper.commandDescription(command),
      options: helper.visibleOptions(command).filter((option) => option.long !== '--help'),
    },
  ];
}

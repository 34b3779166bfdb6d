import { type CommanderError, Command as CommandLine } from 'commander';
import packageManifest from '../../package.json' with { type: 'json' };
import { FailureError } from '../model/domain/failure.ts';
import { failureCure } from '../model/domain/failureCodes.ts';
import type { Command, Ready } from './command.ts';
import { commandGroups, commandList } from './commandList.ts';
import { commonOf, commonOptions } from './commonOptions.ts';
import { take, valuesOf } from './options.ts';
import { helpWidth, wholeHelp } from './usage.ts';
import { listed, wrong } from './values.ts';

/** What is to be done: a command with what it was given, or (`say`) nothing but to print a text, such as help. */
type Parsed = { say: string } | (Ready & { say?: undefined; name: string });

/** Reads a command line; what cannot be understood fails with the code `usage`. */
export function parseCommand(argv: readonly string[], columns?: number): Parsed {
  let parsed: Parsed | undefined;
  let text = '';
  /** The command whose words are being read, as a person says it. */
  let reading = 'benchside';
  const deeper = (_: CommandLine, next: CommandLine): void => void (reading += ` ${next.name()}`);
  const program = new CommandLine('benchside');
  program
    .description('Benchside: which pool size, thread count or instance count to use, and why.')
    .version(packageManifest.version, '--version', 'say which version this is')
    .helpOption('-h, --help', 'say what there is; after a command, what that takes')
    .configureOutput({ writeOut: (words) => (text += words), writeErr: () => undefined, getOutHelpWidth: () => helpWidth(columns) })
    .configureHelp({ showGlobalOptions: true })
    .addHelpText('after', 'Exit status: 0 done, 1 failed, 2 wrong usage, 3 an objective was missed or it is worse, 4 can’t tell.')
    .hook('preSubcommand', deeper)
    .exitOverride((error) => misunderstood(error, reading));
  take(program, commonOptions);

  /** Of the arguments that commander gives, the words come first; then come the options and the command itself. */
  const understand = ({ words, options, ready }: Command, line: CommandLine, given: unknown[]): void => {
    const asked = given
      .slice(0, -2)
      .flat()
      .filter((one) => one !== undefined) as string[];
    const name = words.replace(/ [<[].*/, '');
    parsed = { name, ...ready(valuesOf(line, options), asked, commonOf(valuesOf(program, commonOptions))) };
  };
  const groups = new Map<string, CommandLine>();
  const groupOf = (first: string): CommandLine => {
    const group = commandGroups[first];
    if (group === undefined) return program;
    const known = groups.get(first);
    if (known !== undefined) return known;
    const added = program.command(first).description(group.description).allowExcessArguments();
    added.hook('preSubcommand', deeper).action((...given: unknown[]) => {
      const [second] = added.args;
      if (second === undefined && group.alone !== undefined) return understand(group.alone, added, given);
      const there = listed(added.commands.map((one) => one.name()));
      throw wrong(
        second === undefined ? `“benchside ${first}” what? It is ${there}.` : `There is no “benchside ${first} ${second}”: it is ${there}.`,
      );
    });
    groups.set(first, added);
    return added;
  };
  for (const one of commandList) {
    const [first = ''] = one.words.split(' ');
    const parent = groupOf(first);
    const added = parent
      .command(parent === program ? one.words : one.words.slice(first.length + 1))
      .description(one.description)
      .allowExcessArguments(false);
    take(added, one.options);
    added.action((...given: unknown[]) => understand(one, added, given));
  }
  program.helpCommand('help [command]', 'what a command takes').configureHelp({ formatHelp: wholeHelp });

  try {
    program.parse(argv.length === 0 ? ['--help'] : argv, { from: 'user' });
  } catch (error) {
    if (error !== said) throw withHelpOf(reading, error);
    return { say: text.trimEnd() };
  }
  if (parsed === undefined) throw wrong('There is no command.');
  return parsed;
}

/** Thrown when nothing but a text was asked for. */
const said = new Error('said');

/** What commander does not understand, in our words; `command` as a person says it. */
function misunderstood({ code, exitCode, message: output }: CommanderError, command: string): never {
  if (code === 'commander.help' && exitCode !== 0) throw wrong('There is no such command.');
  if (code === 'commander.version' || code.startsWith('commander.help')) throw said;
  const [problem = '', suggestion = ''] = output
    .replace(/^error: /, '')
    .replace(/'([^']*)'/g, '“$1”')
    .split('\n');
  const sentence = `“${command}”: ${problem.replace(/\.$/, '')}.`;
  throw wrong(sentence, `${suggestion.replace(/^\((.*)\)$/, '$1 ')}See “${command} --help”.`);
}

/** Of what makes no sense and has no cure of its own, the cure is the help of the command that it was said to. */
function withHelpOf(command: string, error: unknown): unknown {
  const isGeneral = error instanceof FailureError && error.failure.code === 'usage' && error.failure.cure === failureCure('usage');
  return isGeneral ? wrong(error.failure.message, `See “${command} --help”.`) : error;
}

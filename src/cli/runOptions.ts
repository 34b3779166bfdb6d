import { type RunFlagName, eachRunFlag } from '../model/domain/runFlags.ts';
import { type RunOption, type RunOptionName, eachRunOption, tuneOptions } from '../model/domain/runOptions.ts';
import { readRunOption } from '../model/presentation/runOptionText.ts';
import { type Taken, flag, one } from './options.ts';
import { read } from './values.ts';

type OptionsTaken = Readonly<Record<RunOptionName, Taken<number | undefined>>>;

function taken(option: RunOption, help: string): Taken<number | undefined> {
  const { cli } = option;
  return one(`${cli.option} <${cli.value}>`, help, (text, name) => read(`${name} “${text}”`, readRunOption(option, text)));
}

/** The options of `run` that are one number. */
export const plainRunOptions = Object.fromEntries(
  eachRunOption.map(([name, option]) => [name, taken(option, option.cli.help)]),
) as OptionsTaken;

/** Those of them that `tune` takes. */
export const plainTuneOptions = Object.fromEntries(
  tuneOptions.map(([name, option]) => [name, taken(option, option.tune.help ?? option.cli.help)]),
) as Partial<OptionsTaken>;

function flagOptions(command: 'run' | 'tune'): Readonly<Record<RunFlagName, Taken<boolean>>> {
  return Object.fromEntries(eachRunFlag.map(([name, { cli }]) => [name, flag(cli.option, cli[command])])) as Record<
    RunFlagName,
    Taken<boolean>
  >;
}

/** The options that are on or off. */
export const runFlagOptions = flagOptions('run');
export const tuneFlagOptions = flagOptions('tune');

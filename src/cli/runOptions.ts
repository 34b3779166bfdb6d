import { about } from '../model/domain/parsed.ts';
import { type RunFlagName, eachRunFlag } from '../model/domain/runFlags.ts';
import { type RunOption, type RunOptionName, eachRunOption, tuneOptions } from '../model/domain/runOptions.ts';
import { readRunOption } from '../model/presentation/runOptionText.ts';
import { type Reader, type Taken, flag, one } from './options.ts';
import { wrong } from './values.ts';

type OptionsTaken = Readonly<Record<RunOptionName, Taken<number | undefined>>>;

const reader =
  (option: RunOption): Reader<number> =>
  (text, name) => {
    const parsed = readRunOption(option, text);
    if (!parsed.ok) throw wrong(about(`${name} “${text}”`, parsed.problem));
    return parsed.value;
  };

function taken(option: RunOption, help: string): Taken<number | undefined> {
  const { cli } = option;
  return one(`${cli.option} <${cli.value}>`, help, reader(option));
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

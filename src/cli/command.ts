import type { K6Params } from '../model/domain/generator.ts';
import type { EngineClient } from '../engine/rpc/engineClient.ts';
import type { Options, Values } from './options.ts';
import type { Output } from './output.ts';
import type { ServerOptions } from './serverOptions.ts';
import type { Terminal } from './terminal.ts';

/** What every command is given. */
export interface CommonOptions extends ServerOptions {
  json: boolean;
  workspace: string;
  node: string | null;
  java: string | null;
  k6: K6Params;
}

/** What a command is given: its own options, as it understands them, and those of all. */
export type Given<Asked> = Asked & CommonOptions;

/** Where Benchside lies, and where it keeps what is the user's. */
export interface Places {
  assetsDir: string;
  enginePath: string;
  /** Fails where the user has no home. */
  storageDir: () => string;
}

interface Described<O extends Options, Asked> {
  /** Its words and arguments, such as `raw query <run> <view>`. */
  words: string;
  description: string;
  options: O;
  /** Whether it measures, so that a first interrupt cancels and what was measured is kept; left out: it does not. */
  measures?: boolean;
  /** What was asked for; what makes no sense fails with the code `usage`. `words`: its arguments, as many as were given. */
  means: (values: Values<O> & Pick<CommonOptions, 'json'>, ...words: string[]) => Asked;
}

/** A command that an engine carries out. `does` is loaded when it is used, and gives the exit code. */
interface EngineCommand<O extends Options, Asked> extends Described<O, Asked> {
  does: () => Promise<(given: Given<Asked>, engine: EngineClient, terminal: Terminal) => Promise<number>>;
}

/** A command that needs no engine, or starts one of its own. */
interface LoneCommand<O extends Options, Asked> extends Described<O, Asked> {
  alone: () => Promise<(given: Given<Asked>, places: Places, output: Output) => Promise<number>>;
}

/** What a command line asks for. */
export interface Ready {
  measures: boolean;
  given: CommonOptions;
  carryOut:
    | { kind: 'engine'; run: (engine: EngineClient, terminal: Terminal) => Promise<number> }
    | { kind: 'alone'; run: (places: Places, output: Output) => Promise<number> };
}

/** A command of the terminal, whatever its options are. */
export interface Command extends Pick<Described<Options, never>, 'words' | 'description' | 'options'> {
  ready: (values: Values<Options>, words: readonly string[], common: CommonOptions) => Ready;
}

/** One command: a value in a file of its own, and a line of the list. */
export function command<O extends Options, Asked extends object>(made: EngineCommand<O, Asked> | LoneCommand<O, Asked>): Command {
  const { words, description, options, measures = false, means } = made;
  return {
    words,
    description,
    options,
    ready: (values, given, common) => {
      const all = { ...means({ ...(values as Values<O>), json: common.json }, ...given), ...common };
      const carryOut: Ready['carryOut'] =
        'does' in made
          ? { kind: 'engine', run: async (engine, terminal) => (await made.does())(all, engine, terminal) }
          : { kind: 'alone', run: async (places, output) => (await made.alone())(all, places, output) };
      return { measures, given: all, carryOut };
    },
  };
}

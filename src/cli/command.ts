import type { EngineClient } from '../engine/rpc/engineClient.ts';
import type { CommonOptions } from './commonOptions.ts';
import type { Options, Values } from './options.ts';
import type { Output } from './output.ts';
import type { Terminal } from './terminal.ts';

/** What a command is given: its own options, as it understands them, and those of all. */
export type Given<Asked> = Asked & CommonOptions;

/** Where Benchside lies, and where it keeps what is the user's. */
export interface Places {
  assetsDir: string;
  enginePath: string;
  /** Fails where the user has no home. */
  storageDir: () => string;
}

/** What is asked of a command, and how that is understood. */
interface Described<O extends Options, Asked> {
  /** Its words and arguments, such as `raw query <run> <view>`. */
  words: string;
  description: string;
  /** Left out: it takes none. */
  options?: O;
  /** Whether it measures, so that a first interrupt cancels and what was measured is kept; left out: it does not. */
  measures?: boolean;
  /** What was asked for; what makes no sense fails with the code `usage`. `words`: its arguments, as many as were given. */
  means: (values: Values<O> & Pick<CommonOptions, 'json'>, ...words: string[]) => Asked;
}

/** What a described command asks for. */
export type Asked<D> = D extends { means: (...given: never[]) => infer A } ? A : never;

/** Carries out by an engine what is asked, and gives the exit code. */
export type CarriedOut<Asked> = (given: Given<Asked>, engine: EngineClient, terminal: Terminal) => Promise<number>;
export type EngineCommand<D> = CarriedOut<Asked<D>>;

/** What a command line asks for; what carries it out gives the exit code. */
export interface Ready {
  measures: boolean;
  given: CommonOptions;
  carryOut:
    | { by: 'engine'; run: (engine: EngineClient, terminal: Terminal) => Promise<number> }
    | { by: 'itself'; run: (places: Places, output: Output) => Promise<number> };
}

/** A command of the terminal, whatever its options are. */
export interface Command extends Pick<Described<Options, never>, 'words' | 'description'> {
  options: Options;
  ready: (values: Values<Options>, words: readonly string[], common: CommonOptions) => Ready;
}

/** Describes a command; the list says what carries it out. */
export function command<O extends Options, Asked extends object>(described: Described<O, Asked>): Described<O, Asked> {
  return described;
}

/** A command that an engine carries out, by what is loaded when it is used. */
export function byEngine<O extends Options, Asked extends object>(
  described: Described<O, Asked>,
  load: () => Promise<CarriedOut<Asked>>,
): Command {
  return commandOf(described, (given) => ({ by: 'engine', run: async (engine, terminal) => (await load())(given, engine, terminal) }));
}

/** A command that needs no engine, or starts one of its own. */
export function byItself<O extends Options, Asked extends object>(
  described: Described<O, Asked>,
  load: () => Promise<(given: Given<Asked>, places: Places, output: Output) => Promise<number>>,
): Command {
  return commandOf(described, (given) => ({ by: 'itself', run: async (places, output) => (await load())(given, places, output) }));
}

function commandOf<O extends Options, Asked extends object>(
  { words, description, options = {} as O, measures = false, means }: Described<O, Asked>,
  carriedOut: (given: Given<Asked>) => Ready['carryOut'],
): Command {
  return {
    words,
    description,
    options,
    ready: (values, asked, common) => {
      const given = { ...means({ ...(values as Values<O>), json: common.json }, ...asked), ...common };
      return { measures, given, carryOut: carriedOut(given) };
    },
  };
}

import * as z from 'zod';
import { defaultDelta, deltaPhrase } from './margin.ts';

/** How long a search may take, or the rounds of a benchmark may go on: seconds. */
export const budgetRangeS = { min: 1, max: 86_400 } as const;
/** Without a budget, rounds that go on until an answer is decided may take so many times what the fewest of them take. */
export const budgetFactor = 4;

/**
 * An option of a run that is one number. It is declared once, here: its field in what is asked of a run, of a tuning and of a load profile, the option of
 * the command line, the field of the form, the command that repeats a run, the lines of a report and the differences between two runs follow from this.
 */
export interface RunOption {
  /** `seconds` are typed as a time, `percent` as a number of percent and kept as a share. */
  kind: 'whole' | 'number' | 'seconds' | 'percent';
  /** As it is kept. */
  min: number;
  max: number;
  /** What is asked for by it, as a schema says it. */
  asked: string;
  /** Its name in what is asked of a tuning; absent where a tuning does not take it. */
  tune?: { name: string; default?: number; help?: string };
  /** Its field in a load profile, over which what is asked for goes; absent where it is not a matter of the load. */
  profile?: { description: string; default?: number };
  /** `value` is the placeholder for what is typed after the option. */
  cli: { option: string; value: string; help: string };
  /** Which repeat commands write the load profile's value out where none was asked for. */
  writtenOut: readonly ('run' | 'tune')[];
  /**
   * Its field under More settings; `null`: the form has no such field. `empty`: what an empty field means where the profile has no value, `searching`: what it
   * means in a search. `summary` gets the value in words; `always`: the profile's value is shown too.
   */
  form: { label: string; help: string; empty: string; searching?: string; summary: (words: string) => string; always?: true } | null;
  /** Where a report or a comparison names it. `without`: what holds where it was not set. `warning`: two runs that differ in it are not fairly compared. */
  told: { name: string; without: string; words: (value: number) => string; severity: 'warning' | 'info'; inReport: boolean };
}

/** The options, in the order in which they are listed. */
export const runOptions = {
  ratePerS: {
    kind: 'number',
    min: 1,
    max: 100_000,
    asked: 'an open loop: so many requests a second, whatever the app does; the values are then compared by latency',
    profile: {
      description:
        'An open loop in benchmarks: so many requests a second, whatever the app does, with latency from the time at which each was to be sent; connections only warm up.',
    },
    cli: {
      option: '--rate',
      value: 'n',
      help: 'an open loop: n requests a second, whatever the app does; the values are compared by latency',
    },
    writtenOut: ['run'],
    form: {
      label: 'Rate',
      help: 'An open loop: so many requests a second, whatever the app does; the values are then compared by latency',
      empty: 'closed loop',
      summary: (words) => `open loop, ${words}`,
    },
    // A report begins its line about the load with it.
    told: { name: 'rate', without: 'a closed loop', words: (value) => `${value} requests/s`, severity: 'warning', inReport: false },
  },
  thinkTimeMs: {
    kind: 'number',
    min: 1,
    max: 60_000,
    asked: 'ms that a connection waits on average between an answer and its next request',
    tune: { name: 'thinkTimeMs' },
    profile: {
      description:
        'Milliseconds that a connection waits on average between an answer and its next request, as a person does who reads: from half to one and a half of it. Not with a rate; roles have think times of their own.',
    },
    cli: { option: '--think-time', value: 'ms', help: 'what a connection waits on average between an answer and its next request' },
    writtenOut: ['run', 'tune'],
    form: {
      label: 'Think time (ms)',
      help: 'What a connection waits on average between an answer and its next request: from half to one and a half of it',
      empty: 'none',
      summary: (words) => `think time ${words}`,
    },
    told: { name: 'think time', without: 'none', words: (value) => `${value} ms`, severity: 'warning', inReport: true },
  },
  durationS: {
    kind: 'seconds',
    min: 0.5,
    max: 3600,
    asked: 'seconds measured in each block',
    tune: { name: 'blockS', help: 'length of each measured block (default: by the budget)' },
    profile: { description: 'Seconds measured in each block.', default: 4 },
    cli: { option: '--duration', value: 'time', help: 'length of each measured block: seconds, or e.g. "1 min"' },
    writtenOut: ['run'],
    form: {
      label: 'Seconds per block',
      help: 'How long each block is measured',
      empty: '',
      searching: 'by the budget',
      summary: (words) => `${words} blocks`,
      always: true,
    },
    told: { name: 'block', without: '–', words: (value) => `${value} s`, severity: 'info', inReport: false },
  },
  rounds: {
    kind: 'whole',
    min: 1,
    max: 100,
    asked: 'exactly so many; without it, rounds go on until the answer is decided or the budget is spent',
    profile: { description: 'The fewest rounds; where settings are compared, more follow until it is decided.', default: 3 },
    cli: { option: '--rounds', value: 'n', help: 'exactly so many interleaved rounds' },
    // Without it, as many rounds as it takes: so was that run asked for.
    writtenOut: [],
    form: {
      label: 'Rounds',
      help: 'Exactly so many rounds over all settings',
      empty: '',
      searching: 'by the budget',
      summary: (words) => `${words} rounds`,
      always: true,
    },
    told: { name: 'rounds', without: '–', words: String, severity: 'info', inReport: false },
  },
  budgetS: {
    kind: 'seconds',
    ...budgetRangeS,
    asked: 'seconds of measuring, warm-up not counted, after which no further round begins',
    tune: { name: 'budgetS', default: 120, help: 'how long it may take: seconds, or e.g. "2 min" or 1m30s (default: 2 min)' },
    profile: {
      description: 'Seconds of measuring after which no further round begins; without it, four times what the fewest rounds take.',
    },
    cli: {
      option: '--budget',
      value: 'time',
      help: 'rounds go on until the answer is decided or so long was measured: seconds, or e.g. "2 min"',
    },
    writtenOut: [],
    // The form has it where it makes a search of a run.
    form: null,
    told: { name: 'budget', without: '–', words: (value) => `${value} s`, severity: 'info', inReport: false },
  },
  delta: {
    kind: 'percent',
    min: 0.005,
    max: 0.5,
    asked: 'the tolerance: what a smaller setting may cost, and within which two figures count as the same',
    tune: { name: 'delta', default: defaultDelta },
    cli: {
      option: '--delta',
      value: 'percent',
      help: 'tolerance: what two may differ by and count as the same, and what a smaller setting may cost (default: 5)',
    },
    writtenOut: [],
    form: {
      label: 'Tolerance (%)',
      help: 'δ: what a smaller setting may cost, and within which two figures count as the same',
      empty: '5',
      summary: (words) => `tolerance ${words}`,
    },
    told: { name: 'δ', without: deltaPhrase(defaultDelta), words: deltaPhrase, severity: 'info', inReport: true },
  },
  seed: {
    kind: 'whole',
    min: 0,
    max: Number.MAX_SAFE_INTEGER,
    asked: 'of the order of requests, their parameters, and of the order within rounds',
    tune: { name: 'seed' },
    profile: { description: 'Of the order of requests, their parameters, and of the order within rounds.', default: 1 },
    cli: { option: '--seed', value: 'n', help: 'seed of request order and shuffling' },
    writtenOut: ['run', 'tune'],
    form: null,
    told: { name: 'seed', without: '–', words: String, severity: 'info', inReport: false },
  },
} as const satisfies Record<string, RunOption>;

type Declared = typeof runOptions;
export type RunOptionName = keyof Declared;
export type RunOptionValues = { [N in RunOptionName]?: number | undefined };

/** Those that belong to a load profile. */
type ProfileName = { [N in RunOptionName]: Declared[N] extends { profile: object } ? N : never }[RunOptionName];
/** Those that a tuning takes, and what it calls them. */
type TuneName = { [N in RunOptionName]: Declared[N] extends { tune: object } ? N : never }[RunOptionName];
type TunedAs<N extends TuneName> = Declared[N]['tune']['name'];
/** Options of a tuning with a value each, under the names that they have there. */
export type TuneOptionValues = { [N in TuneName as TunedAs<N>]?: number };
/** Those that the form has a field for. */
export type FormOptionName = { [N in RunOptionName]: Declared[N] extends { form: object } ? N : never }[RunOptionName];

export const eachRunOption = Object.entries(runOptions) as readonly (readonly [RunOptionName, RunOption])[];

function has<K extends 'profile' | 'tune' | 'form', N extends RunOptionName>(key: K): [N, RunOption & Required<Pick<RunOption, K>>][] {
  return eachRunOption.filter(([, option]) => option[key] != null) as [N, RunOption & Required<Pick<RunOption, K>>][];
}

export const profileOptions = has<'profile', ProfileName>('profile');
export const tuneOptions = has<'tune', TuneName>('tune');
export const formOptions = has<'form', FormOptionName>('form') as [FormOptionName, RunOption & { form: NonNullable<RunOption['form']> }][];

function schemaOf({ kind, min, max }: RunOption): z.ZodNumber {
  const number = z.number().min(min).max(max);
  return kind === 'whole' ? number.int() : number;
}

/** An option whose value may be left out, or has a default. */
type Field<O> = O extends { default: number } ? z.ZodDefault<z.ZodNumber> : z.ZodOptional<z.ZodNumber>;

function fieldOf(option: RunOption, description: string, value: number | undefined): z.ZodType {
  const schema = schemaOf(option);
  return (value === undefined ? schema.optional() : schema.default(value)).describe(description);
}

/** Their fields in what is asked of a run. */
export const requestFields = Object.fromEntries(
  eachRunOption.map(([name, option]) => [name, fieldOf(option, option.asked, undefined)]),
) as unknown as { [N in RunOptionName]: z.ZodOptional<z.ZodNumber> };

/** Their fields in a load profile. */
export const profileFields = Object.fromEntries(
  profileOptions.map(([name, option]) => [name, fieldOf(option, option.profile.description, option.profile.default)]),
) as unknown as { [N in ProfileName]: Field<Declared[N]['profile']> };

/** Their fields in what is asked of a tuning. */
export const tuneFields = Object.fromEntries(
  tuneOptions.map(([, option]) => [option.tune.name, fieldOf(option, option.asked, option.tune.default)]),
) as unknown as { [N in TuneName as TunedAs<N>]: Field<Declared[N]['tune']> };

/** Their fields in the form, as typed. */
export const formFields = Object.fromEntries(formOptions.map(([name]) => [name, z.string().default('')])) as unknown as {
  [N in FormOptionName]: z.ZodDefault<z.ZodString>;
};

import { capital } from '../domain/sentence.ts';
import { parseDuration } from '../domain/durationText.ts';
import type { LoadProfile } from '../domain/loadProfile.ts';
import { parseNumber } from '../domain/numberText.ts';
import type { Parsed } from '../domain/parsed.ts';
import type { RunRecord } from '../domain/run.ts';
import {
  type FormOptionName,
  type RunOption,
  type RunOptionName,
  type RunOptionValues,
  type TuneOptionValues,
  eachRunOption,
  formOptions,
  profileOptions,
  runOptions,
  tuneOptions,
} from '../domain/runOptions.ts';
import type { TuneRequest } from '../domain/tuning.ts';

export function readRunOption({ kind, min, max }: RunOption, text: string): Parsed<number> {
  if (kind === 'seconds') return parseDuration(text, { min, max });
  if (kind !== 'percent') return parseNumber(text, { min, max, whole: kind === 'whole' });
  const parsed = parseNumber(text.trim().replace(/\s*%$/, ''), { min: 100 * min, max: 100 * max, whole: false });
  return parsed.ok ? { ok: true, value: parsed.value / 100 } : parsed;
}

/** The value of an option as {@link readRunOption} reads it again. */
export function runOptionText({ kind }: RunOption, value: number): string {
  return String(kind === 'percent' ? Number((value * 100).toPrecision(6)) : value);
}

/** Those options that have a value, and nothing else. */
export function askedOptions(values: Readonly<RunOptionValues>): RunOptionValues {
  const asked = eachRunOption.flatMap(([name]) => (values[name] === undefined ? [] : [[name, values[name]] as const]));
  return Object.fromEntries(asked);
}

/** What is asked of a tuning by these options, under the names that they have there; a tuning does not take all. */
export function asTuneOptions(values: Readonly<RunOptionValues>): TuneOptionValues {
  const asked = tuneOptions.flatMap(([name, { tune }]) => (values[name] === undefined ? [] : [[tune.name, values[name]] as const]));
  return Object.fromEntries(asked);
}

/** The options of a tuning, under the names that they have for a run. */
export function optionsOfTune(request: Partial<TuneRequest>): RunOptionValues {
  const given: Readonly<Record<string, unknown>> = request;
  const asked = tuneOptions.flatMap(([name, { tune }]) => {
    const value = given[tune.name];
    return typeof value === 'number' ? [[name, value] as const] : [];
  });
  return Object.fromEntries(asked);
}

/** A load profile with the options of a request instead of its own. */
export function withOptions(profile: LoadProfile, request: RunOptionValues): LoadProfile {
  const asked = profileOptions.flatMap(([name]) => (request[name] === undefined ? [] : [[name, request[name]] as const]));
  return { ...profile, ...Object.fromEntries(asked) };
}

/** What a run was measured with: its load, which has what was asked for in place of the profile's, and what was asked for besides. */
export function optionOfRun(run: Pick<RunRecord, 'load' | 'request' | 'result'>, name: RunOptionName): number | undefined {
  const ofLoad: RunOptionValues = run.load;
  return ofLoad[name] ?? askedOfRun(run)[name];
}

export function runOptionWords(run: Pick<RunRecord, 'load' | 'request' | 'result'>, name: RunOptionName): string {
  const { told }: RunOption = runOptions[name];
  const value = optionOfRun(run, name);
  return value === undefined ? told.without : told.words(value);
}

/** The options that a report lists separately: name and value of each that was set. */
export function listedOptions(run: Pick<RunRecord, 'load' | 'request' | 'result'>): [string, string][] {
  return eachRunOption.flatMap(([name, { told }]) =>
    told.inReport && optionOfRun(run, name) !== undefined
      ? [[capital(told.name), runOptionWords(run, name)] satisfies [string, string]]
      : [],
  );
}

/** What of the options was asked for, as a run calls them. */
export function askedOfRun({ request, result }: Pick<RunRecord, 'request' | 'result'>): RunOptionValues {
  return result.kind === 'tune' ? optionsOfTune(result.request) : askedOptions(request);
}

/** The arguments that ask for the same options again. */
export function repeatedOptions(run: Pick<RunRecord, 'load' | 'request' | 'result'>): string[] {
  const asked = askedOfRun(run);
  const ofLoad: RunOptionValues = run.load;
  const sequence = run.result.kind === 'tune' ? 'tune' : 'run';
  return eachRunOption.flatMap(([name, option]) => {
    const value = asked[name] ?? (option.writtenOut.includes(sequence) ? ofLoad[name] : undefined);
    return value === undefined ? [] : [option.cli.option, runOptionText(option, value)];
  });
}

/** The fields of the form that ask for these options again. */
export function optionFields(values: Readonly<RunOptionValues>): Record<FormOptionName, string> {
  const texts = formOptions.map(([name, option]) => [name, values[name] === undefined ? '' : runOptionText(option, values[name])] as const);
  return Object.fromEntries(texts) as Record<FormOptionName, string>;
}

/** Those of a tuning; what is its default anyway stays empty. */
export function fieldsOfTune(request: TuneRequest): Record<FormOptionName, string> {
  const values = optionsOfTune(request);
  const told = tuneOptions.flatMap(([name, { tune }]) => (values[name] === tune.default ? [] : [[name, values[name]] as const]));
  return optionFields(Object.fromEntries(told));
}

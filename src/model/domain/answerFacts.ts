import * as z from 'zod';
import { recorded } from './findingTable.ts';
import { figure, listPhrase } from './format.ts';
import { capital } from './sentence.ts';
import { type SettingValues, type WatchedPart, settingValuesSchema, watchedPartSchema } from './setting.ts';

/** Of how much less one value carries than another: shares of its throughput, at least and at most. */
const lossSchema = z.object({ least: z.number(), most: z.number() });

/** The value in use today, with which an answer compares. `gain` is what the answer carries beyond it; absent where the two were not measured together. */
const todaySchema = z.object({ value: z.number(), gain: lossSchema.optional() });
export type Today = z.infer<typeof todaySchema>;

/**
 * What an answer says, as a code with its figures: its headline is made from it, for every page and terminal alike.
 * `rounds-missing`: no claim yet. `open`: the next second may turn it over. `not-limiting`: nothing that was tested limits. `use`: this value; `at-rate`: by
 * its latency at a fixed rate. `refused`: what was measured is something else. The values are those of the settings that vary.
 */
export const answerFactsSchema = z.discriminatedUnion('code', [
  z.object({ code: z.literal('rounds-missing'), rounds: z.number().int() }),
  z.object({
    code: z.literal('open'),
    candidates: z.array(settingValuesSchema).min(1).describe('smallest first'),
    leading: z
      .object({ values: settingValuesSchema, within: z.number().describe('a share: no other of them carries more or less by more') })
      .optional()
      .describe('the one to take until more is known; absent where the others may be far from it'),
    today: settingValuesSchema.optional().describe('the one in use today, where it is one of them: nothing seen speaks for a change'),
  }),
  z.object({
    code: z.literal('not-limiting'),
    what: watchedPartSchema,
    from: z.number().describe('the smallest that was tested: any from it on gives the same'),
    busy: z.number().nullable().describe('so many of one process are in use 99.9 % of the time at the most; null where that is not seen'),
    room: z.number().nullable().describe('with room to spare for this load'),
    today: z.number().nullable(),
  }),
  z.object({
    code: z.literal('at-rate'),
    ratePerS: z.number(),
    values: settingValuesSchema,
    least: settingValuesSchema.describe('the smallest that may be enough; that of `values` where none below it may be'),
  }),
  z.object({
    code: z.literal('unused'),
    what: watchedPartSchema.describe('no request of the load takes one, so that its size could be any'),
  }),
  z.object({ code: z.literal('none-carries'), ratePerS: z.number() }),
  z.object({ code: z.literal('refused'), by: z.enum(['generator', 'errors', 'ignored', 'max-connections', 'other']) }),
  z.object({ code: z.literal('one-value') }),
  z.object({ code: z.literal('too-little') }),
  z.object({ code: z.literal('only-measured'), candidates: z.array(settingValuesSchema).describe('those that could be; empty: none') }),
  z.object({ code: z.literal('recorded'), ...recorded.figures }),
  z.object({
    code: z.literal('use'),
    values: settingValuesSchema,
    proven: z.boolean(),
    smaller: z
      .object({ values: settingValuesSchema, loss: lossSchema.nullable().describe('null: may be enough') })
      .nullable()
      .describe('the next smaller one, where it costs little or may be enough'),
    today: todaySchema.nullable(),
    what: watchedPartSchema.nullable(),
  }),
]);
export type AnswerFacts = z.infer<typeof answerFactsSchema>;

type Smaller = NonNullable<Extract<AnswerFacts, { code: 'use' }>['smaller']>;

/** Names of the settings that vary, in their order, and what people call them. */
export interface NamedSettings {
  settingNames: readonly string[];
  settingLabels: Readonly<Record<string, string>>;
}

/** What the size is of, as the subject of a sentence. */
const sizeOf: Readonly<Record<WatchedPart, string>> = {
  pool: 'The pool',
  threads: 'The number of threads',
  bouncer: 'The pool of PgBouncer',
  client: 'The pool of the HTTP client',
};

/** What a smaller size saves. */
const savedOf: Readonly<Record<WatchedPart, readonly [one: string, more: string]>> = {
  pool: ['connection', 'connections'],
  threads: ['thread', 'threads'],
  bouncer: ['connection', 'connections'],
  client: ['connection', 'connections'],
};

/** "Pool size" within a sentence is "pool size"; "HTTP threads" stays. */
export function inSentence(label: string): string {
  return /^[A-Z][a-z]/.test(label) ? label.charAt(0).toLowerCase() + label.slice(1) : label;
}

/** "pool size 8 and HTTP threads 50". */
export function namedValues(values: SettingValues, { settingNames, settingLabels }: NamedSettings): string {
  return namesIn(values, settingNames)
    .map((name) => `${inSentence(settingLabels[name] ?? name)} ${values[name] ?? ''}`)
    .join(' and ');
}

function nameless(values: SettingValues, { settingNames }: NamedSettings): string {
  return namesIn(values, settingNames)
    .map((name) => String(values[name]))
    .join(' × ');
}

function namesIn(values: SettingValues, settingNames: readonly string[]): string[] {
  return settingNames.filter((name) => values[name] !== undefined);
}

/** "2 to 6 %", "up to 6 %", "6 %": shares as a person says them, of what is lost or won. */
export function sharePhrase({ least, most }: { least: number; most: number }): string {
  // Outwards, so that the interval holds what it held; the last digits of a double are no reason for one more.
  const [low, high] = [Math.floor(100 * least + 1e-9), Math.ceil(100 * most - 1e-9)];
  if (high <= 1) return 'less than 1 %';
  return low < 1 ? `up to ${high} %` : low === high ? `${high} %` : `${low} to ${high} %`;
}

/** The sentence of an answer, without its tier and without its full stop. */
export function headlineOfFacts(facts: AnswerFacts, named: NamedSettings): string {
  switch (facts.code) {
    case 'rounds-missing':
      return facts.rounds === 1 ? 'At least 1 more round is needed' : `At least ${facts.rounds} more rounds are needed`;
    case 'open':
      return openHeadline(facts, named);
    case 'not-limiting':
      return notLimitingHeadline(facts);
    case 'use':
      return useHeadline(facts, named);
    case 'at-rate':
      return atRateHeadline(facts, named);
    case 'unused':
      return `No request of this load takes a ${savedOf[facts.what][0]}: it says nothing of ${inSentence(sizeOf[facts.what])}`;
    case 'none-carries':
      return `None of the values carries ${figure(facts.ratePerS)} requests/s`;
    case 'refused':
      return refusedWords[facts.by];
    case 'one-value':
      return 'Only one value was measured';
    case 'too-little':
      return 'Not enough was measured';
    case 'only-measured':
      return facts.candidates.length === 0
        ? 'No block counts'
        : `Only ${listPhrase(facts.candidates.map((values) => nameless(values, named)))} could be measured`;
    case 'recorded':
      return facts.sentence;
  }
}

const refusedWords: Readonly<Record<Extract<AnswerFacts, { code: 'refused' }>['by'], string>> = {
  generator: 'The load generator was the limit, not the app',
  errors: 'Too many requests failed',
  ignored: 'The app did not take the sizes that it was given',
  'max-connections': 'PostgreSQL allows too few connections for these sizes',
  other: 'Nothing that counts was measured',
};

function atRateHeadline({ ratePerS, values, least }: Extract<AnswerFacts, { code: 'at-rate' }>, named: NamedSettings): string {
  const rate = `${figure(ratePerS)} requests/s`;
  const [value, smallest] = [nameless(values, named), nameless(least, named)];
  if (value === smallest) return `Use ${namedValues(values, named)} at ${rate}`;
  return `${capital(namedValues(least, named))} may be enough at ${rate}; ${value} is`;
}

export function answerHeadline(answer: { facts: AnswerFacts } & (NamedSettings | { setting: string; settingLabel: string })): string {
  if ('settingNames' in answer) return headlineOfFacts(answer.facts, answer);
  const { facts, setting, settingLabel } = answer;
  return headlineOfFacts(facts, { settingNames: [setting], settingLabels: { [setting]: settingLabel } });
}

function openHeadline({ candidates, leading, today }: Extract<AnswerFacts, { code: 'open' }>, named: NamedSettings): string {
  const names = candidates.map((values) => nameless(values, named));
  const but = (values: SettingValues): string[] => names.filter((name) => name !== nameless(values, named));
  const near = (others: readonly string[], within: number): string =>
    `${listPhrase(others)} ${others.length === 1 ? 'is' : 'are'} within ${Math.ceil(100 * within - 1e-9)} % of it, not distinguished yet`;
  // What is in use today may be the best as far as is known: it stays until more is.
  if (today !== undefined && candidates.length > 1) {
    const keep = `Keep ${namedValues(today, named)}, as today, for now`;
    if (leading === undefined) return `${keep}: ${listPhrase(names)} are not distinguished yet`;
    const leader = nameless(leading.values, named);
    return `${keep}: ${leader === nameless(today, named) ? '' : `${leader} leads, and `}${near(but(leading.values), leading.within)}`;
  }
  const first = leading?.values ?? candidates[0];
  if (first === undefined) return 'Nothing is distinguished yet';
  const others = but(first);
  const start = capital(namedValues(first, named));
  if (others.length === 0) return `${start} leads so far`;
  return leading === undefined
    ? `${listPhrase([start, ...others])}: not distinguished yet`
    : `${start} so far; ${near(others, leading.within)}`;
}

function notLimitingHeadline({ what, from, room, today }: Extract<AnswerFacts, { code: 'not-limiting' }>): string {
  const start = `${sizeOf[what]} does not limit this load: any size from ${from} on gives the same`;
  const ample = room === null ? null : `${room} for this load with room to spare`;
  if (today === null) return ample === null ? start : `${start}; ${ample}`;
  return ample === null || room === null || room >= today ? `${start}; keep your ${today}` : `${start}; keep your ${today}, or ${ample}`;
}

function useHeadline({ values, proven, smaller, today, what }: Extract<AnswerFacts, { code: 'use' }>, named: NamedSettings): string {
  const [name] = Object.keys(values);
  const value = name === undefined ? undefined : values[name];
  const isToday = today !== null && name !== undefined && smaller?.values[name] === today.value;
  const same = today !== null && value === today.value;
  const start = `Use ${namedValues(values, named)}${same ? ', as today' : ''}${proven ? '' : ', most likely'}`;
  const use = smaller === null ? start : `${start}${smallerPhrase(smaller, isToday, named)}`;
  if (today === null || isToday || same || typeof value !== 'number') return use;
  const before = `${use}: ${today.value} today`;
  if (value > today.value) return today.gain === undefined ? before : `${before}; ${value} gives ${sharePhrase(today.gain)} more`;
  const saved = today.value - value;
  const noun = what === null ? '' : ` ${savedOf[what][saved === 1 ? 0 : 1]}`;
  return `${before}; ${value} is ${proven ? 'enough' : 'likely enough'}, saves ${saved}${noun}`;
}

/** ", or 4 for 2 to 6 % less", "; 4 may be enough". */
function smallerPhrase({ values, loss }: Smaller, isToday: boolean, named: NamedSettings): string {
  const name = nameless(values, named);
  if (loss === null) return isToday ? `; ${name}, as today, may be enough` : `; ${name} may be enough`;
  return `, or ${isToday ? `keep ${name}` : name} for ${sharePhrase(loss)} less`;
}

/** Whether an answer leaves everything as it is: there is nothing to set. */
export function keepsToday({ facts }: { facts: AnswerFacts }): boolean {
  return facts.code === 'not-limiting' && facts.today !== null;
}

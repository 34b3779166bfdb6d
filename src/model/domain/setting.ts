import * as z from 'zod';

/** One value of a setting: a number for sizes, a word for choices (such as a kind of thread). */
export const settingValueSchema = z.union([z.number().int(), z.string().min(1)]);
export type SettingValue = z.infer<typeof settingValueSchema>;

/** A name by which something is looked up: none that every object has, or what has no such entry would seem to have one. */
export const lookedUpNameSchema = z.string().refine((name) => !(name in Object.prototype), 'is a name that every object has');

/** Values by setting name, such as `{ pool: 8, threads: 50 }`. */
export const settingValuesSchema = z.record(lookedUpNameSchema, settingValueSchema);
export type SettingValues = z.infer<typeof settingValuesSchema>;

const settingNameSchema = lookedUpNameSchema.regex(
  /^[a-z][a-zA-Z0-9]*$/,
  'a setting name is letters and digits, such as pool or poolTimeoutMs',
);

/** How a value reaches the process: an environment variable, or arguments in which `{value}` is replaced. */
const applyShape = {
  env: z
    .string()
    .regex(/^[A-Za-z_][A-Za-z0-9_]*$/)
    .optional()
    .describe(
      'Environment variable that carries the value; each setting needs this or arguments, and may have both. A size that neither carries is set by the probe in the running app, where “live” says what it is.',
    ),
  arguments: z
    .array(z.string())
    .optional()
    .describe(
      'Words for the command line, such as ["--threads={value}"]; {value} is replaced. Those of all settings go where the command says {arguments}, else to its end.',
    ),
};

/** What of the running app a setting is, so that its probe can watch it, and change a pool or threads without a restart. */
const settingPartSchema = z.enum(['pool', 'threads', 'client', 'bouncer', 'no']);
type SettingPart = z.infer<typeof settingPartSchema>;
/** What needs no variable and no arguments: the console of the PgBouncer, or the probe in the running app, brings the value about. */
const liveAlone = ['bouncer', 'pool', 'threads'] as const satisfies readonly SettingPart[];
const isOneOf = (part: SettingPart | undefined, of: readonly SettingPart[]): boolean => part !== undefined && of.includes(part);
/** What can be changed while the app runs: by its probe, or by the console of the PgBouncer before its database. */
export type LiveKind = Exclude<SettingPart, 'client'>;
/** What requests can be seen to wait for: a connection of the pool, a request thread, a connection of an HTTP client, one of PgBouncer’s to PostgreSQL. */
export const watchedPartSchema = settingPartSchema.exclude(['no']);
export type WatchedPart = z.infer<typeof watchedPartSchema>;

const numberSettingSchema = z.strictObject({
  kind: z.literal('number').default('number').describe('A whole number, such as a size; may be left out.'),
  label: z.string().optional().describe('What people call it, e.g. “Pool size”; without it, its name.'),
  unit: z.string().optional().describe('What its number counts, e.g. “ms” or “MiB”; shown beside it.'),
  min: z.number().int().nonnegative().default(1).describe('The smallest value that may be asked for.'),
  max: z.number().int().positive().default(1024).describe('The largest value that may be asked for.'),
  default: z.number().int().nonnegative().describe('Its value where nothing else is asked for.'),
  live: settingPartSchema
    .optional()
    .describe(
      'What it is in the running app: the size of its connection pool, its request threads, the connections of its HTTP client to another service (watched, but changed by a restart only), those of the PgBouncer before its database, or nothing of these. Default: by its name, pool or threads.',
    ),
  ...applyShape,
});

const choiceSettingSchema = z.strictObject({
  kind: z.literal('choice').describe('One of some words, such as a kind of thread or a garbage collector.'),
  label: z.string().optional().describe('What people call it; without it, its name.'),
  choices: z.array(z.string()).min(1).describe('The words that it may be; each is handed on as it stands.'),
  default: z.string().describe('The one where nothing else is asked for.'),
  ...applyShape,
});

/** A setting that a target takes, with its range, default and how it is applied when the process starts. */
export const settingSpecSchema = z
  .union([choiceSettingSchema, numberSettingSchema])
  .refine(
    (spec) => spec.env !== undefined || spec.arguments !== undefined || (spec.kind === 'number' && isOneOf(spec.live, liveAlone)),
    `a setting needs env or arguments, or it would reach nothing, unless its "live" is ${liveAlone.join(', ')}`,
  )
  .refine((spec) => spec.kind !== 'number' || spec.min <= spec.max, 'min is above max')
  .refine((spec) => spec.kind !== 'number' || (spec.default >= spec.min && spec.default <= spec.max), 'the default is outside min … max')
  .refine((spec) => spec.kind !== 'choice' || spec.choices.includes(spec.default), 'the default is not one of the choices');
export type SettingSpec = z.infer<typeof settingSpecSchema>;

export const settingSpecsSchema = z
  .record(settingNameSchema, settingSpecSchema)
  .describe('What can be varied, by name: a number ("kind": "number", the default) or one of some words ("kind": "choice").');
export type SettingSpecs = z.infer<typeof settingSpecsSchema>;

/** The name under which a setting is shown, e.g. "Pool size". */
export function settingLabel(name: string, spec: SettingSpec | undefined): string {
  return spec?.label ?? name;
}

/** The number that is in use where nothing else is asked for; null of words, and of what is not declared. */
export function todayOf(spec: SettingSpec | undefined): number | null {
  return spec?.kind === 'number' ? spec.default : null;
}

/** As declared, else by its name. */
function partOf(name: string, spec: SettingSpec): SettingPart {
  if (spec.kind === 'choice') return 'no';
  return spec.live ?? (name === 'pool' || name === 'threads' ? name : 'no');
}

/** What a setting is that a probe could change in the running app. */
export function liveKindOf(name: string, spec: SettingSpec): LiveKind {
  const part = partOf(name, spec);
  return part === 'client' ? 'no' : part;
}

/** Whether nothing but the probe in the running app brings its value about: neither a variable nor the command line does. */
export function isSetByProbe(name: string, spec: SettingSpec): boolean {
  const kind = liveKindOf(name, spec);
  return spec.env === undefined && spec.arguments === undefined && (kind === 'pool' || kind === 'threads');
}

/** What a request may wait for, of which this setting is the size; null of all others, and of one that is not declared. */
export function watchedPartOf(name: string, spec: SettingSpec | undefined): WatchedPart | null {
  const part = spec === undefined ? 'no' : partOf(name, spec);
  return part === 'no' ? null : part;
}

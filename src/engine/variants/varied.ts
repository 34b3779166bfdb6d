import path from 'node:path';
import { defined } from '../../model/domain/defined.ts';
import { failure, FailureError } from '../../model/domain/failure.ts';
import { listPhrase } from '../../model/domain/format.ts';
import type { SettingSpec, SettingValue, SettingValues } from '../../model/domain/setting.ts';
import { sha256 } from '../files/safeFiles.ts';
import type { DatabaseWants } from '../services/prepareDatabase.ts';
import type { DeclaredTarget } from '../targets/catalog.ts';
import { databaseWants } from '../targets/launchTarget.ts';
import { javaOf } from '../targets/targetJava.ts';
import { javaFeature } from '../targets/toolchain.ts';
import { variantKeyOf, variantKeys } from './catalogue.ts';
import type { Activation, VariantKey } from './variantKey.ts';

type Asked = Record<string, SettingValue[]>;

/** Targets that have what is varied among their settings, and the values as they are written in one way. */
export interface Varied {
  targets: DeclaredTarget[];
  settings: Asked;
  /** Names of the catalogue that are varied or set. */
  names: string[];
}

/** The entry of the catalogue that a setting of a target is; undefined for one that the target declares itself. */
export function variantOf({ target }: Pick<DeclaredTarget, 'target'>, name: string): VariantKey | undefined {
  const spec = target.settings[name];
  return spec === undefined || isOfCatalogue(spec) ? variantKeyOf(name) : undefined;
}

/** What of the catalogue a target can have and does not declare itself. */
export function variantsOf(declared: DeclaredTarget): Pick<VariantKey, 'key' | 'meaning' | 'takes' | 'example'>[] {
  return variantKeys
    .filter((one) => canHave(declared, one) && declared.target.settings[one.key] === undefined)
    .map(({ key, meaning, takes, example }) => ({ key, meaning, takes, example }));
}

function canHave({ target, origin }: DeclaredTarget, { fits, ofWorkspace }: VariantKey): boolean {
  return fits(target) && (ofWorkspace !== true || origin === 'workspace');
}

/** What is declared names how it reaches the process; what the catalogue adds has no word for it. */
function isOfCatalogue(spec: SettingSpec): boolean {
  return spec.env === undefined && spec.arguments?.length === 0;
}

/**
 * Adds to targets the requested settings of the catalogue, which take effect at the start. A setting that a target declares is the target’s own. Fails, before
 * anything is started, on a name that nobody knows, a value that is none, a runtime that is too old for it, and where no target can have it.
 */
export function varied(targets: readonly DeclaredTarget[], asked: Asked, tools: { java: string | null }): Varied {
  const settings: Asked = {};
  const names: string[] = [];
  let own = [...targets];
  for (const [name, values] of Object.entries(asked)) {
    const isDeclared = targets.some(({ target }) => target.settings[name] !== undefined);
    const key = isDeclared ? undefined : variantKeyOf(name);
    if (key === undefined && !isDeclared && name.includes('.')) throw unknown(name);
    settings[name] = key === undefined ? values : values.map((value) => valueOf(key, name, String(value)));
    if (key === undefined) continue;
    names.push(name);
    own = given(own, key, name, settings[name].map(String), tools);
  }
  return { targets: own, settings, names };
}

function given(
  targets: readonly DeclaredTarget[],
  key: VariantKey,
  name: string,
  values: readonly string[],
  tools: { java: string | null },
): DeclaredTarget[] {
  const fitting = targets.filter((one) => canHave(one, key));
  if (fitting.length === 0)
    throw failure(
      'variant-unfit',
      `${name} is of ${key.of}, and of the chosen targets none is one.`,
      `Choose another target, or vary what it has: ${listPhrase(variantKeys.filter((one) => targets.some((declared) => canHave(declared, one))).map((one) => one.key))}.`,
    );
  for (const declared of fitting) for (const value of values) assertKnown(declared, key, value, tools);
  const spec: SettingSpec = { kind: 'choice', label: name, choices: [...values], default: values[0] ?? '', arguments: [] };
  return targets.map((declared) =>
    fitting.includes(declared)
      ? { ...declared, target: { ...declared.target, settings: { ...declared.target.settings, [name]: spec } } }
      : declared,
  );
}

/** Fails where the runtime, the machine or what is in front of the database cannot have this value. */
function assertKnown(declared: DeclaredTarget, key: VariantKey, value: string, tools: { java: string | null }): void {
  const { target } = declared;
  const label = target.label ?? target.id;
  const needed = key.since?.(value) ?? 0;
  const program = javaOf(declared, tools);
  const feature = program === null || needed === 0 ? null : javaFeature(program);
  if (feature !== null && feature < needed)
    throw failure(
      'variant-version',
      `${key.key} ${value} is there from Java ${needed} on, and ${label} runs on Java ${feature}.`,
      'Leave this value out, or name a newer JDK in "java" of the target.',
    );
  const refused = key.refuses?.(value, label) ?? null;
  if (refused !== null) throw new FailureError(refused);
  const { database, copy, rttMs } = key.activation(value, key.key);
  if ((database !== undefined || copy !== undefined || rttMs !== undefined) && target.postgres?.bouncer !== undefined)
    throw failure(
      'variant-unfit',
      `A PgBouncer stands before the database of ${label}: its sessions are those of PgBouncer, whatever side they serve.`,
      'Leave PgBouncer out to vary PostgreSQL.',
    );
}

function valueOf(key: VariantKey, name: string, text: string): string {
  const parsed = key.read(text.trim());
  if (parsed.ok) return parsed.value;
  throw failure('setting-value', `${name}: ${parsed.problem}`, `It takes ${key.takes}; see ${key.source}.`);
}

function unknown(name: string): Error {
  return failure(
    'variant-unknown',
    `Nothing is known by the name “${name}” that could be varied.`,
    `Known without a declaration: ${listPhrase(variantKeys.map(({ key }) => key))}; anything else is declared among the "settings" of a target.`,
  );
}

/** The requested settings of a target that are in the catalogue, each with its entry and its value. */
export function variantsIn(declared: DeclaredTarget, asked: SettingValues): { name: string; key: VariantKey; value: string }[] {
  return Object.entries(asked).flatMap(([name, value]) => {
    const key = variantOf(declared, name);
    return key === undefined ? [] : [{ name, key, value: String(value) }];
  });
}

/** Cores that a process may use by what is asked for; undefined where nothing is. */
export function coresAsked(declared: DeclaredTarget, asked: SettingValues): number | undefined {
  return variantsIn(declared, asked).flatMap(({ key, name, value }) => key.activation(value, name).cores ?? [])[0];
}

/** The round trip to the database that is asked for, in ms; undefined where none is. */
export function rttAsked(declared: DeclaredTarget, asked: SettingValues): number | undefined {
  return variantsIn(declared, asked).flatMap(({ key, name, value }) => key.activation(value, name).rttMs ?? [])[0];
}

/** Settings of PostgreSQL for the sessions of a process, by their names. */
export function databaseSettings(declared: DeclaredTarget, asked: SettingValues): Record<string, string> {
  const found = variantsIn(declared, asked).flatMap(({ key, name, value }) => key.activation(value, name).database ?? []);
  return Object.fromEntries(found.map(({ setting, value }) => [setting, value]));
}

/** What a side has in a copy of the database. */
export interface DatabaseChange {
  /** Absolute; null: nothing is run in it. */
  sql: string | null;
  /** Times as many rows; 1: as they are. */
  rows: number;
}

/** What is asked for in a copy of the database; null where no side has one. */
export function databaseChange(declared: DeclaredTarget, asked: SettingValues): DatabaseChange | null {
  const all = variantsIn(declared, asked).flatMap(({ key, name, value }) => key.activation(value, name).copy ?? []);
  const { sql, rows = 1 } = Object.assign({}, ...all) as { sql?: string; rows?: number };
  return all.length === 0 ? null : { sql: sql === undefined ? null : path.resolve(sql), rows };
}

/** Between the name of a database and what tells its copy from others. */
export const copyMark = '_side_';
/** PostgreSQL cuts names at 63 bytes, and the role of a database has its name with more before it. */
const longestOriginal = 30;

/** The name of the copy of a database for one change. */
function copyName(database: string, { sql, rows }: DatabaseChange): string {
  const digest = sha256(JSON.stringify([database, sql, rows]));
  return `${database.slice(0, longestOriginal)}${copyMark}${digest.slice(0, 8)}`;
}

/** A target at the requested version of its code, with the settings that it has now; itself where none is requested. */
export function versionOf(declared: DeclaredTarget, asked: SettingValues): DeclaredTarget {
  const [code] = variantsIn(declared, asked).flatMap(({ key, name, value }) => key.activation(value, name).code ?? []);
  const version = code === undefined ? undefined : declared.versions?.[code];
  return version === undefined ? declared : { ...version, target: { ...version.target, settings: declared.target.settings } };
}

/** A target as it is started with these values; itself where none is of the catalogue. */
export function withValues(declared: DeclaredTarget, asked: SettingValues): DeclaredTarget {
  const started = variantsIn(declared, asked).reduce(
    (own, { key, name, value }) => ({ ...own, target: activated(own.target, key.activation(value, name), key.replaces) }),
    versionOf(declared, asked),
  );
  const change = databaseChange(declared, asked);
  const { postgres } = started.target;
  if (change === null || postgres === undefined) return started;
  return { ...started, target: { ...started.target, postgres: { ...postgres, database: copyName(postgres.database, change) } } };
}

/** The database that a target wants with these values: a copy, where one of them asks for it. */
export function databaseWantsWith(declared: DeclaredTarget, asked: SettingValues): DatabaseWants | null {
  return databaseWants(withValues(declared, asked));
}

type Target = DeclaredTarget['target'];

function activated(target: Target, { jvmOptions, nodeOptions, env, java, node, cores }: Activation, replaces: RegExp | undefined): Target {
  const kept = replaces === undefined ? target : without(target, replaces);
  const own = {
    ...kept,
    env: { ...kept.env, ...env, ...(node === undefined ? {} : { PATH: pathWith(path.dirname(node), kept) }) },
    ...(node !== undefined && kept.command[0] === 'node' ? { command: [node, ...kept.command.slice(1)] } : {}),
    ...defined({ java, cores }),
  };
  const [program, ...rest] = own.command;
  if (nodeOptions !== undefined) return withOptions(own, 'NODE_OPTIONS', nodeOptions);
  if (jvmOptions === undefined) return own;
  // Anything else that starts a JVM (Maven, Gradle, a script) hands this variable on.
  return program === 'java' || program === '{java}'
    ? { ...own, command: [program, ...jvmOptions, ...rest] }
    : withOptions(own, 'JAVA_TOOL_OPTIONS', jvmOptions);
}

/** The search path of a target with a folder before all others, for what a script or a package manager starts. */
function pathWith(folder: string, { env }: Target): string {
  return [folder, env['PATH'] ?? process.env['PATH'] ?? ''].join(path.delimiter);
}

function withOptions(target: Target, variable: string, options: readonly string[]): Target {
  const before = target.env[variable] ?? (variable === 'NODE_OPTIONS' ? undefined : process.env[variable]);
  const all = [...(before === undefined || before === '' ? [] : [before]), ...options];
  return { ...target, env: { ...target.env, [variable]: all.join(' ') } };
}

/** Variables with options that a runtime reads in addition to those of its command line. */
const optionVariables = ['NODE_OPTIONS', 'JAVA_TOOL_OPTIONS', 'JDK_JAVA_OPTIONS', '_JAVA_OPTIONS'];

/** Whether the command of a target or a variable has words that contradict values of this key. */
export function saysOtherwise(target: Target, { replaces }: Pick<VariantKey, 'replaces'>): boolean {
  return replaces !== undefined && JSON.stringify(without(target, replaces)) !== JSON.stringify(target);
}

/** A target without contradicting words, anywhere: the last of two would hold, or the runtime would not start. */
function without(target: Target, says: RegExp): Target {
  const env = { ...target.env };
  for (const name of optionVariables) {
    const inherited = name === 'NODE_OPTIONS' ? undefined : process.env[name];
    const text = env[name] ?? inherited;
    if (text === undefined || !text.split(/\s+/).some((word) => says.test(word))) continue;
    env[name] = text
      .split(/\s+/)
      .filter((word) => !says.test(word))
      .join(' ');
  }
  const settings = Object.fromEntries(
    Object.entries(target.settings).map(([name, spec]) => [
      name,
      spec.arguments === undefined ? spec : { ...spec, arguments: spec.arguments.filter((word) => !says.test(word)) },
    ]),
  );
  return { ...target, env, settings, command: target.command.filter((word) => !says.test(word)) };
}

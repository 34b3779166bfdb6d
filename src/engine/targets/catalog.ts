import { existsSync } from 'node:fs';
import { cpus } from 'node:os';
import path from 'node:path';
import { type Failure, failure } from '../../model/domain/failure.ts';
import { listed } from '../../model/protocol/listed.ts';
import type { LoadProfile } from '../../model/domain/loadProfile.ts';
import { type SettingSpec, isSetByProbe } from '../../model/domain/setting.ts';
import type { Target } from '../../model/domain/target.ts';
import { apacheMissing, findApache } from '../services/apache/findApache.ts';
import { findPgBouncer, pgBouncerMissing } from '../services/bouncer/findPgBouncer.ts';
import { namedSecrets, optionsOf } from '../files/namedSecrets.ts';
import { readLoadProfiles } from '../load/loadProfiles.ts';
import { startedBy } from '../files/startedBy.ts';
import { withBouncerPool } from './bouncerPool.ts';
import { targetJava } from './targetJava.ts';
import { type LoadedWorkspaceFile, loadWorkspaceFile, workspaceFileName } from './workspaceFile.ts';
import type { WorkspaceProfiles } from './workspaceProfiles.ts';

/** A target and where it comes from. `baseDir` is the folder of the file that declares it. */
export interface DeclaredTarget {
  target: Target;
  origin: 'sample' | 'lab' | 'workspace';
  baseDir: string;
  /** Absolute: `baseDir` lies in a copy of a folder, in which its sources are found. */
  copied?: { copy: string; of: string };
  /** The target at other commits, by the value of the variant `code`; each has a folder and a database of its own. */
  versions?: Readonly<Record<string, DeclaredTarget>>;
}

/** Whether a setting has no value but what each version of the code begins with, unless another one than its default is asked for. */
export function keepsItsOwn({ versions, copied }: DeclaredTarget, name: string, spec: SettingSpec): boolean {
  return (versions !== undefined || copied !== undefined) && isSetByProbe(name, spec);
}

/** Everything that can be benchmarked here, and with what load. */
export interface Declarations {
  targets: DeclaredTarget[];
  /** `file`: relative to the workspace, of one that has a file of its own there. */
  loadProfiles: { profile: LoadProfile; origin: 'bundled' | 'lab' | 'workspace'; file?: string }[];
  postgresUrl: string | null;
  problems: Failure[];
  /** Digest of what the workspace’s own file starts. */
  starts: string;
}

/**
 * The bundled samples, the lab's targets and what the workspace's own file declares. What the workspace declares takes precedence over a bundled one of the
 * same name.
 */
export async function readDeclarations(
  assetsDir: string,
  own: LoadedWorkspaceFile | null,
  inFiles: WorkspaceProfiles = { profiles: [], problems: [] },
): Promise<Declarations> {
  const bundled = (['sample', 'lab'] as const).map((origin) => ({
    origin,
    file: loadWorkspaceFile(path.join(assetsDir, origin === 'lab' ? 'samples/lab' : 'samples', workspaceFileName)),
  }));
  const ownTargets: DeclaredTarget[] = (own?.content?.targets ?? []).map((target) => ({
    target: withBouncerPool(target),
    origin: 'workspace',
    baseDir: own?.baseDir ?? '',
  }));
  // One that this machine has no programs for is not offered: nobody asked for it.
  const bundledTargets = bundled
    .flatMap(({ origin, file }) => (file?.content?.targets ?? []).map((target) => ({ target, origin, baseDir: file?.baseDir ?? '' })))
    .filter(({ target }) => programsMissing(target) === null);
  const declaredProfiles = own?.content?.loadProfiles ?? [];
  const ownProfiles: { profile: LoadProfile; file?: string }[] = [
    ...declaredProfiles.map((profile) => ({ profile })),
    ...inFiles.profiles.filter(({ profile }) => !declaredProfiles.some((mine) => mine.name === profile.name)),
  ];
  const bundledProfiles = [
    ...(await readLoadProfiles(path.join(assetsDir, 'profiles'))).map((profile) => ({ profile, origin: 'bundled' as const })),
    ...bundled.flatMap(({ origin, file }) =>
      origin === 'lab' ? (file?.content?.loadProfiles ?? []).map((profile) => ({ profile, origin })) : [],
    ),
  ];
  return {
    targets: [...ownTargets, ...bundledTargets.filter(({ target }) => !ownTargets.some((mine) => mine.target.id === target.id))],
    loadProfiles: [
      ...ownProfiles.map((one) => ({ ...one, origin: 'workspace' as const })),
      ...bundledProfiles.filter(({ profile }) => !ownProfiles.some((mine) => mine.profile.name === profile.name)),
    ],
    postgresUrl: own?.content?.postgres?.url ?? null,
    starts: own?.starts ?? startedBy('').sha256,
    problems: [...(own?.problems ?? []), ...inFiles.problems, ...bundled.flatMap(({ file }) => file?.problems ?? [])],
  };
}

/**
 * What the declarations give under a revealing name: variables, options, headers and parts of a form. A value that is also the name of a target or a database
 * is none.
 */
export function secretsOf({
  targets,
  loadProfiles,
  postgresUrl,
}: Pick<Declarations, 'targets' | 'loadProfiles' | 'postgresUrl'>): string[] {
  const names = new Set(targets.flatMap(({ target }) => [target.id, target.label, target.postgres?.database]));
  const found = targets.flatMap(({ target }) => [
    ...namedSecrets(target.env),
    ...namedSecrets(optionsOf(target.command)),
    ...target.routes.flatMap(({ headers }) => namedSecrets(headers)),
  ]);
  const own = loadProfiles.filter(({ origin }) => origin === 'workspace');
  const steps = own.flatMap(({ profile }) => (profile.roles ?? []).flatMap(({ once, steps: then }) => [...once, ...then]));
  for (const { headers, multipart = [] } of steps) {
    const parts = Object.fromEntries(multipart.map(({ name, text }) => [name, text]));
    // A part that is filled in when it is sent is no secret.
    found.push(...[...namedSecrets(headers), ...namedSecrets(parts)].filter((value) => !value.includes('{{')));
  }
  return [...new Set([...found, ...namedSecrets({ url: postgresUrl ?? undefined })])].filter((value) => !names.has(value));
}

export function workingDirectory(declared: DeclaredTarget): string {
  return path.resolve(declared.baseDir, declared.target.cwd);
}

/** The declared target of this id; fails with the known ids. */
export function findTarget(declarations: Declarations, id: string): DeclaredTarget {
  const found = declarations.targets.find(({ target }) => target.id === id);
  if (found !== undefined) return found;
  const broken = declarations.problems[0];
  if (broken !== undefined) throw failure('target-unknown', `There is no target “${id}”. ${broken.message}`, broken.cure);
  throw failure(
    'target-unknown',
    `There is no target “${id}”.`,
    `Choose one of: ${listed(declarations.targets, () => false)
      .map(({ target }) => target.id)
      .join(', ')}; or declare it in benchside.json.`,
  );
}

/** The first of the programs that a target needs of this machine and that is not there; null: all are. */
function programsMissing({ needs }: Target): Failure | null {
  return needs.includes('apache-php') && findApache() === null ? apacheMissing() : null;
}

/** Why a target may not be started: the workspace that declares it is not trusted. Null: it may. */
export function untrusted({ target, origin }: DeclaredTarget, { trusted }: { trusted: boolean }): Failure | null {
  if (origin !== 'workspace' || trusted) return null;
  return {
    code: 'untrusted',
    message: `${target.label ?? target.id} is declared by a workspace that is not trusted.`,
    cure: 'Trust the workspace (“Workspaces: Manage Workspace Trust”) to start what it declares.',
  };
}

/** Why a target cannot be started here, or null: what it requires is missing, or this machine has not the runtime. */
export function targetProblem(declared: DeclaredTarget, tools: { java: string | null }): Failure | null {
  const { target } = declared;
  const label = target.label ?? target.id;
  const program =
    programsMissing(target) ?? (target.postgres?.bouncer !== undefined && findPgBouncer() === null ? pgBouncerMissing() : null);
  if (program !== null) return program;
  const missing = target.requires.find((file) => !existsSync(path.resolve(workingDirectory(declared), file)));
  if (target.java !== undefined) {
    const java = targetJava(target.java, declared.baseDir, label);
    if ('code' in java) return java;
  } else if ((target.command[0] === 'java' || target.command.includes('{java}')) && tools.java === null) {
    return {
      code: 'java-missing',
      message: `The target “${label}” needs Java 17 or later, and there is none on this machine.`,
      cure: 'Install a JDK (for example: apt-get install openjdk-17-jdk-headless), or name its java program in “benchside.javaPath” or, for this target alone, in "java".',
    };
  }
  if (target.cores !== undefined && target.cores > cpus().length) {
    return {
      code: 'cores-too-many',
      message: `The target “${label}” is to use at most ${target.cores} cores, and this machine has ${cpus().length}.`,
      cure: 'Lower "cores" of the target in benchside.json, or leave it out.',
    };
  }
  if (missing !== undefined) {
    return {
      code: 'requirement-missing',
      message: `The target “${label}” needs ${missing}, which is not there.`,
      cure: target.requiresCure ?? `Build it, so that ${missing} exists in ${workingDirectory(declared)}.`,
    };
  }
  return null;
}

/** Refuses what a person agreed to when benchside.json started something else; returns what is declared. Nothing is compared where nobody was asked. */
export function asAgreed(declarations: Declarations, starts: string | undefined): Declarations {
  if (starts === undefined || starts === declarations.starts) return declarations;
  throw failure(
    'not-allowed',
    'What benchside.json starts has changed since the user was shown it.',
    'The user can look at it and allow it, in a terminal in this folder: benchside mcp --allow; or agree when the editor asks again.',
  );
}

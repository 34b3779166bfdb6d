import { realpathSync } from 'node:fs';
import path from 'node:path';
import { attempt } from '../../model/domain/attempt.ts';
import type { Failure } from '../../model/domain/failure.ts';
import { type InstalledRuntime, installedJavas } from './installedRuntimes.ts';

/** Class files of Java 17 have the version 61: each Java the next one. */
const beforeJava = 44;
/** Classes for a later JVM, by the version of their files. */
const classes = /(?:class file version |Unsupported major\.minor version )(\d{2,3})\.0\b/;
const newest = /up to (\d{2,3})\.0\b/;
const tooOld = /compiled by a more recent version of the Java Runtime|Unsupported major\.minor version/;
/** What a compiler, a build tool, or one of its plugins says of a later JVM, by the version of Java. */
const builds = [
  /\brelease version (\d{1,2}) not supported/,
  /\binvalid (?:target|source) release: (?:1\.)?(\d{1,2})\b/,
  /\brequires at least JVM runtime version (\d{1,2})\b/,
  /\bcompatible with Java (\d{1,2}) or newer\b/,
];

/** The version of Java that the last output of a program says it needs, and that of the JVM that ran it, as far as it says; null where it says nothing of it. */
export function neededJava(output: string): { needed: number; had: number | null } | null {
  if (tooOld.test(output)) {
    const [written, most] = [classes, newest].map((pattern) => pattern.exec(output)?.[1]);
    return written === undefined
      ? null
      : { needed: Number(written) - beforeJava, had: most === undefined ? null : Number(most) - beforeJava };
  }
  const written = builds.map((pattern) => pattern.exec(output)?.[1]).find((version) => version !== undefined);
  return written === undefined ? null : { needed: Number(written), had: null };
}

/** The failure of a target whose last output says that it needs a later JVM, with the one of this machine that it can run on; null where it does not say so. */
export function javaTooOld(name: string, output: string, detail: string, installed = installedJavas()): Failure | null {
  const said = neededJava(output);
  if (said === null) return null;
  const { needed, had } = said;
  const found = installed.find(({ feature }) => feature >= needed);
  const how = (folder: string): string =>
    `as "java" of the target in benchside.json (${folder}), for all targets as “benchside.javaPath”, or with --java in a terminal`;
  return {
    code: 'java-too-old',
    message: `${name} needs Java ${needed} or later, and ran on ${had === null ? 'an earlier one' : `Java ${had}`}.`,
    cure:
      found === undefined
        ? `Install a JDK ${needed} or later, and name its folder ${how('"/usr/lib/jvm/…"')}.`
        : `JDK ${found.feature} is on this machine: name it ${how(JSON.stringify(folderOf(found)))}.`,
    detail,
  };
}

/** The folder of a JDK, as JAVA_HOME has it; the program itself where it is in no folder `bin`. */
function folderOf({ program }: InstalledRuntime): string {
  const bin = path.dirname(attempt(() => realpathSync(program), program));
  return path.basename(bin) === 'bin' ? path.dirname(bin) : program;
}

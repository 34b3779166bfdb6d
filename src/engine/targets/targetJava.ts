import { statSync } from 'node:fs';
import path from 'node:path';
import { type Failure, failure } from '../../model/domain/failure.ts';
import type { Target } from '../../model/domain/target.ts';
import { findProgram } from '../supervise/program.ts';
import { runTool } from '../supervise/runTool.ts';
import type { Supervisor } from '../supervise/supervisor.ts';
import { atHome, javaProgram } from './toolchain.ts';

/** The JDK (or JRE) that a target names for itself. */
export interface TargetJava {
  program: string;
  /** Its folder, for JAVA_HOME; null for a program that is in no folder `bin`. */
  home: string | null;
}

/** What proved to be Java, by its program; asked once. */
const known = new Set<string>();

/** The JDK of a target’s key `java`: its folder or its java program, from home (`~/`), with `${env:NAME}`, or relative to the file that declares it. */
export function targetJava(java: string, baseDir: string, label: string, environment = process.env): TargetJava | Failure {
  const unknown: string[] = [];
  const named = java.replace(/\$\{env:([A-Za-z_][A-Za-z0-9_]*)\}/g, (_whole, name: string) => {
    const value = environment[name];
    if (value === undefined || value === '') unknown.push(name);
    return value ?? '';
  });
  if (unknown.length > 0) {
    return {
      code: 'java-missing',
      message: `The target “${label}” runs on the Java of the variable ${unknown.join(' and ')}, which is not set.`,
      cure: 'Set it where Benchside is started, or name the JDK in "java" by its path.',
    };
  }
  const file = path.resolve(baseDir, atHome(named));
  const program = javaProgram(file);
  if (findProgram(program, baseDir, undefined) === null) {
    const isFolder = statSync(file, { throwIfNoEntry: false })?.isDirectory() === true;
    return {
      code: 'java-missing',
      message: `The target “${label}” runs on the Java at ${file}, ${isFolder ? 'which has no program bin/java' : 'where there is none'}.`,
      cure: 'Correct "java" of the target in benchside.json: the folder of a JDK, or its java program.',
    };
  }
  const bin = path.dirname(program);
  return { program, home: path.basename(bin) === 'bin' ? path.dirname(bin) : null };
}

/** The java program that a target runs on by name; null where it is not known. */
export function javaOf({ target, baseDir }: { target: Target; baseDir: string }, tools: { java: string | null }): string | null {
  if (target.java === undefined) return tools.java;
  const java = targetJava(target.java, baseDir, target.label ?? target.id);
  return 'code' in java ? null : java.program;
}

/** Fails with `java-missing` where the program is not one: its own version is asked for, once. */
export async function assertJava(program: string, label: string, supervisor: Supervisor): Promise<void> {
  if (known.has(program)) return;
  const said = await runTool(supervisor, [program, '-version'], { cwd: '/' });
  if (!/version "[^"]+"/.test(said ?? '')) {
    throw failure(
      'java-missing',
      `The target “${label}” runs on ${program}, which does not say that it is a Java.`,
      'Correct "java" of the target in benchside.json: the folder of a JDK, or its java program.',
      said ?? '',
    );
  }
  known.add(program);
}

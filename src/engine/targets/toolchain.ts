import { realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { homeFolder } from '../supervise/homeFolder.ts';
import { readSmallFile } from '../supervise/smallFile.ts';
import { findProgram } from '../supervise/program.ts';
import { type LaunchCommand, withJvmProbe, withNodeProbe } from '../probe/probeLaunch.ts';

/** The runtimes of this machine: which `node` and `java` a target's command means. */
export class Toolchain {
  readonly node: string;
  readonly java: string | null;
  readonly #assetsDir: string | null;
  readonly #nodeIsElectron: boolean;

  /** @param workspacePath folders of the workspace on the PATH, in which only what a target of the workspace names is looked for */
  constructor(
    configured: { nodePath: string | null; javaPath: string | null; assetsDir?: string },
    readonly workspacePath: readonly string[] = [],
  ) {
    this.#assetsDir = configured.assetsDir ?? null;
    const found = (name: string): string | null => findProgram(name, '/', process.env['PATH']);
    const node = configured.nodePath === null ? found('node') : atHome(configured.nodePath);
    // Inside the editor there may be no node but the editor's own, which is one when a variable says so.
    this.node = node ?? process.execPath;
    this.#nodeIsElectron = node === null && process.versions['electron'] !== undefined;
    const javaHome = process.env['JAVA_HOME'];
    const own = configured.javaPath === null ? null : javaProgram(atHome(configured.javaPath));
    this.java =
      own ?? (javaHome === undefined || javaHome === '' ? null : findProgram(`${javaHome}/bin/java`, '/', undefined)) ?? found('java');
  }

  /** The file for a command's first word. */
  program(word: string): string {
    if (word === 'node') return this.node;
    if (word === 'java') return this.java ?? word;
    return word;
  }

  /** A command that loads the probe for Node, also into what a script or a package manager starts; unchanged where it was not built. */
  withNodeProbe(command: LaunchCommand): LaunchCommand {
    return this.#assetsDir === null ? command : withNodeProbe(command, this.#assetsDir);
  }

  /** A command that loads the probe for the JVM; unchanged where it was not built. */
  withJvmProbe(command: LaunchCommand): LaunchCommand {
    return this.#assetsDir === null ? command : withJvmProbe(command, this.#assetsDir);
  }

  /** What the environment must hold for that program to behave as what it is called. */
  programEnvironment(word: string): Record<string, string> {
    return word === 'node' && this.#nodeIsElectron ? { ELECTRON_RUN_AS_NODE: '1' } : {};
  }
}

/** A path that begins with `~/` is meant from the user's home. */
export function atHome(file: string): string {
  return file.startsWith('~/') ? path.join(homeFolder(process.env) ?? '/', file.slice(2)) : file;
}

/** Which Java this is (21 of “21.0.4”), by the file that every JDK has next to its programs; null where it does not say. */
export function javaFeature(program: string): number | null {
  try {
    const release = path.join(path.dirname(realpathSync(program)), '..', 'release');
    const said = /^JAVA_VERSION="(?:1\.)?(\d+)/m.exec(readSmallFile(release) ?? '')?.[1];
    return said === undefined ? null : Number(said);
  } catch {
    return null;
  }
}

/** The program in a JDK's folder, or the program itself. */
export function javaProgram(file: string): string {
  const isFolder = statSync(file, { throwIfNoEntry: false })?.isDirectory() === true;
  return isFolder ? path.join(file, 'bin', process.platform === 'win32' ? 'java.exe' : 'java') : file;
}

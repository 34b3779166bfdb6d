import { findProgram } from '../supervise/program.ts';

/** The runtimes of this machine: which `node` and `java` a target's command means. */
export class Toolchain {
  readonly node: string;
  readonly java: string | null;
  readonly #nodeIsElectron: boolean;

  constructor(configured: { nodePath: string | null; javaPath: string | null }) {
    const found = (name: string): string | null => findProgram(name, '/', process.env['PATH']);
    const node = configured.nodePath ?? found('node');
    // Inside the editor there may be no node but the editor's own, which is one when it is told so.
    this.node = node ?? process.execPath;
    this.#nodeIsElectron = node === null && process.versions['electron'] !== undefined;
    const javaHome = process.env['JAVA_HOME'];
    this.java = configured.javaPath ?? (javaHome === undefined ? null : findProgram(`${javaHome}/bin/java`, '/', undefined)) ?? found('java');
  }

  /** The file for a command's first word. */
  program(word: string): string {
    if (word === 'node') return this.node;
    if (word === 'java') return this.java ?? word;
    return word;
  }

  /** What the environment must hold for that program to behave as what it is called. */
  programEnvironment(word: string): Record<string, string> {
    return word === 'node' && this.#nodeIsElectron ? { ELECTRON_RUN_AS_NODE: '1' } : {};
  }
}

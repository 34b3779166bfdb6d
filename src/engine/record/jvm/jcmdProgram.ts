import { realpathSync } from 'node:fs';
import path from 'node:path';
import { type Failure, failure, FailureError } from '../../../model/domain/failure.ts';
import { isGone } from '../../supervise/identity.ts';
import { findProgram, searchPathOf } from '../../supervise/program.ts';
import { runOnce } from '../../supervise/runOnce.ts';
import { type JvmProcess, processGone } from './jvmProcess.ts';
import type { DiagnosticChannel } from './jvmRuntime.ts';

const replyTimeoutMs = 20_000;

/** Commands of `jcmd` by the program of that name of a JDK, a process of half a second for each: for Windows, where a JVM has no socket for them. */
export class JcmdProgram implements DiagnosticChannel {
  private constructor(
    private readonly jvm: JvmProcess,
    private readonly program: string,
  ) {}

  /** Fails where there is no JDK, or the process is none that takes commands. */
  static async open(jvm: JvmProcess): Promise<JcmdProgram> {
    const program = findJcmd();
    if (program === null) throw new FailureError(jcmdMissing());
    const channel = new JcmdProgram(jvm, program);
    await channel.jcmd('VM.version');
    return channel;
  }

  async jcmd(command: string, { timeoutMs = replyTimeoutMs }: { timeoutMs?: number } = {}): Promise<string> {
    const { status, output } = await runOnce(this.program, [String(this.jvm.pid), command], timeoutMs);
    if (status !== 0) {
      if (isGone(this.jvm.identity)) throw processGone(this.jvm.pid);
      throw failure(
        'jcmd-failed',
        `The JVM ${this.jvm.pid} refused the command ${command.split(' ')[0] ?? command}.`,
        'Look at what it says, and at the version of its JDK.',
        output.trim().slice(0, 2_000),
      );
    }
    // Its first line is the number of the process.
    return output.replace(/^\d+:\r?\n/, '').replaceAll('\r\n', '\n');
  }
}

/** The `jcmd` of the JDK that JAVA_HOME names, on the PATH, or next to the `java` there; null where there is only a JRE, which has none. */
export function findJcmd(): string | null {
  const { JAVA_HOME: home } = process.env;
  const searched = searchPathOf(process.env) ?? '';
  const java = findProgram('java', '/', searched);
  const folders = [...(home ? [path.join(home, 'bin')] : []), searched, ...(java === null ? [] : [path.dirname(realpathSync(java))])];
  return findProgram('jcmd', '/', folders.join(path.delimiter));
}

export function jcmdMissing(): Failure {
  return failure(
    'program-not-found',
    'There is no jcmd, by which a JVM is recorded on Windows.',
    'Install a JDK (a JRE has none), and name it in JAVA_HOME or put its folder bin on the PATH.',
  ).failure;
}

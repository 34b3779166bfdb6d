import { lstatSync } from 'node:fs';
import { lchown, rm } from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';
import { type FailureError, failure } from '../../../model/domain/failure.ts';
import { inTime } from '../../../model/domain/inTime.ts';
import { takesConnection } from '../../load/connection.ts';
import { writeAttachRequest } from '../../supervise/attachFiles.ts';
import { isGone, isSameProcess } from '../../supervise/identity.ts';
import { pause, poll } from '../../supervise/pause.ts';
import { type JvmProcess, performanceFile, processGone } from './jvmProcess.ts';

/** What a JVM said: its status, and text. */
export interface AttachReply {
  status: number;
  text: string;
}

const listenTimeoutMs = 10_000;
const replyTimeoutMs = 20_000;
const maxReplyBytes = 8 * 2 ** 20;
/** HotSpot before 24 cuts or refuses longer ones. */
const maxArgumentBytes = 1023;

/**
 * The attach mechanism of a HotSpot JVM: a socket on which it takes one command for each connection. No program is started.
 * Protocol version 1, which every HotSpot from 6 to 25 speaks: `1 NUL command NUL argument NUL argument NUL argument NUL`; the answer is a number
 * in decimal, a line break, and text up to the end.
 */
export class AttachSocket {
  private constructor(
    private readonly jvm: JvmProcess,
    private readonly file: string,
  ) {}

  /**
   * Makes the JVM listen, unless it does. `jvm` must come from `inspectJvm`, which saw that it handles SIGQUIT.
   * Fails with `attach-timeout`, `attach-failed` or `process-gone`.
   */
  static async open(
    jvm: JvmProcess,
    { timeoutMs = listenTimeoutMs, signal }: { timeoutMs?: number; signal?: AbortSignal } = {},
  ): Promise<AttachSocket> {
    if (process.platform === 'win32')
      throw failure(
        'attach-unsupported',
        'On Windows a JVM has no socket on which it takes commands.',
        'Record with JDK Flight Recorder, or run the service and Benchside in WSL.',
      );
    const folder = path.join(jvm.rootDir, jvm.tempDir);
    const socket = new AttachSocket(jvm, path.join(folder, `.java_pid${jvm.namespacePid}`));
    signal?.throwIfAborted();
    if (await socket.#listens()) return socket;
    // A JVM that finds no such file answers the signal with a thread dump on its standard output.
    const request = path.join(folder, `.attach_pid${jvm.namespacePid}`);
    try {
      writeAttachRequest(request);
      if (process.geteuid?.() !== jvm.uid) await lchown(request, jvm.uid, jvm.gid);
    } catch (error) {
      throw failure(
        'attach-failed',
        `No file can be made in ${folder}, by which a JVM is asked to listen.`,
        'Make that folder writable for you.',
        String(error),
      );
    }
    try {
      await askToListen(jvm);
      const listens = await poll(
        async () => {
          if (isGone(jvm.identity)) throw processGone(jvm.pid);
          return socket.#listens();
        },
        { timeoutMs, everyMs: 20, signal },
      );
      if (listens !== true) throw silent(jvm.pid, timeoutMs);
    } finally {
      await rm(request, { force: true });
    }
    return socket;
  }

  /** Runs a command of `jcmd`, such as `VM.version`, and returns its text. Fails with `jcmd-failed` when the JVM refuses it. */
  async jcmd(command: string, options: { timeoutMs?: number } = {}): Promise<string> {
    const { status, text } = await this.command(['jcmd', command], options);
    if (status !== 0) {
      const name = command.split(' ')[0] ?? command;
      throw failure(
        'jcmd-failed',
        `The JVM ${this.jvm.pid} refused the command ${name}.`,
        'Look at what it says, and at the version of its JDK.',
        text.trim(),
      );
    }
    return text;
  }

  /**
   * Loads a native agent, or calls it again when it is loaded, and returns what its entry returned: 0 means that it took its options. Fails with
   * `agent-refused` when the JVM does not load agents, and with `agent-not-loaded`.
   */
  async loadAgent(library: string, agentOptions: string, options: { timeoutMs?: number; isPath?: boolean } = {}): Promise<number> {
    const { status, text } = await this.command(['load', library, String(options.isPath ?? true), agentOptions], options);
    // JDK 9 and later say "return code: 0"; 8 says the number alone; a refusal is a sentence, from 21 on with status 0.
    const code = /^(?:return code: )?(-?\d+)\s*$/.exec(text)?.[1];
    if (status === 0 && (code !== undefined || text === '')) return Number(code ?? 0);
    if (/agent loading is not enabled/i.test(text))
      throw failure(
        'agent-refused',
        `The JVM ${this.jvm.pid} was started with -XX:-EnableDynamicAgentLoading and loads no profiler.`,
        'Record with JDK Flight Recorder, or start it with -XX:+EnableDynamicAgentLoading.',
        text.trim(),
      );
    throw failure(
      'agent-not-loaded',
      `The JVM ${this.jvm.pid} could not load the profiler.`,
      'Record with JDK Flight Recorder instead.',
      (text.trim() === '' ? `status ${status}` : text.trim()).slice(0, 2000),
    );
  }

  /** Loads an agent of Java’s own kind. Fails with `agent-refused` when the JVM does not load agents, and with `agent-not-loaded`. */
  async loadJavaAgent(jar: string, agentOptions: string): Promise<void> {
    await this.loadAgent('instrument', `${jar}=${agentOptions}`, { isPath: false });
  }

  /** One command with up to three arguments on a connection of its own. */
  async command(words: readonly string[], { timeoutMs = replyTimeoutMs }: { timeoutMs?: number } = {}): Promise<AttachReply> {
    const filled = [...words, '', '', ''].slice(0, 4);
    if (words.length > 4 || filled.some((word) => word.includes('\0') || Buffer.byteLength(word) > maxArgumentBytes)) {
      throw failure(
        'attach-argument',
        'A command for the JVM is longer than it takes.',
        'Use shorter paths for the extension and the temporary folder.',
      );
    }
    const reply = await this.#exchange(Buffer.from(`1\0${filled.join('\0')}\0`), timeoutMs);
    const line = reply.indexOf('\n');
    const status = Number(line < 0 ? reply : reply.slice(0, line));
    if (!Number.isInteger(status) || reply === '') {
      throw isGone(this.jvm.identity)
        ? processGone(this.jvm.pid)
        : failure('attach-failed', `The JVM ${this.jvm.pid} gave no answer that is understood.`, 'Try again.', reply.slice(0, 200));
    }
    return { status, text: line < 0 ? '' : reply.slice(line + 1) };
  }

  async #listens(): Promise<boolean> {
    // Another user's socket of that name is not the JVM's.
    return lstatSync(this.file, { throwIfNoEntry: false })?.uid === this.jvm.uid && takesConnection({ path: this.file });
  }

  #exchange(message: Buffer, timeoutMs: number): Promise<string> {
    const connection = net.connect(this.file);
    const reply = new Promise<string>((resolve, reject) => {
      const chunks: Buffer[] = [];
      let length = 0;
      connection.on('data', (chunk: Buffer) => {
        length += chunk.length;
        if (length <= maxReplyBytes) chunks.push(chunk);
        else connection.destroy();
      });
      connection.once('error', (error) => {
        const cure = 'Try again; if it stays so, restart that JVM.';
        const refused = failure('attach-failed', `The JVM ${this.jvm.pid} cannot be talked to.`, cure, String(error));
        reject(isGone(this.jvm.identity) ? processGone(this.jvm.pid) : refused);
      });
      connection.once('close', () => resolve(Buffer.concat(chunks).toString('utf8')));
      connection.write(message);
    });
    return inTime(timeoutMs, reply, () => {
      connection.destroy();
      throw silent(this.jvm.pid, timeoutMs);
    });
  }
}

/** How often a JVM updates its performance data, and how long we wait to see that. */
const performanceTickMs = 50;

/** Sends the signal, to that very process alone. */
async function askToListen(jvm: JvmProcess): Promise<void> {
  if (process.platform === 'linux') {
    if (!isSameProcess(jvm.identity)) throw processGone(jvm.pid);
  } else if (!(await performanceDataChanges(jvm))) {
    throw failure(
      'attach-failed',
      `Process ${jvm.pid} does not behave as a running JVM, so that it was not sent the signal that would end any other process.`,
      'Look whether it hangs, and try again.',
    );
  }
  try {
    process.kill(jvm.pid, 'SIGQUIT');
  } catch {
    throw processGone(jvm.pid);
  }
}

/** Where there is no /proc: a file that a dead JVM left behind, whose pid another process has by now, does not change. */
async function performanceDataChanges(jvm: JvmProcess): Promise<boolean> {
  const read = (): Buffer | undefined => performanceFile(jvm.rootDir, jvm.tempDir, jvm.namespacePid, jvm.uid)?.bytes;
  const before = read();
  if (before === undefined) return false;
  for (let look = 0; look < 10; look += 1) {
    await pause(performanceTickMs);
    const after = read();
    if (after !== undefined && !after.equals(before)) return true;
  }
  return false;
}

function silent(pid: number, timeoutMs: number): FailureError {
  return failure(
    'attach-timeout',
    `The JVM ${pid} has not answered within ${Math.round(timeoutMs / 1000)} s.`,
    'Look whether it is stopped or overloaded, or was started with -XX:+DisableAttachMechanism, and record again.',
  );
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { processesMarked } from '../../../src/engine/supervise/marked.ts';
import { pause } from '../../../src/engine/supervise/pause.ts';

/** What a command left behind. */
export interface Ended {
  /** Null where it was ended because its time was over. */
  status: number | null;
  stdout: string;
  /** The end of what it said, both streams. */
  said: string;
  wholeS: number;
}

export interface CommandOptions {
  cwd: string;
  env: Readonly<Record<string, string>>;
  withinMs: number;
  signal: AbortSignal;
}

const mostCharacters = 200_000;
const graceMs = 8_000;

/** Runs a command in a process group of its own, to its end or to the end of its time. It is asked to end first, so that it can end what it has started. */
export async function boundedCommand(argv: readonly string[], { cwd, env, withinMs, signal }: CommandOptions): Promise<Ended> {
  signal.throwIfAborted();
  const startedMs = performance.now();
  const [program = '', ...args] = argv;
  const child = spawn(program, args, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let [stdout, said] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    said = (said + text).slice(-mostCharacters);
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(-mostCharacters)));
  const end = (name: NodeJS.Signals): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, name);
    } catch {
      // It has ended.
    }
  };
  let late = false;
  let force: NodeJS.Timeout | undefined;
  const stop = (): void => {
    end('SIGINT');
    force = setTimeout(() => end('SIGKILL'), graceMs);
  };
  const timer = setTimeout(() => {
    late = true;
    stop();
  }, withinMs);
  signal.addEventListener('abort', stop, { once: true });
  try {
    await Promise.race([once(child, 'close'), once(child, 'exit').then(async () => pause(graceMs))]);
  } catch (error) {
    said += `\n${String(error)}`;
  } finally {
    clearTimeout(timer);
    clearTimeout(force);
    signal.removeEventListener('abort', stop);
    end('SIGKILL');
    child.stdout.destroy();
    child.stderr.destroy();
  }
  signal.throwIfAborted();
  return { status: late ? null : child.exitCode, stdout, said, wholeS: Math.round((performance.now() - startedMs) / 100) / 10 };
}

/** Ends what carries this mark in its environment, and says how many processes that were. */
export async function endLeftOver(variable: string, value: string): Promise<number> {
  // What is just ending is not left over.
  for (let look = 0; look < 20 && processesMarked(variable, value).length > 0; look += 1) await pause(100);
  const left = processesMarked(variable, value);
  for (const { pid } of left) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended meanwhile.
    }
  }
  return left.length;
}

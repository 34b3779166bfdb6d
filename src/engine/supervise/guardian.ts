import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { cookieName } from './environment.ts';
import type { Journal } from './journal.ts';

/**
 * Waits for the end of its standard input, which is the engine's end however that comes. An engine that ends in order removes its journal ($1) before. Else
 * what carries its mark ($2) is killed before anything else, since a Node process takes a second to start on a machine that is short of CPU; then the reaper
 * does it thoroughly. Where there is no /proc nothing is found here.
 */
const script = `read -r never
[ -e "$1" ] || exit 0
for file in $(grep -lsxzF "${cookieName}=$2" /proc/[0-9]*/environ 2>/dev/null); do
  pid=\${file#/proc/}
  pid=\${pid%/environ}
  case $(readlink "/proc/$pid/exe") in
    */postgres | */postgres\\ *) ;;
    *) kill -KILL "$pid" ;;
  esac
done
shift 2
exec "$@"`;

/** Makes the reaper wait for the end of its standard input first. */
export const afterInput = '--after-input';

/** The variables that the reaper gets: where temporary files lie, what makes an editor's program behave as Node, and without which Windows starts none. */
const handedOn = ['PATH', 'TMPDIR', 'TEMP', 'TMP', 'SystemRoot', 'ELECTRON_RUN_AS_NODE'];

/**
 * A process next to the engine that ends the rest of its processes when it was killed, at once and not only when the next engine starts. It is a shell that
 * sleeps in one call of `read` (0.1 MB of its own, no CPU time) and becomes the reaper when that returns. Nobody has to end it: the kernel closes its input
 * when the engine is gone. On Windows, which has no such shell, it is the reaper from the beginning (40 MB, no CPU time).
 */
export class Guardian {
  #process: ChildProcess | null = null;

  /**
   * @param reaper the program that reaps: `reaperMain.ts`
   * @param folders where an engine's folders for temporary files lie in addition to those of the system
   */
  constructor(
    private readonly reaper: string,
    private readonly folders: readonly string[],
    private readonly hasShell = process.platform !== 'win32',
  ) {}

  /** Makes sure that it is there; to be called before anything is started that could be left. Never fails: without it the next engine reaps. */
  watch({ file, cookie }: Pick<Journal, 'file' | 'cookie'>): void {
    if (this.#process !== null) return;
    const reap = [file, ...this.folders];
    const command: [string, string[]] = this.hasShell
      ? ['/bin/sh', ['-c', script, 'benchside-guardian', file, cookie, process.execPath, this.reaper, ...reap]]
      : [process.execPath, [this.reaper, afterInput, ...reap]];
    const env = Object.fromEntries(handedOn.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])));
    let guardian: ChildProcess;
    try {
      guardian = spawn(...command, {
        // In a session of its own: signals to the engine's group do not reach it. It holds no folder in use.
        detached: true,
        windowsHide: true,
        cwd: path.parse(process.execPath).root,
        env,
        stdio: ['pipe', 'ignore', 'ignore'],
      });
    } catch {
      // There is no memory for another process.
      return;
    }
    this.#process = guardian;
    const forget = (): void => {
      this.#process = null;
    };
    guardian.once('error', forget);
    guardian.once('exit', forget);
    // Without descriptors there is no such stream.
    (guardian.stdin as ChildProcess['stdin'] | undefined)?.on('error', () => undefined);
    guardian.unref();
  }
}

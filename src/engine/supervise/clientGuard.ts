import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { engineGraceMs } from './engineGrace.ts';

/** The client says this word when the engine has ended before it. */
const endedWord = 'ended';
const looksPerS = 10;

/**
 * Waits for the end of its standard input, which is the client's end however that comes. The engine ($1) then has its grace; one that runs on after that is
 * killed. Its start time is read at the beginning, and a process with another one is left alone. Where no start time is known nothing is killed.
 */
const script = `since() {
  if [ -r "/proc/$1/stat" ]; then
    read -r stat < "/proc/$1/stat" || return 0
    set -- \${stat##*) }
    [ "$1" = Z ] || echo "\${20}"
  else
    LC_ALL=C TZ=UTC ps -o lstart= -p "$1" 2>/dev/null
  fi
}
started=$(since "$1")
[ -n "$started" ] || exit 0
read -r word
[ "$word" = ${endedWord} ] && exit 0
left=${(engineGraceMs / 1000) * looksPerS}
while [ "$(since "$1")" = "$started" ]; do
  [ "$left" -gt 0 ] || { kill -KILL "$1"; exit 0; }
  left=$((left - 1))
  sleep ${1 / looksPerS}
done`;

/**
 * A process next to the client that ends an engine whose event loop is blocked, so that it does not notice that its client is gone. It is a shell that sleeps
 * in one call of `read`: nothing wakes it while something is measured. There is none on Windows.
 */
export class ClientGuard {
  readonly #process: ChildProcess | null;

  /** Never fails: without it the next engine ends this one. */
  constructor(enginePid: number) {
    this.#process = process.platform === 'win32' ? null : startGuard(enginePid);
  }

  /** To be called when the engine has ended. */
  release(): void {
    this.#process?.stdin?.end(`${endedWord}\n`);
  }
}

function startGuard(enginePid: number): ChildProcess | null {
  try {
    const guard = spawn('/bin/sh', ['-c', script, 'benchside-client-guard', String(enginePid)], {
      // In a session of its own: signals to the client's group do not reach it. It holds no folder in use.
      detached: true,
      cwd: '/',
      env: { PATH: '/bin:/usr/bin' },
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    guard.on('error', () => undefined);
    guard.unref();
    // Without descriptors there is no such stream.
    const stdin = guard.stdin as Socket | undefined;
    stdin?.on('error', () => undefined);
    stdin?.unref();
    return guard;
  } catch {
    // There is no memory for another process.
    return null;
  }
}

import { spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { BoundedLog } from './boundedLog.ts';
import { ClientGuard } from './clientGuard.ts';
import { processIdentity } from './identity.ts';

/** Variable in which an engine finds the identity of who started it. */
export const parentVariable = 'BENCHSIDE_PARENT';

/** Variable with the port on which an engine's inspector is to listen, for who works on the engine. */
const inspectVariable = 'BENCHSIDE_INSPECT_ENGINE';

/**
 * What Node is started with for an engine. Not with `--enable-source-maps`: the first connection that is refused would hold everything up for 0.4 s, in which
 * Node reads the map of the whole bundle. Names are kept in it, and a debugger reads the map itself.
 */
export function engineArguments(enginePath: string, env: Readonly<NodeJS.ProcessEnv>): string[] {
  const port = env[inspectVariable] ?? '';
  return [...(/^\d{1,5}$/.test(port) ? [`--inspect=127.0.0.1:${port}`] : []), enginePath];
}

export interface EngineProcess {
  pid: number;
  stdin: Writable;
  stdout: Readable;
  log: BoundedLog;
  exited: Promise<{ code: number | null; signal: string | null }>;
  /** Ends it at once; its children end with it. */
  kill(): void;
}

/**
 * Starts an engine. It leads a session of its own, so that a terminal's Ctrl-C or a window's end does not take it down half-way:
 * it ends, with everything it started, when its standard input does or when we are gone. Where it does not notice that, a guard ends it.
 */
export async function launchEngine(nodePath: string, enginePath: string, env: Readonly<Record<string, string>>): Promise<EngineProcess> {
  const self = processIdentity(process.pid);
  const child = spawn(nodePath, engineArguments(enginePath, process.env), {
    detached: true,
    windowsHide: true,
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, ...env, [parentVariable]: self === null ? '' : JSON.stringify(self) },
  });
  const log = new BoundedLog();
  child.stderr.setEncoding('utf8');
  child.stderr.on('data', (text: string) => log.append(text));
  child.stdin.on('error', () => undefined);
  const exited = new Promise<{ code: number | null; signal: string | null }>((resolve) =>
    child.once('exit', (code, signal) => resolve({ code, signal })),
  );
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', () => resolve());
    child.once('error', reject);
  });
  const guard = new ClientGuard(child.pid ?? 0);
  void exited.then(() => guard.release());
  return { pid: child.pid ?? 0, stdin: child.stdin, stdout: child.stdout, log, exited, kill: () => void child.kill('SIGKILL') };
}

import { childEnvironment } from './environment.ts';
import type { Supervisor } from './supervisor.ts';

/** Runs a short program to its end and gives its output; null when it cannot be started, fails, or takes longer than `timeoutMs`. */
export async function runTool(
  supervisor: Supervisor,
  argv: readonly string[],
  { cwd, timeoutMs = 10_000 }: { cwd: string; timeoutMs?: number },
): Promise<string | null> {
  try {
    const child = await supervisor.start({ name: argv[0] ?? 'tool', kind: 'tool', argv, cwd, env: childEnvironment({ LC_ALL: 'C' }) });
    const timer = setTimeout(() => void child.stop(0), timeoutMs);
    const exit = await child.exited;
    clearTimeout(timer);
    return exit.code === 0 ? child.log.text() : null;
  } catch {
    return null;
  }
}

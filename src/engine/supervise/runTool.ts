import { failure } from '../../model/domain/failure.ts';
import { inTime } from '../../model/domain/inTime.ts';
import { childEnvironment } from './environment.ts';
import type { Child, ChildSpec, ExitInfo, Supervisor } from './supervisor.ts';

/** A program that works for us and speaks English. */
export function toolSpec(name: string, argv: readonly string[], cwd: string): ChildSpec {
  return { name, kind: 'tool', argv, cwd, env: childEnvironment({ LC_ALL: 'C' }) };
}

/** How a short program has ended, and what it printed last. */
export interface ProgramEnd {
  code: number | null;
  output: string;
  tail: string;
}

/**
 * Runs a program to its end, whatever its exit code. Fails with `program-stuck` when it has not ended by `timeoutMs`; an abort ends it at once and rejects with
 * the signal's reason.
 */
export async function runProgram(
  supervisor: Supervisor,
  spec: ChildSpec,
  { timeoutMs, signal }: { timeoutMs: number; signal?: AbortSignal | undefined },
): Promise<ProgramEnd> {
  signal?.throwIfAborted();
  const child = await supervisor.start(spec);
  const { code, late } = await endOf(child, { timeoutMs, signal, hurryMs: 0 });
  signal?.throwIfAborted();
  if (late) {
    throw failure(
      'program-stuck',
      `${spec.name} had not ended after ${timeoutMs / 1000} s, and was ended.`,
      'See whether the machine or its disk is very busy, then try again.',
      child.log.tail(20),
    );
  }
  return { code, output: child.log.text(), tail: child.log.tail(20) };
}

/** How a child ends, which is stopped on an abort and after `timeoutMs`: `late`. No rung of its stop ladder waits longer than `hurryMs`. */
export async function endOf(
  child: Child,
  { timeoutMs, signal, hurryMs }: { timeoutMs: number; signal: AbortSignal | undefined; hurryMs: number },
): Promise<ExitInfo & { late: boolean }> {
  const stop = (): void => void child.stop(hurryMs);
  signal?.addEventListener('abort', stop, { once: true });
  let late = false;
  const exit = await inTime(timeoutMs, child.exited, () => {
    late = true;
    stop();
    return child.exited;
  });
  signal?.removeEventListener('abort', stop);
  return { ...exit, late };
}

/** Runs a short program to its end and returns its output; null when it cannot be started, fails, or takes longer than `timeoutMs`. */
export async function runTool(
  supervisor: Supervisor,
  argv: readonly string[],
  { cwd, timeoutMs = 10_000 }: { cwd: string; timeoutMs?: number },
): Promise<string | null> {
  try {
    const { code, output } = await runProgram(supervisor, toolSpec(argv[0] ?? 'tool', argv, cwd), { timeoutMs });
    return code === 0 ? output : null;
  } catch {
    return null;
  }
}

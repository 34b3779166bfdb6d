import type { RunResult } from '../../src/model/domain/runResult.ts';

/** What a run of this kind found. Throws of any other. */
export function resultOf<K extends RunResult['kind']>(run: { result: RunResult } | null, kind: K): Extract<RunResult, { kind: K }> {
  if (run?.result.kind !== kind) throw new Error(`this is ${run === null ? 'no run' : `a ${run.result.kind}`}, and a ${kind} was expected`);
  return run.result as Extract<RunResult, { kind: K }>;
}

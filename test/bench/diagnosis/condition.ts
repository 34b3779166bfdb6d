import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';

/**
 * What goes on during a measurement: nothing but what the machine has anyway; a loop that computes half of the time; bursts of 1 to 5 s in which as many loops as
 * there are cores compute, with pauses as long.
 */
export const conditions = ['as it is', 'busy', 'bursts'] as const;
export type Condition = (typeof conditions)[number];

export function conditionNamed(name: string): Condition {
  const found = conditions.find((condition) => condition === name);
  if (found === undefined) throw new Error(`Name one of: ${conditions.join(', ')}.`);
  return found;
}

/** Computes for half of every 20 ms. */
const halfBusy = 'setInterval(() => { const end = performance.now() + 10; while (performance.now() < end); }, 20)';
/** Computes for 1 to 5 s, and rests as long; the same numbers in all of them, so that they do it together. */
const inBursts = `let x = 20260101;
const next = () => { x = (Math.imul(x, 1664525) + 1013904223) >>> 0; return 1000 + 4000 * (x / 2 ** 32); };
const burst = () => { const end = performance.now() + next(); while (performance.now() < end); setTimeout(burst, next()); };
setTimeout(burst, 1000);`;

/** Begins it; the result ends it. */
export function beginCondition(condition: Condition): () => void {
  const loops =
    condition === 'as it is' ? [] : condition === 'busy' ? [halfBusy] : Array.from({ length: availableParallelism() }, () => inBursts);
  const children = loops.map((source) => spawn(process.execPath, ['-e', source], { stdio: 'ignore' }));
  return () => {
    for (const child of children) child.kill('SIGKILL');
  };
}

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import * as z from 'zod';
import { repositoryDir } from '../../support/engine.ts';

/** What happens on the machine during a measurement. */
export const conditionSchema = z.enum(['as-is', 'half', 'bursts']);
export type Condition = z.infer<typeof conditionSchema>;

export const conditionLabels: Readonly<Record<Condition, string>> = {
  'as-is': 'the machine as it is',
  half: 'a busy loop of 50 % duty next to it',
  bursts: 'bursts of 1 to 5 s of full load at random',
};

const loops: Readonly<Record<Condition, number>> = { 'as-is': 0, half: 1, bursts: 3 };
/** Nothing that is measured takes longer, and a loop that was forgotten ends on its own. */
const mostS = 3 * 3600;

/** Starts what a condition wants and gives the function that ends it. The loops read a pipe from here, and end when it closes. */
export function begin(condition: Condition, seed: number): () => Promise<void> {
  const program = path.join(repositoryDir, 'test', 'bench', 'truth', 'busyLoop.mjs');
  const beganMs = Date.now();
  const children = Array.from({ length: loops[condition] }, (_, which): ChildProcess => {
    const given = [condition, which, seed, beganMs, mostS].map(String);
    return spawn(process.execPath, [program, ...given], { stdio: ['pipe', 'ignore', 'inherit'] });
  });
  return async () => {
    await Promise.all(
      children.map(async (child) => {
        if (child.exitCode !== null || child.signalCode !== null) throw new Error('a busy loop ended before it was asked to');
        const ended = once(child, 'exit');
        child.stdin?.end();
        child.kill('SIGTERM');
        await ended;
      }),
    );
  };
}

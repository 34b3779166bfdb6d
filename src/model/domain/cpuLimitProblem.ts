import * as z from 'zod';
import type { Failure } from './failure.ts';
import { keysOf } from './keysOf.ts';

const words = {
  'no-linux': { reason: 'control groups and affinity are there on Linux only', cure: 'Run without a CPU share here, or on Linux.' },
  'no-group': {
    reason: 'no control group may be made here, and affinity knows whole cores only',
    cure: 'Choose a whole number of cores, or run as a user who may make control groups (root, or a session to which the “cpu” controller is delegated).',
  },
  'no-taskset': {
    reason: 'no control group may be made here, and “taskset” cannot pin the processes to cores',
    cure: 'Install util-linux (taskset), or run without a CPU share.',
  },
  'not-again': { reason: 'its control group does not take the limit again', cure: 'Run it again, or without a CPU share.' },
} as const;

/** Why processes cannot be limited to a share of the CPU. */
export const cpuLimitProblemSchema = z.enum(keysOf(words));
export type CpuLimitProblem = z.infer<typeof cpuLimitProblemSchema>;

/** The failure of what cannot go on without the limit. */
export function cpuLimitFailure(problem: CpuLimitProblem): Failure {
  const { reason, cure } = words[problem];
  return { code: 'cpu-share-unavailable', message: `The CPU share cannot be kept: ${reason}.`, cure };
}

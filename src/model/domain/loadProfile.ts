import * as z from 'zod';
import { profileFields } from './runOptions.ts';
import { roleSchema, stageSchema } from './scenario.ts';
import { sloSchema } from './slo.ts';

const connectionsSchema = z.number().int().min(1, 'at least one connection').max(10_000);

/** One part of a request mix: a route of the target as `METHOD /path`, and its share. */
export const mixEntrySchema = z.strictObject({
  route: z.string().describe('A route of the target as “METHOD /path” or “/path”.'),
  weight: z.number().positive().describe('Its share.'),
});
export type MixEntry = z.infer<typeof mixEntrySchema>;

/**
 * How load is generated for a target: a closed loop of `connections` (each sends its next request when the last is answered),
 * measured in blocks of `durationS` seconds, the settings taking turns in `rounds` shuffled rounds.
 */
export const loadProfileSchema = z.strictObject({
  $schema: z.string().optional(),
  name: z
    .string()
    .regex(/^[a-z][a-z0-9-]*$/, 'a name is lower-case letters, digits and dashes')
    .describe('What it is chosen by, e.g. --load evening.'),
  purpose: z.string().max(40).optional().describe('What it is for in two or three words, beside its name, e.g. “first answer”.'),
  description: z.string().default('').describe('A sentence about it, for lists.'),
  connections: z
    .union([connectionsSchema, z.array(connectionsSchema).min(1)])
    .describe('Connections in the closed loop; several make a ladder of trials.'),
  ...profileFields,
  settleS: z.number().min(0).max(60).default(1).describe('Seconds discarded at the start of each block.'),
  warmUp: z
    .strictObject({
      minS: z.number().min(0).max(600).default(5).describe('At least so long.'),
      maxS: z.number().min(1).max(600).default(20).describe('At most so long, steady or not.'),
      jvmMinS: z
        .number()
        .min(0)
        .max(600)
        .default(0)
        .describe('On a JVM at least this long: its compiler works in steps, and throughput rests between them.'),
      jvmMaxS: z.number().min(1).max(600).default(45).describe('On a JVM at most so long.'),
    })
    .refine(
      (w) => w.minS <= w.maxS && w.maxS <= w.jvmMaxS && w.jvmMinS <= w.jvmMaxS,
      'minS ≤ maxS ≤ jvmMaxS and jvmMinS ≤ jvmMaxS are needed',
    )
    .default({ minS: 5, maxS: 20, jvmMinS: 10, jvmMaxS: 45 })
    .describe(
      'Once for each process: until the CPU time of a request levels off, at least minS, at most maxS (jvmMinS, jvmMaxS on a JVM). A process that is started again is warm as soon as a request takes as little as it did in the first.',
    ),
  timeoutMs: z.number().int().min(10).max(600_000).default(10_000).describe('A request without an answer by then is an error.'),
  slo: sloSchema.optional().describe('What must hold of every trial; a run that misses it exits with 3.'),
  mix: z.array(mixEntrySchema).min(1).optional().describe('Weighted routes; without it the target’s own weights are used.'),
  stages: z
    .array(stageSchema)
    .min(1)
    .max(50)
    .refine(
      (stages) => stages.some((stage) => stage.users > 0) && stages.some((stage) => stage.seconds > 0),
      'some stage has users, and some stage lasts',
    )
    .optional()
    .describe(
      'Users over time: from the number before to users, evenly, within seconds. One pass of them is a block, durationS is not used, and connections only warm up.',
    ),
  requests: z
    .number()
    .int()
    .min(1)
    .max(100_000_000)
    .optional()
    .describe('A block ends when so many requests were answered, after durationS at the latest.'),
  roles: z
    .array(roleSchema)
    .min(1)
    .max(20)
    .optional()
    .describe('What users do step by step, instead of the mix; as many as the stages say, or else as connections says.'),
});
export type LoadProfile = z.infer<typeof loadProfileSchema>;

import * as z from 'zod';
import { failureSchema } from '../domain/failure.ts';
import { loadFigures } from '../domain/latency.ts';
import { observationSchema } from '../domain/observation.ts';
import { trialSchema } from '../domain/run.ts';
import { runNoteSchema } from '../domain/runNoteKinds.ts';
import { experimentRecordSchema } from '../domain/experiment.ts';
import { stageSchema } from '../domain/progress/stageKinds.ts';
import { stepSchema } from '../domain/progress/stepKinds.ts';
import { tuningAnswerSchema } from '../domain/tuning.ts';

export const phaseSchema = z.enum(['prepare', 'services', 'targets', 'warmUp', 'measure', 'record', 'write', 'stop']);
export type Phase = z.infer<typeof phaseSchema>;

/** What is known of the load within one tick (about half a second). */
export const tickSchema = z.object({
  timeMs: z.number().describe('end of the tick since the start of the run'),
  windowMs: z.number(),
  trialKey: z.string(),
  stage: z.enum(['warmUp', 'settle', 'measure']),
  ...loadFigures,
});
export type Tick = z.infer<typeof tickSchema>;

/** What a benchmark reports while it runs. */
export const runEventSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('started'),
    runId: z.string(),
    title: z.string(),
    trials: z.array(trialSchema).describe('still empty, in the order they will be shown'),
    delta: z.number().optional().describe('δ; absent where none was asked for'),
  }),
  z.object({
    type: z.literal('phase'),
    runId: z.string(),
    phase: phaseSchema,
    doing: stepSchema,
    step: z.number(),
    steps: z.number(),
    elapsedMs: z.number(),
    remainingMs: z.number().nullable().describe('at the most'),
    surelyMs: z.number().optional().describe('in any case; the rest comes only while an answer stays undecided'),
    open: z.array(z.string()).optional().describe('keys of the trials between which an answer is still open, for which rounds are added'),
  }),
  z.object({ type: z.literal('tick'), runId: z.string(), tick: tickSchema }),
  z.object({ type: z.literal('observation'), runId: z.string(), observation: observationSchema }),
  z.object({ type: z.literal('trial'), runId: z.string(), trial: trialSchema }),
  z.object({
    type: z.literal('tuning'),
    runId: z.string(),
    doing: stageSchema,
    spentS: z.number(),
    budgetS: z.number(),
    answers: z.array(tuningAnswerSchema).describe('what is known so far'),
  }),
  z.object({
    type: z.literal('experiment'),
    runId: z.string(),
    doing: stepSchema,
    record: experimentRecordSchema.describe('what is known so far'),
  }),
  z.object({ type: z.literal('note'), runId: z.string(), note: runNoteSchema }),
  z.object({
    type: z.literal('finished'),
    runId: z.string(),
    outcome: z.enum(['complete', 'cancelled', 'failed']),
    stored: z.boolean(),
    failure: failureSchema.nullable(),
  }),
]);
export type RunEvent = z.infer<typeof runEventSchema>;

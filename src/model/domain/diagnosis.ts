import * as z from 'zod';
import { diagnosisKindSchema } from './diagnosisKind.ts';
import { findingSchema } from './findingKinds.ts';
import { evidenceSchema } from './verdict/evidence.ts';
import { nextActionSchema } from './verdict/nextActions.ts';
import { verdictPartSchema, verdictText } from './verdict/verdictKinds.ts';

/** The verdict on one trial: one kind, the evidence, and the next thing to try. */
export const diagnosisSchema = z.object({
  kind: diagnosisKindSchema,
  confident: z.boolean().describe('false: the signs point there, but one of them is missing or near its threshold'),
  /** What its headline says. */
  said: verdictPartSchema,
  why: z.array(verdictPartSchema).describe('why that is so, and what follows'),
  tells: z.array(findingSchema).optional().describe('reasons of the trial that its headline tells of; absent: none'),
  evidence: z.array(evidenceSchema),
  ruledOut: z.array(z.object({ kind: diagnosisKindSchema, because: verdictPartSchema })),
  actions: z.array(nextActionSchema).describe('the first is the one to take'),
  threadDumps: z.array(z.string()).default([]).describe('files in the run’s folder; of an unknown wait'),
});
export type Diagnosis = z.infer<typeof diagnosisSchema>;

/** A sentence, e.g. “The connection pool is the limit: both of its 2 connections were always busy and 30 requests waited.” */
export function headlineOf({ said }: Pick<Diagnosis, 'said'>): string {
  return verdictText(said);
}

/** Why that is so and what follows, as sentences; empty where there are none. */
export function explanationOf({ why }: Pick<Diagnosis, 'why'>): string {
  return why.map(verdictText).join(' ');
}

/** What a ladder (the same settings under rising load) shows as a whole. */
export const ladderSignSchema = z.object({
  sign: z.enum(['queue-before-fixed-resource', 'scales', 'saturates-cpu', 'collapses', 'not-enough-points', 'none']),
  said: verdictPartSchema,
  evidence: z.array(evidenceSchema),
  knee: z.number().nullable().describe('connections at which throughput stopped rising'),
});
export type LadderSign = z.infer<typeof ladderSignSchema>;

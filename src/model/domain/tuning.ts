import { stageSchema } from './progress/stageKinds.ts';
import * as z from 'zod';
import { answerFactsSchema } from './answerFacts.ts';
import { answerReasonSchema } from './answerReason.ts';
import { findingSchema } from './findingKinds.ts';
import { freshFindingSchema, probeCostSchema } from './freshFinding.ts';
import { gateSchema } from './gate.ts';
import { modeReasonSchema } from './modeReason.ts';
import { askedModeSchema, comparingFields, connectionsSchema, valuesSchema } from './requestFields.ts';
import { setFlagFields } from './runFlags.ts';
import { tuneFields } from './runOptions.ts';
import { lookedUpNameSchema, settingValueSchema, settingValuesSchema } from './setting.ts';
import type { RunTopology } from './topology.ts';
import { evidenceItemSchema } from './answerEvidence.ts';

/** How the settings of one target are activated; see decision 13. */
export const tuningModeSchema = z.enum(['live', 'process-per-setting', 'restart-per-block']);
export type TuningMode = z.infer<typeof tuningModeSchema>;

/**
 * Asks for an answer: which value of these settings. One setting gives a line, two a grid. The setting `instances` is known for every target
 * (that many processes of it, the load shared among them); `topology` says what is around them, as for a run.
 */
export const tuneRequestSchema = z.strictObject({
  ...comparingFields,
  settings: valuesSchema,
  connections: connectionsSchema.optional(),
  ...tuneFields,
  mode: askedModeSchema.default('auto'),
  ...setFlagFields,
  totalConnections: z.number().int().min(1).optional().describe('older form of topology.totalConnections'),
});
export type TuneRequest = z.infer<typeof tuneRequestSchema>;

/** What is to be around the instances, in either form of the request; undefined when nothing was asked for. */
export function tunedTopology({ topology, totalConnections }: Pick<TuneRequest, 'topology' | 'totalConnections'>): RunTopology | undefined {
  return totalConnections === undefined ? topology : { proxy: null, cpuShare: null, totalConnections, ...topology };
}

/** A request kept as a file in `profiles/experiments/`, so that it can be repeated; users call it an experiment. */
export const savedRequestSchema = tuneRequestSchema.extend({
  $schema: z.string().optional(),
  name: z.string().regex(/^[a-z][a-z0-9-]*$/, 'a name is lower-case letters, digits and dashes'),
  description: z.string().default(''),
});
export type SavedRequest = z.infer<typeof savedRequestSchema>;

/** A ratio with its 95 % interval. */
export const ratioSchema = z.object({ mean: z.number(), ciLow: z.number().nullable(), ciHigh: z.number().nullable() });
export type Ratio = z.infer<typeof ratioSchema>;

/** Words for a ratio and its interval against ±δ. `unknown`: the interval is too wide for a verdict. */
export const verdictSchema = z.enum(['better', 'worse', 'same', 'unknown']);
export type Verdict = z.infer<typeof verdictSchema>;

/** p99 at a fixed open rate, in ms: of the merged histograms of the windows that count, with its interval. */
export const openLoopMetricSchema = z.object({
  rate: z.number().describe('requests/s that were meant to be sent'),
  p99Ms: z.number(),
  ciLow: z.number().nullable(),
  ciHigh: z.number().nullable(),
  ratioToBest: ratioSchema.nullable(),
  blocks: z.number().int(),
  windows: z.number().int().optional().describe('those that were merged: equally and little disturbed'),
  windowsMeasured: z.number().int().optional(),
  carried: z.boolean().describe('false: it could not answer at this rate, so that p99 says only how long the block was'),
});
export type OpenLoopMetric = z.infer<typeof openLoopMetricSchema>;

/** One combination of values with its current result. `trialKey` leads to its trial. */
export const tunedSettingSchema = z.object({
  trialKey: z.string(),
  values: settingValuesSchema,
  throughput: z.object({ mean: z.number(), ciLow: z.number().nullable(), ciHigh: z.number().nullable() }),
  ratioToBest: ratioSchema.nullable(),
  openLoop: openLoopMetricSchema.nullable(),
  predicted: z.number().nullable().describe('requests/s by the operational laws'),
  blocks: z.number().int(),
  valid: z.boolean(),
  reasons: z.array(findingSchema),
});
export type TunedSetting = z.infer<typeof tunedSettingSchema>;

/** Where the value is set: shown to the person who writes it down. */
export const whereToSetSchema = z.object({
  setting: z.string(),
  value: settingValueSchema,
  how: z.string().describe('a sentence, e.g. “environment variable DB_POOL_SIZE=8”'),
  file: z.string().nullable(),
  line: z.number().nullable(),
});
export type WhereToSet = z.infer<typeof whereToSetSchema>;

export const tuningAnswerSchema = z.object({
  target: z.string(),
  targetLabel: z.string(),
  mode: tuningModeSchema,
  modeReasons: z.array(modeReasonSchema),
  settingNames: z.array(z.string()).min(1),
  settingLabels: z.record(lookedUpNameSchema, z.string()),
  status: z.enum(['confirmed', 'plausible', 'undecided']),
  values: settingValuesSchema.nullable().describe('the recommended combination; null while undecided'),
  plausible: z
    .tuple([settingValueSchema, settingValueSchema])
    .nullable()
    .describe('smallest that may be enough … smallest that is proven; of a single setting'),
  best: z.object({ values: settingValuesSchema, throughput: z.number() }).nullable(),
  facts: answerFactsSchema,
  why: z.array(answerReasonSchema),
  moreSeconds: z.number().nullable().describe('about how much longer would decide'),
  noiseFloorPercent: z.number().nullable(),
  holdMs: z.number().nullable().describe('W: how long a request holds its connection'),
  openRate: z.number().nullable().describe('requests/s at which p99 is compared'),
  settings: z.array(tunedSettingSchema),
  gates: z.array(gateSchema),
  confirmation: freshFindingSchema.nullable().describe('what fresh processes said'),
  where: z.array(whereToSetSchema),
  evidence: z.array(evidenceItemSchema).default([]),
});
export type TuningAnswer = z.infer<typeof tuningAnswerSchema>;

export const tuningRecordSchema = z.object({
  kind: z.literal('tune'),
  request: tuneRequestSchema,
  spentS: z.number(),
  /** What was reached, e.g. “Decided after 6 rounds”. */
  stage: stageSchema,
  probeCost: probeCostSchema.nullable().describe('what the probe costs, measured'),
  answers: z.array(tuningAnswerSchema),
});
export type TuningRecord = z.infer<typeof tuningRecordSchema>;

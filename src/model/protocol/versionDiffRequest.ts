import * as z from 'zod';
import { defaultDelta } from '../domain/margin.ts';
import { connectionsSchema, loadFields } from '../domain/requestFields.ts';
import { requestFields } from '../domain/runOptions.ts';
import { sloSchema } from '../domain/slo.ts';
import { p99Kinds, usualMetrics, versionMetricIds } from '../domain/versionDiff.ts';

/** Two versions of the code to be measured in one run. */
export const diffRequestSchema = z.strictObject({
  base: z.string().min(1).max(400).default('HEAD').describe('commit, branch or tag'),
  head: z.string().min(1).max(400).nullable().default(null).describe('commit, branch or tag; null: the working tree'),
  mergeBase: z.boolean().default(false).describe('against the commit in which base and head parted'),
  target: z.string().optional().describe('of benchside.json; may be left out where it declares only one'),
  ...loadFields,
  connections: connectionsSchema.optional(),
  budgetS: requestFields.budgetS,
  seed: requestFields.seed,
  delta: z.number().min(0.005).max(0.5).default(defaultDelta).describe('within which both count as the same, a share'),
  judgeBy: z.array(z.enum(versionMetricIds)).min(1).default(usualMetrics).describe('the figures that the verdict is made of'),
  slo: sloSchema.optional().describe('what must hold; head is worse where it misses it and base does not'),
  p99: z
    .enum(p99Kinds)
    .default('mix')
    .describe(
      'compared at a fixed rate that both can answer: of the mix, of each of its routes at a rate of its own as well, or not at all',
    ),
  why: z.boolean().default(true).describe('record both versions after everything was measured, to say which function it is'),
});
export type DiffRequest = z.infer<typeof diffRequestSchema>;

/** The commits between two versions, to search them for the one that made a difference. */
export const diffCommitsSchema = z.object({
  good: z.string().describe('the whole id'),
  bad: z.string(),
  commits: z
    .array(z.object({ commit: z.string(), subject: z.string() }))
    .describe('from the oldest after good to bad, along first parents'),
});

/** What a repository calls its versions, to choose from; the most recent first. */
export const versionNamesSchema = z.object({
  branches: z.array(z.string()).describe('of this clone and of its remotes'),
  tags: z.array(z.string()),
  commits: z.array(z.object({ commit: z.string(), subject: z.string() })).describe('before HEAD'),
});
export type VersionNames = z.infer<typeof versionNamesSchema>;

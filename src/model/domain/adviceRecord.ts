import * as z from 'zod';
import { type Advice, type AdviceFinding, type Tried, adviceSchema, adviseRequestSchema, findingOf, isUseful } from './advice.ts';
import { listPhrase } from './format.ts';
import { runIdSchema } from './run.ts';

/** Formed like the id of a run. */
export const adviceIdSchema = runIdSchema;
export const adviceSchemaVersion = 1;

/** A search for what helps as it is stored: what was asked for, and what was found; the ids of its runs are the evidence. */
export const adviceRecordSchema = z.object({
  schemaVersion: z.literal(adviceSchemaVersion),
  id: adviceIdSchema,
  startedAt: z.iso.datetime(),
  outcome: z.enum(['complete', 'cancelled']).describe('cancelled: with what was known until then'),
  request: adviseRequestSchema,
  advice: adviceSchema,
});
export type AdviceRecord = z.infer<typeof adviceRecordSchema>;

export const adviceSummarySchema = z.object({
  id: adviceIdSchema,
  startedAt: z.string(),
  outcome: adviceRecordSchema.shape.outcome,
  targetLabel: z.string(),
  tried: z.number().int(),
  useful: z.array(z.string()).describe('ids of the changes that help, the best first'),
  cheaper: z.array(z.string()).describe('ids of those with which throughput is the same for less'),
});
export type AdviceSummary = z.infer<typeof adviceSummarySchema>;

export function summaryOfAdvice({ id, startedAt, outcome, advice }: AdviceRecord): AdviceSummary {
  const { targetLabel, tried } = advice;
  const { helps, cheaper } = adviceGroups(advice);
  const ids = (all: readonly Tried[]): string[] => all.map((one) => one.id);
  return { id, startedAt, outcome, targetLabel, tried: tried.length, useful: ids(helps), cheaper: ids(cheaper) };
}

/** "Shop: pool=4 and index ads (seller) help", for a list. */
export function advicePhrase({ targetLabel, tried, useful, cheaper, outcome }: AdviceSummary): string {
  const helps =
    useful.length === 0
      ? tried === 0
        ? 'nothing was measured'
        : `nothing of ${tried} changes helps`
      : `${listPhrase(useful)} ${useful.length === 1 ? 'helps' : 'help'}`;
  const less = cheaper.length === 0 ? '' : `; ${listPhrase(cheaper)} ${cheaper.length === 1 ? 'costs' : 'cost'} less`;
  return `${targetLabel}: ${helps}${less}${outcome === 'cancelled' ? ' (cancelled)' : ''}`;
}

/** What a search does now. `plans`: PostgreSQL is asked which indexes it would use. */
export const adviceStageSchema = z.enum(['look', 'plans', 'screen', 'sure', 'together']);

export const adviceProgressSchema = z.object({
  target: z.string(),
  targetLabel: z.string(),
  stage: adviceStageSchema,
  trying: z.array(z.string()).describe('ids of the changes that are measured now'),
  spentS: z.number(),
  budgetS: z.number(),
  advice: adviceSchema.nullable().describe('what is known so far; null before the first look has ended'),
});
export type AdviceProgress = z.infer<typeof adviceProgressSchema>;

const trying: Readonly<Record<AdviceProgress['stage'], (ids: readonly string[]) => string>> = {
  look: () => 'Looking at what limits now',
  plans: () => 'Trying indexes on a copy of the database: which of them would PostgreSQL use?',
  screen: (ids) => `Screening ${ids.length === 1 ? 'one change' : `${ids.length} changes`}: ${ids.join('; ')}`,
  sure: (ids) => `Measuring what is ahead: ${ids.join('; ')}`,
  together: (ids) => `Measuring together: ${ids.join('; ')}`,
};

export function adviceStagePhrase({ stage, trying: ids }: Pick<AdviceProgress, 'stage' | 'trying'>): string {
  return trying[stage](ids);
}

/** What was tried, by what it brought: each group in the order of the effect. */
export function adviceGroups({ tried }: Pick<Advice, 'tried'>): Record<AdviceFinding, Tried[]> {
  const groups: Record<AdviceFinding, Tried[]> = { helps: [], cheaper: [], slower: [], nothing: [] };
  for (const one of tried) groups[findingOf(one)].push(one);
  return groups;
}

/** The changes to take where all that helps is wanted: those that were measured together, unless the best alone brings more. */
export function bestOf({ tried, together }: Pick<Advice, 'tried' | 'together'>): Tried[] {
  const useful = tried.filter(isUseful);
  if (together === null || !isUseful(together) || together.overBest?.verdict === 'worse') return useful.slice(0, 1);
  return useful.filter(({ id }) => together.ids.includes(id));
}

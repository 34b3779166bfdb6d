import * as z from 'zod';
import { diagnosisKindSchema } from './diagnosisKind.ts';
import { failureSchema } from './failure.ts';
import { isObject } from './isObject.ts';
import { connectionsSchema, loadFields } from './requestFields.ts';
import { runIdSchema } from './run.ts';
import { budgetRangeS } from './runOptions.ts';
import { settingValuesSchema } from './setting.ts';
import { ratioSchema, verdictSchema } from './tuning.ts';
import { verdictPartSchema } from './verdict/verdictKinds.ts';
import { type VariantCost, variantCostSchema } from './variantNoteKinds.ts';

/** As long as everything that is tried takes together, where nothing else is asked for: seconds. */
export const adviceBudgetS = 300;

export const adviseRequestSchema = z.strictObject({
  target: z.string().optional().describe('may be left out where only one is declared'),
  ...loadFields,
  connections: connectionsSchema.optional(),
  settings: settingValuesSchema.default({}).describe('what is: everything is tried against these values'),
  budgetS: z
    .number()
    .min(30)
    .max(budgetRangeS.max)
    .default(adviceBudgetS)
    .describe('for everything that is tried, with the starts of its processes: seconds'),
  from: runIdSchema.optional().describe('a run whose verdict and statements are taken in place of a first look'),
});
export type AdviseRequest = z.infer<typeof adviseRequestSchema>;

/** Why something was tried; the rules of advice are known by these. */
export const adviceReasonSchema = z.enum([
  'verdict',
  'pool',
  'choice',
  'number',
  'instances',
  'heap',
  'collector',
  'young-space',
  'worker-threads',
  'index',
  'work-mem',
  'random-pages',
  'jit',
]);
export type AdviceReason = z.infer<typeof adviceReasonSchema>;

const indexSchema = z.object({
  table: z.string().describe('with its schema'),
  columns: z.array(z.string()),
  bytes: z.number().describe('that it takes in a copy of the database'),
  buildMs: z.number(),
});

/** What changes one thing of what is. */
export const adviceChangeSchema = z.object({
  id: z.string().describe('such as pool=8 or index ads (category_id)'),
  settings: settingValuesSchema.describe('by which it was tried, over what is'),
  reason: adviceReasonSchema,
  statement: z.string().nullable().describe('of the app’s, for which an index was tried'),
  index: indexSchema.nullable(),
  apply: z
    .array(
      z.object({
        where: z.enum(['environment', 'benchside.json', 'command line', 'code', 'sql']),
        text: z.string(),
        variable: z
          .object({ name: z.string(), value: z.string(), appends: z.boolean().describe('to the words that are there') })
          .optional()
          .describe('of "env" of the target in benchside.json, where it can be written there; absent: another way'),
      }),
    )
    .describe('what a person does to have it; nobody else does'),
});
export type AdviceChange = z.infer<typeof adviceChangeSchema>;
/** A variable that gives a target a value of the catalogue. */
export type AdviceVariable = NonNullable<AdviceChange['apply'][number]['variable']>;

const effectFields = {
  stage: z.enum(['screened', 'measured']).describe('screened: in a short comparison of many, which is no proof'),
  verdict: verdictSchema.describe('on throughput against what is; beyond chance, all that were compared with it taken together'),
  ratio: ratioSchema.nullable().describe('throughput over that of what is; null where it could not be measured'),
  costs: z.array(variantCostSchema),
  walBytes: z
    .tuple([z.number(), z.number()])
    .nullable()
    .describe('written ahead per request, of what is and with it; null where nothing is'),
  statementMs: z.tuple([z.number(), z.number()]).nullable().describe('of the statement that an index is for, as is and with it; else null'),
  answersDiffer: z.boolean().describe('it answered the same first requests otherwise'),
  run: runIdSchema.describe('in which it was measured'),
};

export const triedSchema = z.object({ ...adviceChangeSchema.shape, ...effectFields });
export type Tried = z.infer<typeof triedSchema>;

export const togetherSchema = z.object({
  ids: z.array(z.string()).min(2).describe('of what helps by itself'),
  ...effectFields,
  overBest: z
    .object({ ratio: ratioSchema, verdict: verdictSchema })
    .nullable()
    .describe('all together over the best by itself, in the same run'),
});
export type Together = z.infer<typeof togetherSchema>;

/** What limits now. Stored before, it was a sentence. */
const nowLimitsSchema = z.preprocess(
  (stored) => {
    if (!isObject(stored) || typeof stored['headline'] !== 'string') return stored;
    return { kind: stored['kind'], said: { code: 'recorded', sentence: stored['headline'] } };
  },
  z.object({ kind: diagnosisKindSchema, said: verdictPartSchema }),
);

/** What was tried and what it brought, in the order of its effect. */
export const adviceSchema = z.object({
  target: z.string(),
  targetLabel: z.string(),
  verdict: nowLimitsSchema.nullable().describe('what limits now'),
  settings: settingValuesSchema.describe('what is, as far as it was asked for'),
  throughput: z.number().nullable().describe('of what is in the first look, requests/s'),
  delta: z.number().describe('within which both count as the same, a share'),
  tried: z.array(triedSchema),
  together: togetherSchema.nullable(),
  notTried: z
    .array(
      z.object({
        id: z.string(),
        why: z.enum(['planner', 'limit', 'time', 'start', 'failed', 'cancelled']),
        failure: failureSchema.optional().describe('why a process did not start'),
      }),
    )
    .describe(
      'planner: PostgreSQL would not use the index; limit: more was found than is tried; start: the target does not start with it; failed: it could not be measured; cancelled: the search was',
    ),
  runs: z.array(z.object({ stage: z.enum(['look', 'screen', 'sure', 'together']), id: runIdSchema })),
  spentS: z.number(),
  budgetS: z.number(),
});
export type Advice = z.infer<typeof adviceSchema>;

/** Whether a thing that was tried may be advised: measured for sure, better beyond chance, with the same answers. */
export function isUseful({ stage, verdict, answersDiffer }: Pick<Tried, 'stage' | 'verdict' | 'answersDiffer'>): boolean {
  return stage === 'measured' && verdict === 'better' && !answersDiffer;
}

/** What alone is worth a change where throughput stays the same. */
const saved: ReadonlySet<VariantCost['id']> = new Set(['cpu', 'memory', 'connections']);

/** Of what a change needs less: beyond chance or, of connections, by their number. */
export function savingsOf({ costs }: Pick<Tried, 'costs'>): VariantCost[] {
  return costs.filter(({ id, verdict }) => saved.has(id) && verdict === 'better');
}

/**
 * What was found of a change. `cheaper`: its throughput is the same within the margin, by its interval, and it needs less of something and more of nothing, by
 * theirs.
 */
export type AdviceFinding = 'helps' | 'cheaper' | 'slower' | 'nothing';

export function findingOf(tried: Pick<Tried, 'stage' | 'verdict' | 'answersDiffer' | 'costs' | 'index'>): AdviceFinding {
  const { stage, verdict, answersDiffer, costs, index } = tried;
  if (isUseful(tried)) return 'helps';
  if (verdict === 'worse') return 'slower';
  const isSame = stage === 'measured' && verdict === 'same' && !answersDiffer;
  // An index takes room, which none of these costs are.
  const isDearer = index !== null || costs.some((cost) => cost.verdict === 'worse');
  return isSame && !isDearer && savingsOf(tried).length > 0 ? 'cheaper' : 'nothing';
}

export function isAdvised(tried: Parameters<typeof findingOf>[0]): boolean {
  return ['helps', 'cheaper'].includes(findingOf(tried));
}

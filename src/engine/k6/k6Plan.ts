import * as z from 'zod';
import { loadProfileSchema } from '../../model/domain/loadProfile.ts';
import { runRequestSchema } from '../../model/domain/run.ts';
import { settingSpecsSchema, settingValuesSchema } from '../../model/domain/setting.ts';
import { sloSchema } from '../../model/domain/slo.ts';
import { runtimeSchema } from '../../model/domain/target.ts';
import type { K6Traffic } from './k6Traffic.ts';

/** The name of the plan next to the script that reads it, and of the script. */
export const planFileName = 'plan.json';
export const scriptFileName = 'script.js';

/** The tag by which a row of k6's files says which test it belongs to: `<id>.<test>`. */
export const testTag = 'benchside';

const count = z.number().int().nonnegative();
const mostTests = 20_000;

/** What an import reads of plan.json again. The script's own part, `traffic`, it reads only as far as the figures depend on it. */
export const k6PlanSchema = z.object({
  benchsideK6: z.literal(1).describe('the version of this file'),
  id: z.string().regex(/^[a-z0-9]{4,20}$/),
  benchside: z.string().describe('the version that wrote it'),
  title: z.string().max(400),
  url: z.string(),
  request: runRequestSchema,
  load: loadProfileSchema,
  target: z.object({ id: z.string(), label: z.string(), runtime: runtimeSchema, settings: settingSpecsSchema }),
  routes: z.array(z.string()),
  settleS: z.number().min(0),
  durationS: z.number().positive(),
  trials: z
    .array(
      z.object({
        key: z.string().max(400),
        name: z.string().max(400),
        connections: count.min(1),
        instances: count.min(1),
        settings: settingValuesSchema.describe('every one, asked for or default'),
        asked: settingValuesSchema,
      }),
    )
    .min(1)
    .max(200),
  tests: z
    .array(z.object({ round: count.min(1).max(mostTests), trial: count, seed: count.describe('of the requests of its round') }))
    .min(1)
    .max(mostTests)
    .describe('in the order in which they are run'),
  traffic: z.looseObject({
    kind: z.enum(['mix', 'roles']),
    thinkTimeMs: z.number().min(0),
    open: z.object({ ratePerS: z.number().positive(), maxInFlight: count }).nullable(),
    stages: z.array(z.unknown()).nullable(),
    slo: sloSchema.nullable(),
  }),
});
export type K6Plan = z.infer<typeof k6PlanSchema>;

export type WrittenK6Plan = Omit<K6Plan, 'traffic'> & { traffic: K6Traffic };

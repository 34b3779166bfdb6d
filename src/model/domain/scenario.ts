import * as z from 'zod';

const nameSchema = z.string().regex(/^[a-z][a-zA-Z0-9-]*$/, 'a name is letters, digits and dashes');

/**
 * One thing that a user does. `{{name}}` in path, headers, body and parts is replaced by what was extracted, or by `{{user}}`, `{{unique}}` (as no other user
 * of any block has it), `{{iteration}}`, `{{random:1-100}}`, `{{any:a,b*3}}` (one of these values, by weight). `${env:NAME}` is a variable of the
 * environment.
 */
export const scenarioStepSchema = z.strictObject({
  name: z.string().max(80).describe('What it is called in the figures of steps.'),
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']).default('GET').describe('GET unless it says otherwise.'),
  path: z
    .string()
    .startsWith('/')
    .describe(
      'In path, headers, body and parts {{name}} is replaced by what was extracted under that name, or by {{user}}, {{unique}}, {{iteration}}, {{random:1-100}} and {{any:a,b*3}}, one of these values by its weight; ${env:NAME} is a variable of the environment.',
    ),
  headers: z.record(z.string(), z.string()).default({}),
  body: z.string().optional().describe('JSON, as text'),
  multipart: z
    .array(
      z.strictObject({
        name: z.string(),
        fileName: z.string().optional(),
        contentType: z.string().optional(),
        text: z.string().optional(),
        bytes: z.number().int().min(1).max(16_777_216).optional().describe('that many pseudo-random bytes'),
      }),
    )
    .optional(),
  extract: z
    .record(nameSchema, z.string())
    .default({})
    .describe('by name: a JSON pointer into the answer (“/id”), “header:Location”, or “regex:…” with one group'),
  assets: z
    .boolean()
    .default(false)
    .describe(
      'also fetch what the page embeds (script, stylesheet link, img), up to six at a time, once per user and address, as a browser with a cache does',
    ),
  expect: z.array(z.number().int()).default([]).describe('statuses that are right; empty: 2xx and 3xx'),
  thinkMs: z
    .strictObject({ min: z.number().min(0), max: z.number().min(0) })
    .default({ min: 0, max: 0 })
    .describe('think time after it, evenly spread'),
});
export type ScenarioStep = z.infer<typeof scenarioStepSchema>;

/** A role: what one kind of user does, again and again, each with cookies of its own. */
export const roleSchema = z.strictObject({
  name: nameSchema,
  weight: z.number().positive().describe('its share of the users'),
  once: z.array(scenarioStepSchema).default([]).describe('when the user arrives, e.g. signing up'),
  steps: z.array(scenarioStepSchema).min(1).max(100),
});
export type Role = z.infer<typeof roleSchema>;

/** Number of users over time: from the value before to `users`, evenly, within `seconds` (0: at once); hold is the same value again. */
export const stageSchema = z.strictObject({
  users: z.number().int().min(0).max(10_000).describe('Users at its end.'),
  seconds: z.number().min(0).max(86_400).describe('How long it takes to get there; 0: at once.'),
});
export type Stage = z.infer<typeof stageSchema>;

/** Figures of one step of a role within a window; latencies in ms from a merged µs histogram. */
export const stepMetricsSchema = z.object({
  role: z.string(),
  step: z.string(),
  requests: z.number(),
  errors: z.number(),
  meanMs: z.number().nullable(),
  p50Ms: z.number().nullable(),
  p95Ms: z.number().nullable(),
  p99Ms: z.number().nullable(),
  maxMs: z.number().nullable(),
  problem: z.string().nullable().describe('the commonest thing that went wrong, as a sentence, e.g. a value that could not be extracted'),
});
export type StepMetrics = z.infer<typeof stepMetricsSchema>;

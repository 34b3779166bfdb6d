import * as z from 'zod';

/** One step of a place: `.name`, `[0]` or `['any name']`. */
const step = String.raw`\.[A-Za-z_$][\w$-]*|\[\d{1,6}\]|\['[^']{1,200}'\]`;
const placePattern = new RegExp(`^\\$(?:${step})*$`);

/** A place in a JSON document, as in JSONPath (RFC 9535) with names and indices alone: `$`, `$.data`, `$.items[0].id`, `$['a name']`. */
const placeSchema = z.string().max(1_000).regex(placePattern, "a place in JSON is written as $.data, $.items[0].id or $['a name']");

/** The same, and `[*]` for every index: `$.items[*].version`. */
const placesPattern = new RegExp(`^\\$(?:${step}|\\[\\*\\])*$`);

export const expectationSchema = z.strictObject({
  status: z
    .array(z.number().int().min(200).max(599))
    .min(1)
    .optional()
    .describe('The statuses that are good; default: 2xx and 3xx. Any other is an error.'),
  body: z
    .strictObject({
      json: placeSchema.optional().describe('A place that its body, which is JSON, has and that is not null: $.data.'),
      not: placeSchema.optional().describe('A place that its body does not have, or that is null, false or an empty list: $.errors.'),
    })
    .optional()
    .describe('What stands in its body. A GraphQL query is expected to have no $.errors unless something else is said here.'),
  ignore: z
    .array(z.string().max(1_000).regex(placesPattern, 'places in JSON are written as $.data or $.items[*].id'))
    .optional()
    .describe('Places of its JSON that may differ between two sides, with all below them, such as $.version or $.items[*].cost.'),
});
export type Expectation = z.infer<typeof expectationSchema>;

/** The names and indices of a place, from the root on. */
export function stepsOf(place: string): string[] {
  return [...place.matchAll(new RegExp(step, 'g'))].map(([text]) => text.replace(/^\.|^\['|^\[|'\]$|\]$/g, ''));
}

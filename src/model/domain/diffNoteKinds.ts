import * as z from 'zod';
import { findingSchema } from './findingKinds.ts';
import { findingText } from './findings.ts';
import { type OneOf, always, recorded, saidIn, storedSchemaOf, worded } from './findingTable.ts';
import { wholeNumber } from './format.ts';

const needed = z
  .object({ neededS: z.number().describe('that enough requests take'), budgetMin: z.number().describe('a budget that has them') })
  .nullable()
  .describe('null: there was the time, and the load generator was kept from sending');
const late = 'the load generator was kept from sending in time.';
const notAtRate = 'p99 was not compared at a fixed rate';

const paceWords = {
  users: 'users in roles or stages come at a pace of their own, which a fixed rate would not have',
  requests: 'the load ends after a number of requests',
  apart: 'both versions cannot run beside each other',
} as const;

/** What of two versions was not compared, and why: a code with its figures, and its words. */
export const diffNoteKinds = {
  // All routes
  'routes-of-roles': always(
    'No route was measured alone: users in roles go from one request to the next, and what a request finds is what those before it left. “--route” compares one of them.',
  ),
  'routes-of-stages': always(
    'No route was measured alone: under a load in stages there is no one load that all of them could be asked for with. “--route” compares one of them.',
  ),

  // One route
  'route-apart': always('The two versions cannot run beside each other.'),
  'route-left-out': always('There was no time left to measure it alone: a larger budget has some.'),
  'route-failed': worded({
    version: z.string().nullable().describe('its label; null: either'),
    because: findingSchema.nullable().describe('null: it was not measured as asked'),
  }).says(
    ({ version, because }) =>
      `${version === null ? '' : `${version}: `}${because === null ? 'not measured as asked.' : findingText(because)}`,
  ),

  // p99 at a fixed rate
  'rate-impossible': worded({ why: z.enum(['users', 'requests', 'apart']) }).says(({ why }) => `${notAtRate}: ${paceWords[why]}.`),
  'rate-missed': worded({ needed }).says(({ needed: time }) =>
    time === null
      ? `${notAtRate}: ${late}`
      : `${notAtRate}: as slow as these versions are, enough requests for it take ${wholeNumber(time.neededS)} s. “--budget ${time.budgetMin}min” has them.`,
  ),
  'rate-missed-of-routes': worded({ routes: z.array(z.string()), needed }).says(({ routes, needed: time }) => {
    const named = routes.slice(0, 3).join(', ');
    const which = routes.length > 3 ? `${named} and ${routes.length - 3} more` : named;
    const why =
      time === null
        ? late
        : `enough requests for it take ${wholeNumber(time.neededS)} s of a route. “--budget ${time.budgetMin}min” has them.`;
    return `p99 at a fixed rate is not known of ${which}: ${why}`;
  }),
  recorded,
} as const;

export type DiffNote = OneOf<typeof diffNoteKinds>;
export const diffNoteSchema = storedSchemaOf('diffNote', diffNoteKinds);

export function diffNoteText(note: DiffNote): string {
  return saidIn(diffNoteKinds, note);
}

import * as z from 'zod';
import { type OneOf, saidIn, schemaOf, worded } from '../findingTable.ts';
import { figure, listPhrase } from '../format.ts';

const round = z.number().describe('from 1');
const values = z.array(z.string()).describe('as people name them: “8”, or “4 × 50” where several settings vary');
const target = z.string().nullable().describe('its label; null: there is only one');

/** What is open between the values of a target, for which a round is added. */
const openSchema = z.object({ target, values: values.nullable().describe('null: there are too few rounds for a claim') });
export type OpenValues = z.infer<typeof openSchema>;

function openPhrase({ target: label, values: open }: OpenValues): string {
  const what =
    open === null ? 'too few rounds for a claim yet' : `${listPhrase(open)} ${open.length === 1 ? 'is to be confirmed' : 'are still open'}`;
  return `${label === null ? '' : `${label}: `}${what}`;
}

/** Which round is measured, and what for: a code with its figures, and its phrase. */
export const roundKinds = {
  planned: worded({ round, of: z.number(), more: z.boolean().describe('rounds may be added') }).says(
    ({ round: is, of, more }) => `round ${is} of ${of}${more ? ' or more' : ''}`,
  ),
  added: worded({ round, open: z.array(openSchema) }).says(
    ({ round: is, open }) => `round ${is}, added as ${open.map(openPhrase).join('; ')}`,
  ),
  pair: worded({ round, open: z.boolean() }).says(
    ({ round: is, open }) => `round ${is}${open ? ', added as it is still open which is faster' : ''}`,
  ),
  rules: worded({
    round,
    rules: z.number().describe('of an experiment that are open'),
    about: z.string().nullable().describe('what the only one is about'),
    mostS: z.number(),
  }).says(
    ({ round: is, rules, about, mostS }) =>
      `round ${is}: ${about === null ? `${rules} rules are` : `${about} is`} open, at most ${mostS} s more`,
  ),
  search: worded({
    target,
    round,
    values: values.nullable().describe('null: all'),
    count: z.number(),
    best: z.boolean().describe('the best is measured, too'),
  }).says(
    ({ target: label, round: is, values: some, count, best }) =>
      `${label === null ? 'Round' : `${label}, round`} ${is}: ${some === null ? `all ${count} values` : listPhrase(some)}${best ? ' against the best' : ''}`,
  ),
  rate: worded({ ratePerS: z.number(), round, of: z.number().nullable(), again: z.boolean() }).says(
    ({ ratePerS, round: is, of, again }) =>
      `p99 at ${figure(ratePerS)} requests/s, round ${is}${of === null ? '' : ` of ${of}`}${again ? ', once more' : ''}`,
  ),
} as const;

export type RoundKind = OneOf<typeof roundKinds>;
export const roundKindSchema = schemaOf(roundKinds).meta({ id: 'round' });

export function roundText(found: RoundKind): string {
  return saidIn(roundKinds, found);
}

/** The same where there is little room: "round 2/3". */
export function shortRoundText(found: RoundKind): string {
  return found.code === 'planned' ? `round ${found.round}/${found.of}${found.more ? ' or more' : ''}` : roundText(found);
}

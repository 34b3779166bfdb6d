import * as z from 'zod';
import { findingSchema } from './findingKinds.ts';
import { findingSeen } from './findings.ts';
import { type Besides, type OneOf, always, recorded, saidIn, storedSchemaOf, worded } from './findingTable.ts';
import { figure, listPhrase, wholeNumber } from './format.ts';

const names = z.array(z.string()).describe('values, as people name them');
const share = z.number().describe('0 … 1');

/** "4", "4 and 8", "4, 8 and 16"; at most eight are named. */
function listed(all: readonly string[]): string {
  return listPhrase(all.length > 8 ? [...all.slice(0, 7), `${all.length - 7} more`] : all);
}

function percent(value: number): string {
  return `${figure(value)} %`;
}

/** The rules of validity for a tuning as a whole that can speak up: figures of each, and its words with what to do. */
export const gateKinds = {
  generator: worded({
    of: z.enum(['cpu', 'event-loop']),
    value: z.number().describe('percent: of a core, or of the time in which the event loop was busy'),
    limit: z.number(),
  }).says(({ of, value, limit }) => {
    const seen =
      of === 'cpu'
        ? `its CPU ${percent(value)} of a core, limit ${limit} %`
        : `its event loop busy ${percent(value)} of the time, limit ${limit} %`;
    return `The load generator was saturated (${seen}): what was compared is the generator. Use fewer connections or a heavier route, or let k6 put the load on (--generator k6=2).`;
  }),
  ignored: worded({ seen: findingSchema.describe('what the app had in place of the first of them'), names }).says(
    ({ seen, names: ignoring }) =>
      `${findingSeen(seen)} ${listed(ignoring)} ${ignoring.length === 1 ? 'is' : 'are'} left out. Let the setting reach the app at its start, or tune it with restarts.`,
  ),
  errors: worded({ fastest: z.string().nullable().describe('null where the fastest has few'), names, share, limit: share }).says(
    ({ fastest, names: failing, share: failed, limit }) =>
      fastest === null
        ? `Up to ${percent(100 * failed)} of the requests failed with ${listed(failing)}, limit ${100 * limit} %. Look at the app’s log.`
        : `${percent(100 * failed)} of the requests to the fastest setting (${fastest}) failed, limit ${100 * limit} %: errors are often faster than answers. Look at the app’s log.`,
  ),
  'acquire-timeouts': worded({ names }).says(
    ({ names: givenUp }) =>
      `Callers gave up waiting for a connection with ${listed(givenUp)}: there the pool decides who gets an answer. Use a larger pool or fewer connections.`,
  ),
  'not-steady': always('It was still warming up when it was measured. Allow a longer warm-up.'),
  'max-connections': worded({ names, most: z.number().describe('connections that PostgreSQL allows besides those kept back') }).says(
    ({ names: greedy, most }) =>
      `${listed(greedy)} may open more connections than PostgreSQL allows (${wholeNumber(most)} besides those kept back). Name smaller pools or fewer instances, or raise max_connections.`,
  ),
  concurrency: worded({
    connections: z.number().describe('of the load'),
    used: z.number().describe('of the largest pool, at the most'),
    largest: z.number(),
    needed: z.number().describe('connections of the load that would use it'),
  }).says(
    ({ connections, used, largest, needed }) =>
      `${wholeNumber(connections)} connections of the load never use more than ${wholeNumber(used)} of a pool of ${wholeNumber(largest)}, so that for this load larger sizes than ${wholeNumber(used)} are all the same. Put ${wholeNumber(needed)} connections or more on it to compare them.`,
  ),
  'open-loop': worded({ share: share.describe('of the requests that were sent late or not at all'), limit: share }).says(
    ({ share: spoilt, limit }) =>
      `${percent(100 * spoilt)} of the requests at a fixed rate were sent late or not at all, limit ${100 * limit} %: p99 is only roughly known. Choose a lighter load, or run on a quieter machine.`,
  ),
  'not-measured': worded({ names }).says(
    ({ names: missing }) => `${listed(missing)} could not be measured twice. The reasons stand with each value.`,
  ),
  rounds: worded({ rounds: z.number(), least: z.number() }).says(
    ({ rounds, least }) =>
      `${least} valid rounds are the least for any claim; there ${rounds === 1 ? 'is' : 'are'} ${rounds}. Allow more time.`,
  ),
  /** Of a record that was written when records held sentences; `was` is the rule. */
  recorded: worded({ was: z.string().describe('the code of it'), ...recorded.figures }).says(({ sentence }) => sentence),
} as const;

const common = { severity: z.enum(['refuse', 'flag']).describe('refuse: no ranking; flag: worth knowing') };

/** A rule of validity that spoke up. `refuse`: no ranking; `flag`: worth knowing. */
export type Gate = OneOf<typeof gateKinds, Besides<typeof common>>;
export const gateSchema = storedSchemaOf('gate', gateKinds, common);

/** What was seen, the limit, and what to do. */
export function gateText(gate: Gate): string {
  return saidIn(gateKinds, gate);
}

/** Which rule it is, also of an older record. */
export function gateCode(gate: Gate): string {
  return gate.code === 'recorded' ? gate.was : gate.code;
}

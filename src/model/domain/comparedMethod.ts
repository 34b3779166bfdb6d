import * as z from 'zod';
import { type OneOf, always, saidIn, schemaOf, worded } from './findingTable.ts';
import { wholeNumber } from './format.ts';

const blocks = { a: z.number().describe('blocks of the first side'), b: z.number() };
const ratePerS = z.number().describe('requests/s that both were asked');
const widened = z.number().describe('what whole runs differ in, a share');
const widenedPhrase = (share: number): string => `, widened by the ${share * 100} % that whole runs differ in`;
const ratePhrase = (rate: number): string => `At a fixed rate of ${wholeNumber(rate)} requests/s`;

/** What the interval of a compared figure rests on: a code with its figures, and its words. */
export const comparedMethodKinds = {
  'small-blocks': worded({ leastRequests: z.number() }).says(
    ({ leastRequests }) => `No interval: a block needs ${wholeNumber(leastRequests)} requests for a p99 of its own.`,
  ),
  'two-runs': worded({ ...blocks, widened }).says(
    ({ a, b, widened: share }) => `Two runs: Welch’s interval on the logarithms of ${a} and ${b} blocks${widenedPhrase(share)}.`,
  ),
  'same-rounds': worded({ rounds: z.number() }).says(({ rounds }) => `The same ${rounds} rounds: paired blocks on logarithms.`),
  'same-run': always('The same run but not the same rounds: Welch’s interval on logarithms.'),
  slices: worded({ pairs: z.number(), cpuWeight: z.number().describe('how much of it CPU per request says, 0 … 1') }).says(
    ({ pairs, cpuWeight }) => {
      const by = cpuWeight > 0 ? `, ${Math.round(100 * cpuWeight)} % of it by CPU per request of what is full` : '';
      return `${pairs} mirrored pairs of slices: 20 % trimmed mean on logarithms${by}.`;
    },
  ),
  starts: worded(blocks).says(({ a, b }) => `${a} and ${b} starts: Welch’s interval on logarithms.`),
  'fixed-rate': worded({ ratePerS }).says(({ ratePerS: rate }) => `${ratePhrase(rate)}.`),
  'blocks-at-rate': worded({ ...blocks, ratePerS, widened: widened.nullable() }).says(
    ({ a, b, ratePerS: rate, widened: share }) =>
      `${ratePhrase(rate)}, from ${a} and ${b} blocks${share === null ? '' : widenedPhrase(share)}.`,
  ),
  'pairs-at-rate': worded({ ratePerS, pairs: z.number() }).says(
    ({ ratePerS: rate, pairs }) => `${ratePhrase(rate)}, from ${pairs} pairs of windows of the same rounds.`,
  ),
  'fixed-connections': always(
    'Measured with a fixed number of connections, where latency follows from throughput; p99 at a fixed rate would say more.',
  ),
} as const;

export type ComparedMethod = OneOf<typeof comparedMethodKinds>;
export const comparedMethodSchema = schemaOf(comparedMethodKinds);

export function methodText(method: readonly ComparedMethod[]): string {
  return method.map((one) => saidIn(comparedMethodKinds, one)).join(' ');
}

import * as z from 'zod';
import { type OneOf, always, saidIn, schemaOf, worded } from './findingTable.ts';

const series = z.enum(['throughput', 'cpu']).describe('what was watched: requests/s, or what a second of CPU serves');
const change = z.number().describe('a share; below 0 it fell');

const seriesWords = { throughput: 'throughput', cpu: 'what a second of CPU serves' } as const;

function percent(share: number): string {
  return `${(100 * Math.abs(share)).toFixed(1)} %`;
}

/** Why what was watched was not steady at the end of a warm-up, and that as the end of a sentence: "throughput rose by 9.0 % between …". */
const warmUpFindings = {
  'few-ticks': worded({ value: z.number().describe('ticks after the warm-up'), limit: z.number() }).says(
    ({ value, limit }) => `too little was seen to tell: ${value} of the ${limit} ticks that are needed`,
  ),
  'no-answers': always('no requests were answered'),
  'late-cut': worded({ series }).says(({ series: of }) => `${seriesWords[of]} was still changing in the second half of the warm-up`),
  'between-thirds': worded({ series, change }).says(
    ({ series: of, change: by }) =>
      `${seriesWords[of]} ${by > 0 ? 'rose' : 'fell'} by ${percent(by)} between the last two thirds of the warm-up`,
  ),
  'between-halves': worded({ change: z.number().describe('share by which CPU time of a request fell') }).says(
    ({ change: by }) => `a request took ${percent(by)} less CPU than shortly before, while the load turned from value to value`,
  ),
  compiling: worded({ share: z.number().describe('of the app’s CPU time') }).says(
    ({ share }) => `compilers of the runtime still took ${percent(share)} of the app’s CPU`,
  ),
  varies: worded({ series }).says(({ series: of }) => `${seriesWords[of]} varies so much that more time is needed to tell`),
  trend: worded({ series, change, overS: z.number() }).says(
    ({ series: of, change: by, overS }) =>
      `${seriesWords[of]} was still ${by > 0 ? 'rising' : 'falling'}: by ${percent(by)} over the last ${overS.toFixed(0)} s`,
  ),
} as const;

export type WarmUpFinding = OneOf<typeof warmUpFindings>;
export const warmUpFindingSchema = schemaOf(warmUpFindings);

export function warmUpWords(found: WarmUpFinding): string {
  return saidIn(warmUpFindings, found);
}

/** What still changed at the end of a warm-up. */
export interface Unsteady {
  why: WarmUpFinding;
  /** The part of a request’s time that needs CPU of the app, 0 … 1; null where throughput may follow what changed. */
  cpuPart: number | null;
}

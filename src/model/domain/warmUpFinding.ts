import * as z from 'zod';

const series = z.enum(['throughput', 'cpu']).describe('what was watched: requests/s, or what a second of CPU serves');

/** Why what was watched was not steady at the end of a warm-up. */
export const warmUpFindingSchema = z.discriminatedUnion('code', [
  z.object({ code: z.literal('few-ticks'), value: z.number().describe('ticks after the warm-up'), limit: z.number() }),
  z.object({ code: z.literal('no-answers') }),
  z.object({ code: z.literal('late-cut'), series }),
  z.object({ code: z.literal('between-thirds'), series, change: z.number().describe('a share; below 0 it fell') }),
  z.object({ code: z.literal('between-halves'), change: z.number().describe('share by which CPU time of a request fell') }),
  z.object({ code: z.literal('compiling'), share: z.number().describe('of the app’s CPU time') }),
  z.object({ code: z.literal('varies'), series }),
  z.object({ code: z.literal('trend'), series, change: z.number().describe('a share; below 0 it fell'), overS: z.number() }),
]);
export type WarmUpFinding = z.infer<typeof warmUpFindingSchema>;

/** What still changed at the end of a warm-up. */
export interface Unsteady {
  why: WarmUpFinding;
  /** The part of a request’s time that needs CPU of the app, 0 … 1; null where throughput may follow what changed. */
  cpuPart: number | null;
}

const seriesWords = { throughput: 'throughput', cpu: 'what a second of CPU serves' } as const satisfies Record<
  z.infer<typeof series>,
  string
>;

function percent(share: number): string {
  return `${(100 * Math.abs(share)).toFixed(1)} %`;
}

/** It as the end of a sentence: "throughput rose by 9.0 % between …". */
export function warmUpWords(found: WarmUpFinding): string {
  switch (found.code) {
    case 'few-ticks':
      return `too little was seen to tell: ${found.value} of the ${found.limit} ticks that are needed`;
    case 'no-answers':
      return 'no requests were answered';
    case 'late-cut':
      return `${seriesWords[found.series]} was still changing in the second half of the warm-up`;
    case 'between-thirds':
      return `${seriesWords[found.series]} ${found.change > 0 ? 'rose' : 'fell'} by ${percent(found.change)} between the last two thirds of the warm-up`;
    case 'between-halves':
      return `a request took ${percent(found.change)} less CPU than shortly before, while the load turned from value to value`;
    case 'compiling':
      return `compilers of the runtime still took ${percent(found.share)} of the app’s CPU`;
    case 'varies':
      return `${seriesWords[found.series]} varies so much that more time is needed to tell`;
    case 'trend':
      return `${seriesWords[found.series]} was still ${found.change > 0 ? 'rising' : 'falling'}: by ${percent(found.change)} over the last ${found.overS.toFixed(0)} s`;
  }
}

import * as z from 'zod';
import { failedRequestKinds, findingSchema } from '../findingKinds.ts';
import { findingText } from '../findings.ts';
import { always, worded } from '../findingTable.ts';
import { wholeNumber } from '../format.ts';
import { uncapital } from '../sentence.ts';
import { number, resourceNames, resourceSchema, seen } from './figures.ts';
import { mean, ms, percentOf } from './phrases.ts';

const failedNames: Readonly<Record<(typeof failedRequestKinds)[number], string>> = {
  status5xx: 'were answered with a server error',
  status4xx: 'were answered with a client error',
  limited: 'were answered with 429, by a rate limit',
  unexpected: 'were answered otherwise than expected',
  timeout: 'were not answered in time',
  refused: 'were refused',
  reset: 'were cut off',
  unanswered: 'were left without an answer',
  other: 'failed in another way',
};

/** What verdicts say where nothing in the app is full, or where the figures say nothing of it. */
export const roomVerdicts = {
  healthy: worded({ most: resourceSchema.nullable(), share: seen }).says(
    ({ most, share }) =>
      `Nothing is at its limit: what is used most, ${most === null ? 'the processor' : resourceNames[most]}, is used to ${percentOf(share)}, and no request waits.`,
  ),
  'healthy-why': worded({ connections: number }).says(
    ({ connections }) =>
      `At ${connections} ${connections === 1 ? 'connection' : 'connections'} there is room in every resource that was watched. To see what gives first, raise the load.`,
  ),
  'nearly-full': worded({ most: resourceSchema, share: number }).says(
    ({ most, share }) => `Nearly at its limit is ${resourceNames[most]}, which is used to ${percentOf(share)}.`,
  ),
  'used-up': worded({ most: resourceSchema }).says(
    ({ most }) => `Fullest is ${resourceNames[most]}: all of it is in use, but other signs of a limit are missing.`,
  ),
  'used-up-why': always('Which resource gives first may change with a little more load. Raise the load to be sure.'),
  'nearly-full-why': always(
    'It is the fullest of all resources, but not full, so that this may change with a little more load. Raise the load to be sure.',
  ),
  'nearly-full-processor': worded({ gain: number.describe('what the free part is of the used one') }).says(
    ({ gain }) =>
      `At today’s CPU time of a request, throughput can rise by ${percentOf(gain)} at the most before it is full. A request that takes less CPU brings more.`,
  ),
  load: worded({
    connections: number,
    meanMs: seen,
    pool: z.object({ busy: number, max: number }).nullable().describe('where it is no larger than what the load asks of it'),
  }).says(({ connections, meanMs, pool }) => {
    const load = connections === 1 ? 'one connection, which waits' : `${connections} connections, each of which waits`;
    const room =
      pool === null
        ? ', and nothing in the app is full.'
        : `. ${mean(pool.busy)} of the ${pool.max} connections of the pool were in use, and no request waited for one.`;
    return `The load is the limit: ${load} ${ms(meanMs)} for an answer, cannot ask for more${room}`;
  }),
  'used-most': worded({ most: resourceSchema, share: number }).says(
    ({ most, share }) => `What is used most, ${resourceNames[most]}, is used to ${percentOf(share)}.`,
  ),
  'closed-loop': worded({ connections: number }).says(
    ({ connections }) =>
      `In a closed loop each connection waits for its answer before it asks again, so that ${connections === 1 ? 'only one request is ever' : `at most ${connections} requests are`} at work.`,
  ),
  'more-load': always('More connections of the load would ask for more, until something is full.'),
  'more-of-both': always(
    'A larger pool alone would stay unused, and more connections of the load alone would soon wait for the pool: only both together would ask the app for more.',
  ),

  // The figures say nothing of the app
  'says-nothing': worded({ finding: findingSchema.nullable() }).says(
    ({ finding }) =>
      `This measurement says nothing of the app: ${uncapital(finding === null ? 'it was discarded.' : findingText(finding))}`,
  ),
  'says-nothing-why': always('What limits the app cannot be told from it.'),
  finding: worded({ finding: findingSchema }).says(({ finding }) => findingText(finding)),
  'generator-starved': worded({ wantedShare: seen.describe('of a core'), appShare: seen }).says(
    ({ wantedShare, appShare }) =>
      `This measurement says nothing of the app: the load generator was saturated (it used or waited for ${percentOf(wantedShare)} of a core), and the app used ${percentOf(appShare)} of its CPU.`,
  ),
  'generator-starved-why': worded({ usedShare: seen.describe('of a core'), saturatedBlocks: number.describe('share of the blocks') }).says(
    ({ usedShare, saturatedBlocks }) =>
      `It got ${percentOf(usedShare)} of a core${saturatedBlocks > 0 ? `, and all of one in ${percentOf(saturatedBlocks)} of the blocks, which are left out` : ' and could have used more'}: what was measured is the generator. Use fewer connections or a heavier route, or let k6 put the load on.`,
  ),
  'none-answered': always('Not one request was answered.'),
  'many-failed': worded({ share: number, failed: z.array(z.object({ kind: z.enum(failedRequestKinds), requests: number })) }).says(
    ({ share, failed }) =>
      `${percentOf(share)} of the requests failed: ${failed.map(({ kind, requests }) => `${wholeNumber(requests)} ${failedNames[kind]}`).join(', ')}.`,
  ),
  'failed-why': always(
    'An error is answered sooner or later than a result, so that these figures describe the errors. What limits the app cannot be told before they are gone.',
  ),
  'probe-silent': always('The probe in the app gave no answer, so that its pools and threads were not seen.'),
  descriptors: worded({ open: seen, limit: number }).says(
    ({ open, limit }) =>
      `The app may open no more files: ${open === null ? 'all' : wholeNumber(open)} of ${wholeNumber(limit)} descriptors were in use.`,
  ),
  'descriptors-why': worded({ refused: number.describe('connections') }).says(
    ({ refused }) =>
      `Every connection of a client, of the pool and every open file takes one. At the limit new connections are refused or left waiting${refused > 0 ? `, as ${wholeNumber(refused)} were here` : ''}.`,
  ),
} as const;

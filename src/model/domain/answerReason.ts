import * as z from 'zod';
import { findingSchema } from './findingKinds.ts';
import { findingText } from './findings.ts';
import { type OneOf, always, recorded, saidIn, storedSchemaOf, worded } from './findingTable.ts';
import { figure, listPhrase, lossPhrase, oneDecimal, spanPhrase, wholeNumber } from './format.ts';
import { gateSchema, gateText } from './gate.ts';
import { uncapital } from './sentence.ts';
import { verdictPartSchema, verdictText } from './verdict/verdictKinds.ts';

const name = z.string().describe('a value, as people name it');
const names = z.array(name);
const delta = z.number().describe('what may be given up for a smaller value, a share');
const ms = z.number().describe('of the percentile that was compared');
const ratePerS = z.number().describe('requests/s that were intended');
const interval = z.object({ mean: z.number(), ciLow: z.number().nullable(), ciHigh: z.number().nullable() });
const carried = z.object({ name, throughput: interval.nullable().describe('requests/s') }).describe('a value, and what it carried');
const quantile = z.enum(['p99', 'p95', 'mean latency']);
const atRate = z.object({ value: z.number(), ms: z.number().nullable() });

function carriedPhrase({ throughput }: z.infer<typeof carried>): string {
  if (throughput === null) return 'no figure';
  const { mean, ciLow, ciHigh } = throughput;
  return `${wholeNumber(mean)} req/s${ciLow === null || ciHigh === null ? '' : ` [${wholeNumber(ciLow)} – ${wholeNumber(ciHigh)}]`}`;
}

function percent(share: number): string {
  return `${oneDecimal(100 * share)} %`;
}

/**
 * " [12.2 – 64.7 %]": what is lost at least and at most, from an interval of the ratio to the best. Empty where there is none, or where it is so
 * wide (more than the whole could be won) that its figures would say nothing.
 */
function lossRange({ ciLow, ciHigh }: z.infer<typeof interval>): string {
  if (ciLow === null || ciHigh === null || ciHigh > 2) return '';
  const lost = (ratio: number): string => oneDecimal(100 * (1 - ratio)).replace('-', '−');
  return ` [${lost(ciHigh)} – ${lost(ciLow)} %]`;
}

/** " over 12 of 16 windows": how many were quiet enough to be merged. */
function windowsPhrase({ counted, measured }: { counted: number; measured: number }): string {
  return ` over ${counted === measured ? '' : `${counted} of `}${measured} ${measured === 1 ? 'window' : 'windows'}`;
}

function latencyPhrase({ value, ms: found }: z.infer<typeof atRate>, of: z.infer<typeof quantile>): string {
  return `${value}: ${of} ${found === null ? 'unknown' : `${figure(found)} ms`}`;
}

/** What an answer rests on, and what is still open: figures of each, and its words. */
export const answerReasonKinds = {
  // What was compared
  best: worded({ of: carried }).says(({ of }) => `${of.name} is the best measured: ${carriedPhrase(of)}.`),
  near: worded({
    of: carried,
    best: carried,
    delta,
    proven: z.boolean(),
    waitsOnly: z.boolean().describe('the figures do not show it: requests hardly wait for what is tuned'),
  }).says(({ of, best, delta: allowed, proven, waitsOnly }) => {
    const sure = `${proven ? '' : 'most likely '}within ${percent(allowed)} of the best (${best.name})`;
    const by = waitsOnly ? ' by what requests wait, though the figures do not show it' : '';
    return `${of.name} is ${sure}${by}: ${carriedPhrase(of)}; the best has ${carriedPhrase(best)}.`;
  }),
  'against-best': worded({ of: carried, best: carried }).says(
    ({ of, best }) => `${of.name} against the best (${best.name}): ${carriedPhrase(of)}; the best has ${carriedPhrase(best)}.`,
  ),
  'not-its-size': worded({ of: carried, rival: carried.describe('carried more, and nobody waits with it either'), delta }).says(
    ({ of, rival, delta: allowed }) =>
      `${of.name} carried ${carriedPhrase(of)}, and ${rival.name}, at which nobody waits either, ${carriedPhrase(rival)}: by more than ${percent(allowed)}, which cannot be its size.`,
  ),
  largest: worded({ mayBeBetter: z.boolean().describe('a larger one') }).says(
    ({ mayBeBetter }) => `It is also the largest value tested${mayBeBetter ? ': a larger one may be better still' : ''}.`,
  ),
  'all-used': worded({ usable: z.number().describe('connections that the load uses at the most') }).says(
    ({ usable }) => `It is also the largest value tested, and the load never uses more than ${wholeNumber(usable)}.`,
  ),
  busy: worded({ busy: z.number().describe('connections of a pool, 99.9 % of the time at the most') }).says(
    ({ busy }) => `Of a pool, at most ${busy} ${busy === 1 ? 'connection is' : 'connections are'} in use at once 99.9 % of the time.`,
  ),
  below: worded({
    name: name.describe('the next smaller value'),
    ratio: interval.describe('of its throughput to that of the best'),
    isBest: z.boolean().describe('whether the answer is the best'),
    open: delta.nullable().describe('not yet distinguished from it; null where it is'),
    worse: z
      .object({ ratePerS, p99Ms: z.number().nullable().describe('null: it cannot carry the rate') })
      .nullable()
      .describe('where its p99 rules it out'),
  }).says(({ name: below, ratio, isBest, open, worse }) => {
    const loss = `${below} ${lossPhrase(ratio.mean)}${lossRange(ratio)}${isBest ? '' : ' against the best'}`;
    if (worse === null) return `${loss}${open === null ? '' : `, which is not yet distinguished from ${percent(open)}`}.`;
    const rate = `${wholeNumber(worse.ratePerS)} req/s`;
    return worse.p99Ms === null
      ? `${loss}, and it cannot carry ${rate}.`
      : `${loss}, and its p99 at ${rate} is worse: ${figure(worse.p99Ms)} ms.`;
  }),
  'discarded-values': worded({ values: z.array(z.number()) }).says(
    ({ values }) => `Discarded, and not among the values compared: ${values.join(', ')}.`,
  ),
  'missing-values': worded({ names }).says(
    ({ names: missing }) =>
      `${listPhrase(missing)} could not be measured and ${missing.length === 1 ? 'is' : 'are'} not among the values compared.`,
  ),
  connections: worded({ connections: z.number().describe('of the load') }).says(
    ({ connections }) => `At ${wholeNumber(connections)} connections.`,
  ),
  'short-of-cpu': worded({ takenPercent: z.number() }).says(
    ({ takenPercent }) =>
      `So it is while other programs take ${figure(takenPercent)} % of the CPU, and what they left was the limit; requests still wait for a connection, so that a larger value may be better once they have ended.`,
  ),

  // Latency
  p99: worded({
    name,
    ratePerS,
    p99Ms: z.number(),
    windows: z.object({ counted: z.number(), measured: z.number() }).nullable(),
    best: z.object({ name, p99Ms: z.number() }).nullable().describe('null where the answer is the best, or that was not measured'),
    floor: z
      .object({ leastMs: z.number(), waitedMs: z.number(), unbounded: z.number().default(0.001) })
      .nullable()
      .describe('the least p99 that anything larger could bring, and how long all but a share of the requests waited at the most'),
    open: z
      .number()
      .nullable()
      .describe('the share by which it may be larger than that of the best, while it is not distinguished from that'),
  }).says(({ name: of, ratePerS: rate, p99Ms, windows, best, floor, open }) => {
    const waited =
      floor === null
        ? ''
        : `as ${1000 * (1 - floor.unbounded)} of 1,000 requests waited at most ${figure(floor.waitedMs)} ms for a connection`;
    const bounded = floor === null ? '' : `; nothing larger can bring it below ${figure(floor.leastMs)} ms, ${waited}`;
    const notItsSize = floor !== null && best !== null && best.p99Ms < p99Ms ? `, which is not for its size, ${waited}` : '';
    const against = best === null ? bounded : `, against ${figure(best.p99Ms)} ms with ${best.name}${notItsSize}`;
    const start = `p99 at ${wholeNumber(rate)} req/s is ${figure(p99Ms)} ms with ${of}`;
    const tail = open === null ? '' : `, which is not yet distinguished from ${100 * open} % more`;
    return `${start}${windows === null ? '' : windowsPhrase(windows)}${against}${tail}.`;
  }),
  'p99-not-compared': worded({ budgetS: z.number().nullable().describe('that has the time for it; null: it was tried') }).says(
    ({ budgetS }) =>
      budgetS === null
        ? 'p99 could not be compared: too few requests came at the fixed rate, or they were sent late. Allow more time, or run on a quieter machine.'
        : `p99 was not compared, for want of time: a budget of ${spanPhrase(budgetS)} has it.`,
  ),
  'p99-higher': worded({ ms, bestMs: ms }).says(({ ms: own, bestMs }) => `Its p99 is ${figure(own)} ms against ${figure(bestMs)} ms.`),
  'more-errors': worded({ name, share: z.number().describe('of its requests, 0 … 1') }).says(
    ({ name: of, share }) => `${of} had more errors than the best: ${figure(100 * share)} % of requests.`,
  ),
  'lowest-at-rate': worded({
    ratePerS,
    quantile,
    best: atRate,
    answer: atRate
      .extend({ proven: z.boolean(), margin: z.number().describe('a share') })
      .nullable()
      .describe('null where it is the best'),
  }).says(({ ratePerS: rate, quantile: of, best, answer }) => {
    const lowest = `At ${figure(rate)} requests/s, ${latencyPhrase(best, of)}, the lowest`;
    if (answer === null) return `${lowest}.`;
    const above = `${answer.proven ? 'proven' : 'most likely'} no more than ${100 * answer.margin} % above it`;
    return `${lowest}; ${latencyPhrase(answer, of)}, ${above}.`;
  }),
  'worse-at-rate': worded({ quantile, values: z.array(atRate).min(1) }).says(
    ({ quantile: of, values }) => `${values.map((one) => latencyPhrase(one, of)).join('; ')}, which is worse.`,
  ),
  'few-for-p99': worded({ quantile }).says(
    ({ quantile: of }) => `Blocks have too few requests for a p99 of their own, so that the ${of} was compared.`,
  ),
  'rate-too-high': always('Lower the rate, or test larger values.'),

  // The mechanism
  hold: worded({
    holdMs: z.number(),
    throughput: z.number().describe('requests/s'),
    busy: z.number().describe('connections, by Little’s law'),
    isFull: z.boolean().describe('nearly all of them'),
    processes: z.number(),
  }).says(({ holdMs, throughput, busy, isFull, processes }) => {
    const count = isFull ? wholeNumber(busy) : figure(busy);
    const noun = count === '1' ? 'connection' : 'connections';
    const each = processes > 1 ? ` in all ${wholeNumber(processes)} processes together` : '';
    const mean = count === wholeNumber(busy) ? '' : ' on average';
    return `A request holds its connection ${figure(holdMs)} ms, so ${wholeNumber(throughput)} req/s keep ${count} ${noun}${each} busy${mean}.`;
  }),
  limit: worded({
    beyond: name.nullable().describe('the answer; null where that is the best'),
    verdict: verdictPartSchema,
  }).says(({ beyond, verdict }) => (beyond === null ? verdictText(verdict) : `Beyond ${beyond}, ${uncapital(verdictText(verdict))}`)),

  // What is open
  'rounds-missing': worded({ rounds: z.number() }).says(
    ({ rounds }) => `${rounds} more ${rounds === 1 ? 'round' : 'rounds'} would confirm it.`,
  ),
  'another-open': always('That another is better is not ruled out.'),
  'more-time': worded({
    seconds: z.number().nullable().describe('that would decide what is open; null: more than it is worth'),
    between: z.enum(['all', 'two', 'another']).describe('which of all, which of two, or whether another is better'),
  }).says(({ seconds, between }) => {
    if (seconds !== null) return `About ${spanPhrase(seconds)} more would decide.`;
    return between === 'another' ? 'Ruling it out is not worth the time.' : 'Telling the two apart would take longer than it is worth.';
  }),
  gate: worded({ gate: gateSchema }).says(({ gate }) => gateText(gate)),

  // Where there is no answer
  'one-value': always('There is nothing to compare it with. Name at least two values.'),
  failed: worded({ name, finding: findingSchema }).says(({ name: of, finding }) => `With ${of}: ${findingText(finding)}`),
  'other-load': always('Choose routes that use the database: by their weights in benchside.json, or one of them by its name.'),
  'too-little': worded({ target: z.string().describe('as people name it') }).says(
    ({ target }) => `Two rounds are the least for a comparison. ${target} has had less than that.`,
  ),
  discarded: worded({ most: findingSchema.nullable().describe('what most values were discarded for') }).says(
    ({ most }) => `${most === null ? '' : `${findingText(most)} `}The reasons stand with each value.`,
  ),
  recorded,
} as const;

export type AnswerReason = OneOf<typeof answerReasonKinds>;
export const answerReasonSchema = storedSchemaOf('answerReason', answerReasonKinds);

/** Whether it says how the answer comes about, rather than what was compared. */
export function isMechanism({ code }: AnswerReason): boolean {
  return code === 'hold' || code === 'limit';
}

/** Those to be shown next to a step that says how much longer would decide. */
export function besideStep(reasons: readonly AnswerReason[]): AnswerReason[] {
  return reasons.filter((reason) => reason.code !== 'more-time' || reason.seconds === null);
}

export function reasonsText(reasons: readonly AnswerReason[]): string {
  return reasons.map((reason) => saidIn(answerReasonKinds, reason)).join(' ');
}

import * as z from 'zod';
import { type OneOf, recorded, saidIn, storedSchemaOf, worded } from './findingTable.ts';
import { figure, wholeNumber } from './format.ts';

const ratio = z.number();

/** A share of the throughput with a decimal: "98.4". */
function share(of: number): string {
  return (100 * of).toFixed(1);
}

const comparedWords = {
  confirms: 'That confirms the answer.',
  contradicts: 'That contradicts the answer: trust the fresh processes.',
  open: 'Three rounds are too few to confirm it more closely.',
} as const;

/** The result of fresh processes of the answer and of the best. */
export const freshKinds = {
  'fresh-unmeasured': worded({ name: z.string() }).says(({ name }) => `In fresh processes ${name} could not be measured.`),
  'fresh-alone': worded({ name: z.string(), throughput: z.number().describe('requests/s') }).says(
    ({ name, throughput }) => `A fresh process of ${name} had ${wholeNumber(throughput)} requests/s.`,
  ),
  'fresh-too-few': worded({ name: z.string(), best: z.string() }).says(
    ({ name, best }) => `In fresh processes too few blocks of ${name} and ${best} were valid to tell.`,
  ),
  'fresh-compared': worded({
    name: z.string(),
    best: z.string(),
    ratio: ratio.describe('of the throughput of the best'),
    ciLow: ratio,
    ciHigh: ratio,
    says: z.enum(['confirms', 'contradicts', 'open']).describe('whether the answer is within δ of the best'),
  }).says(
    ({ name, best, ratio: mean, ciLow, ciHigh, says }) =>
      `In fresh processes ${name} had ${share(mean)} % [${share(ciLow)} – ${share(ciHigh)}] of the throughput of ${best}. ${comparedWords[says]}`,
  ),
  recorded,
} as const;

export type FreshFinding = OneOf<typeof freshKinds>;
export const freshFindingSchema = storedSchemaOf('freshProcesses', freshKinds);

export function freshText(found: FreshFinding): string {
  return saidIn(freshKinds, found);
}

/** CPU per request with a probe over that without, between two processes. */
export const probeCostKinds = {
  'probe-cost': worded({ ratio: ratio.describe('above 1: it costs CPU'), ciLow: ratio, ciHigh: ratio }).says(
    ({ ratio: mean, ciLow, ciHigh }) =>
      `The probe’s cost in CPU per request, between two processes: ${change(mean)} % [${change(ciLow)} to ${change(ciHigh)} %].`,
  ),
  recorded,
} as const;

export type ProbeCost = OneOf<typeof probeCostKinds>;
export const probeCostSchema = storedSchemaOf('probeCost', probeCostKinds);

export function probeCostText(cost: ProbeCost): string {
  return saidIn(probeCostKinds, cost);
}

function change(of: number): string {
  return figure(100 * (of - 1));
}

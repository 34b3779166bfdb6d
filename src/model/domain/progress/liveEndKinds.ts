import * as z from 'zod';
import { type OneOf, always, saidIn, schemaOf, worded } from '../findingTable.ts';
import { durationPhrase } from '../format.ts';

/** Why a live session is over. */
export const liveEndKinds = {
  stopped: always('Stopped.'),
  cancelled: always('Cancelled.'),
  ended: always('Ended.'),
  'time-over': worded({ maxMs: z.number() }).says(({ maxMs }) => `It ended on its own after ${durationPhrase(maxMs)}.`),
  'app-ended': worded({ name: z.string() }).says(({ name }) => `${name} has ended.`),
  broken: always('It could not go on.'),
  failed: worded({ message: z.string() }).says(({ message }) => message),
} as const;

export type LiveEnd = OneOf<typeof liveEndKinds>;
export const liveEndSchema = schemaOf(liveEndKinds);

export function liveEndText(end: LiveEnd): string {
  return saidIn(liveEndKinds, end);
}

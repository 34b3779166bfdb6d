import * as z from 'zod';
import { type Figures, always, worded } from './findingTable.ts';
import { bytesPhrase, durationPhrase, listPhrase } from './format.ts';

/** What grew in the second half of a soak, and by how much. */
const growthSchema = z.discriminatedUnion('by', [
  z.object({
    by: z.literal('share'),
    what: z.enum(['memory', 'open descriptors', 'threads', 'median response time']),
    share: z.number(),
  }),
  z.object({ by: z.literal('pace'), bytesPerHour: z.number(), fullInMs: z.number().nullable().describe('null: not known') }),
  z.object({ by: z.literal('rate'), before: z.number().describe('errors a second'), after: z.number() }),
]);
export type Growth = z.infer<typeof growthSchema>;

function growthPhrase(growth: Growth): string {
  switch (growth.by) {
    case 'share':
      return `${growth.what} by ${Math.round(100 * growth.share)} %`;
    case 'pace': {
      const full = growth.fullInMs === null ? '' : ` (full in ${durationPhrase(growth.fullInMs)} at that pace)`;
      return `disk by ${bytesPhrase(growth.bytesPerHour)} an hour${full}`;
    }
    case 'rate':
      return `errors from ${growth.before.toFixed(1)} to ${growth.after.toFixed(1)} a second`;
  }
}

const breakingPointFigures = {
  status: z.enum(['found', 'below-lowest', 'above-highest', 'undecided', 'invalid']),
  load: z.number().describe('what the status is of: the lowest, the highest, the one that could not be measured, the next, or the answer'),
  steps: z.number().describe('measurements that were allowed'),
  answer: z.number().nullable().describe('the highest load that kept the objective whenever it was measured'),
  breaksAt: z.number().nullable().describe('the lowest above it that broke it'),
  kept: z.number().describe('how often the answer kept it'),
  broke: z.number().describe('how often the load above broke it'),
  of: z.number().describe('times that the load above was measured'),
};

function breakingPointText({ status, load, steps, answer, breaksAt, kept, broke, of }: Figures<typeof breakingPointFigures>): string {
  switch (status) {
    case 'undecided': {
      const between =
        answer !== null && breaksAt !== null
          ? `; it lies between ${answer} and ${breaksAt}`
          : answer !== null
            ? `; ${answer} keeps it`
            : breaksAt !== null
              ? `; ${breaksAt} breaks it`
              : '';
      return `${steps} measurements were not enough to be sure${between}.`;
    }
    case 'invalid':
      return `A load of ${load} could not be measured validly, twice.`;
    case 'below-lowest':
      return `The lowest load, ${load}, breaks it already.`;
    case 'above-highest':
      return `The highest load, ${load}, still keeps it: the answer is more than ${load}.`;
    case 'found':
      return `${answer} kept it ${kept} times; ${breaksAt} broke it${broke < of ? ` in ${broke} of ${of} measurements` : ''}.`;
  }
}

const memoryEnds = {
  'full-collection': 'it ended with the first full collection after',
  level: 'it was level after',
  growing: 'it was still growing after',
} as const;

export const experimentNoteKinds = {
  'variant-left-out': worded({ label: z.string(), need: z.string(), message: z.string(), remedy: z.string() }).says(
    ({ label, message, remedy }) => `${label} is left out. ${message} ${remedy}`,
  ),
  'roles-without-raw': always('Users who walk through roles are counted by their steps: no raw samples were kept.'),
  'variants-unsteady': worded({ names: z.array(z.string()) }).says(
    ({ names }) => `Still changing a little after the warm-up, which the mirrored rounds share out evenly: ${names.join(', ')}.`,
  ),
  'variants-unrecorded': always(
    'The variants were not recorded: users who come and go, and loads beside each other, are not the same in a window of their own.',
  ),
  'loads-apart': worded({ apartMs: z.number(), mostMs: z.number() }).says(
    ({ apartMs, mostMs }) =>
      `The windows of the loads were up to ${Math.round(apartMs)} ms apart; above ${mostMs} ms they were not measured at the same time.`,
  ),
  outage: worded({
    failed: z.number(),
    attempts: z.number(),
    recovery: z
      .object({ seconds: z.number().nullable().describe('null: not in the time there was') })
      .nullable()
      .describe('until throughput was steady again; null where nothing ended'),
  }).says(({ failed, attempts, recovery }) => {
    const lost = failed === 0 ? 'no request failed' : `${failed} of ${attempts} requests failed`;
    if (recovery === null) return `${lost}.`;
    return recovery.seconds === null
      ? `${lost}; throughput was not steady again in the time there was.`
      : `${lost}; throughput was steady again after ${recovery.seconds.toFixed(1)} s.`;
  }),
  'step-failed': worded({ message: z.string().describe('by the role’s step') }).says(({ message }) => message),
  soak: worded({
    name: z.string(),
    lastedMs: z.number(),
    endedAtMs: z.number().nullable().describe('null of an app that was up to the end'),
    watched: z.array(z.string()).describe('of which there were enough samples'),
    grew: z.array(growthSchema),
  }).says(({ name, lastedMs, endedAtMs, watched, grew }) => {
    const all = durationPhrase(lastedMs);
    const uptime =
      endedAtMs === null
        ? `${name} was up for all of the ${all}.`
        : `${name} was up for ${durationPhrase(endedAtMs)} of the ${all}, then it ended.`;
    if (watched.length === 0) return `${uptime} There are too few samples to tell whether anything grew.`;
    const rest = `of ${listPhrase(watched)} in the second half of the soak`;
    return `${uptime} ${grew.length === 0 ? `No growth ${rest}.` : `Growth ${rest}: ${listPhrase(grew.map(growthPhrase))}. Look at it over a longer soak.`}`;
  }),
  'breaking-point': worded(breakingPointFigures).says(breakingPointText),
  memory: worded({
    mebibytes: z.number().nullable().describe('null where it could not be read'),
    end: z.enum(['full-collection', 'level', 'growing']),
    seconds: z.number(),
  }).says(
    ({ mebibytes, end, seconds }) =>
      `${mebibytes === null ? 'its memory could not be read' : `${Math.round(mebibytes)} MB`}; ${memoryEnds[end]} ${Math.round(seconds)} s.`,
  ),
} as const;

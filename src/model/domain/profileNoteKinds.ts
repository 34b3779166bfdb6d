import * as z from 'zod';
import { type OneOf, always, saidIn, schemaOf, worded } from './findingTable.ts';
import { wholeNumber } from './format.ts';
import { namedPhrase, recordingNoteKinds, someNamed } from './recordingNoteKinds.ts';

const event = z.string().describe('by its name in the recording');
const count = z.number();

/** What is known to cost a lot, and what helps: it goes on from “38 % of it …”. */
const knownCosts = {
  'nested-archives': {
    does: 'looks up classes and resources in the nested archives of a Spring Boot jar',
    cure: 'run it unpacked: “java -Djarmode=tools -jar APP.jar extract”, then the jar in the new folder',
    source: 'https://docs.spring.io/spring-boot/reference/packaging/efficient.html',
  },
  'caller-data': {
    does: 'takes a stack trace for each line that Logback writes',
    cure: 'leave %C, %F, %L, %M and %caller out of the pattern',
    source: 'https://logback.qos.ch/manual/layouts.html',
  },
  'flush-check': {
    does: 'compares all loaded entities with what they were before each query',
    cure: 'read in transactions that are read-only, or load less',
    source: 'https://docs.jboss.org/hibernate/orm/current/userguide/html_single/Hibernate_User_Guide.html#flushing',
  },
  'sync-calls': {
    does: 'is in functions of Node that hold all other requests up until they return',
    cure: 'call the ones that answer later, without “Sync” in their name',
    source: 'https://nodejs.org/en/learn/asynchronous-work/dont-block-the-event-loop',
  },
} as const;
export type KnownCost = keyof typeof knownCosts;

const elsewhereWords = {
  recorder: 'the recorder itself',
  ended: 'processes that ended meanwhile',
  unseen: 'threads that the recorder does not see, such as those of the runtime, of native code and of those that ended',
} as const;
const elsewhereSchema = z.object({
  in: z.union([z.enum(['recorder', 'ended', 'unseen']), z.object({ pid: z.number(), title: z.string() })]),
  ns: z.number(),
});
export type CpuElsewhere = z.infer<typeof elsewhereSchema>;

function seconds(ns: number): string {
  return `${(ns / 1e9).toFixed(2)} s`;
}

function elsewherePhrase({ in: where, ns }: CpuElsewhere): string {
  return `${seconds(ns)} in ${typeof where === 'string' ? elsewhereWords[where] : `process ${where.pid} (${where.title})`}`;
}

/** What must be known of a recording that is shown: what its recorder says, and what is seen as it is read. */
export const profileNoteKinds = {
  ...recordingNoteKinds,

  // The file
  'largest-of-folder': worded({ count, name: z.string() }).says(
    ({ count: all, name }) => `The folder has ${all} recordings of this form; this is the largest, ${name}.`,
  ),
  'built-since': worded(someNamed).says(
    (named) =>
      `${namedPhrase(named)} ${named.names.length === 1 ? 'was' : 'were'} built after this was recorded: where the code has changed, files and lines are those of other code.`,
  ),
  'lines-skipped': worded({ lines: count, ofLines: count, first: z.number().describe('number of the first of them') }).says(
    ({ lines, ofLines, first }) => {
      const were = lines === 1 ? 'is no stack with a count and was' : 'are no stacks with a count and were';
      return `${wholeNumber(lines)} of ${wholeNumber(ofLines)} lines ${were} skipped; the first is line ${wholeNumber(first)}.`;
    },
  ),
  'callers-missing': worded({ samples: count }).says(
    ({ samples }) =>
      `Pieces are missing in the file: ${wholeNumber(samples)} ${samples === 1 ? 'sample lacks its' : 'samples lack their'} first callers, or all of the stack.`,
  ),
  'profiles-overlap': worded({ leftOut: count }).says(
    ({ leftOut }) =>
      `${wholeNumber(leftOut)} ${leftOut === 1 ? 'profile' : 'profiles'} of the same threads and the same time ${leftOut === 1 ? 'was' : 'were'} left out: of each thread the one with most samples is shown.`,
  ),
  'threads-stand': worded({ threads: count, first: z.string(), caller: z.string() }).says(({ threads, first, caller }) => {
    const who = threads === 1 ? `The thread “${first}”` : `${wholeNumber(threads)} threads, such as “${first}”,`;
    return `${who} waited in ${caller} from the begin to the end of the recording, so that nothing that was answered meanwhile waited for that: told as idle.`;
  }),
  'cut-short': always('The file ends in the middle: what stands before that was read, and what is missing is not known.'),

  // Its weights
  'too-much-cpu': worded({ event, cpuNs: z.number(), withinNs: z.number(), threads: count }).says(
    ({ event: name, cpuNs, withinNs, threads }) =>
      `“${name}” comes to ${(cpuNs / 1e9).toPrecision(3)} s within ${(withinNs / 1e9).toPrecision(3)} s, where at most ${wholeNumber(threads)} ${threads === 1 ? 'thread' : 'threads'} could compute at once: not all of it is CPU time. Threads that wait may be counted in it.`,
  ),
  'recorder-left-out': worded({ event, samples: count, ofSamples: count }).says(({ event: name, samples, ofSamples }) => {
    const share = ((100 * samples) / ofSamples).toFixed(samples / ofSamples < 0.1 ? 1 : 0);
    const counted = `${wholeNumber(samples)} of ${wholeNumber(ofSamples)} samples of “${name}” (${share} %)`;
    return `${counted} ${samples === 1 ? 'was' : 'were'} of the recorder itself and not of the app, and ${samples === 1 ? 'is' : 'are'} left out.`;
  }),
  'frames-cut': worded({ event, share: z.number(), depth: z.number(), frame: z.string().describe('in their place') }).says(
    ({ event: name, share, depth, frame }) => {
      const percent = share < 0.001 ? 'less than 0.1' : (100 * share).toFixed(share < 0.1 ? 1 : 0);
      return `${percent} % of “${name}” lies deeper than ${wholeNumber(depth)} frames; it was cut there and stands as “${frame}”.`;
    },
  ),
  'nearly-no-cpu': worded({ kernelNs: z.number() }).says(
    ({ kernelNs }) => `The kernel counted ${seconds(kernelNs)} of CPU time while this was recorded: nearly none.`,
  ),
  'cpu-covered': worded({ kernelNs: z.number(), recordedNs: z.number(), elsewhere: z.array(elsewhereSchema) }).says(
    ({ kernelNs, recordedNs, elsewhere }) => {
      const share = recordedNs / kernelNs;
      const counted = `The kernel counted ${seconds(kernelNs)} of CPU time while this was recorded; ${seconds(recordedNs)} (${(100 * share).toFixed(0)} %) are in the recording`;
      const reason = share > 1.1 ? ', which counts the time in which a thread waited for its turn on a processor, too' : '';
      const missing = elsewhere.map(elsewherePhrase).join(', ');
      return `${counted}${reason}.${missing === '' ? '' : ` Not recorded: ${missing}.`}`;
    },
  ),
  'known-cost': worded({
    event,
    share: z.number(),
    cost: z.enum(Object.keys(knownCosts) as [KnownCost, ...KnownCost[]]),
  }).says(({ event: name, share, cost }) => {
    const { does, cure, source } = knownCosts[cost];
    return `${(100 * share).toFixed(0)} % of “${name}” ${does}; ${cure} (${source}).`;
  }),
} as const;

export type ProfileNote = OneOf<typeof profileNoteKinds>;
export const profileNoteSchema = schemaOf(profileNoteKinds);

export function profileNoteText(note: ProfileNote): string {
  return saidIn(profileNoteKinds, note);
}

import * as z from 'zod';
import { type OneOf, always, recorded, storedOrSentence, worded } from './findingTable.ts';
import { wholeNumber } from './format.ts';

/** Names of which so many more are not said. */
export const someNamed = { names: z.array(z.string()), more: z.number() };

export function namedPhrase({ names, more }: { names: readonly string[]; more: number }): string {
  return `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** Flags without which a JVM knows only some of the lines of compiled code. */
const exactLines = '-XX:+UnlockDiagnosticVMOptions -XX:+DebugNonSafepoints';
const recorder = z.enum(['async-profiler', 'jfr']);
const count = z.number();

/** What a recorder says of a recording: what is not in it and why, and what was used instead. A code with its figures, and the words of each. */
export const recordingNoteKinds = {
  fallback: worded({ first: z.string(), message: z.string().describe('why it could not be used'), used: z.string() }).says(
    ({ first, message, used }) => `${first} could not be used (${message}) ${used} was used instead.`,
  ),
  'process-not-recorded': worded({ pid: z.number(), title: z.string(), message: z.string() }).says(
    ({ pid, title, message }) => `Process ${pid} (${title}) could not be recorded: ${message}`,
  ),

  // Node
  'inspector-listened': always(
    'While this was recorded, the inspector of the process listened on a port of 127.0.0.1, where every program and user of this machine could have reached it; it is closed again. A target that Benchside starts is recorded from within, without a port.',
  ),
  'no-pg-pool': always(
    'No pool of the package pg was found, so that waiting for the database was not recorded. Pools of other packages, and of bundles whose property names were changed, cannot be seen.',
  ),
  'no-sources': always('The sources of the process could not be asked for: places are those of the files that run, without source maps.'),
  'source-maps-broken': worded(someNamed).says(
    (named) => `The source map of ${namedPhrase(named)} could not be read: these frames show the code that runs.`,
  ),
  'no-waits': always('Nothing asked a pool of pg for a client, and no query was sent while it was recorded; there are no waits.'),
  waits: worded({ asks: count.describe('for a client of a pool'), waits: count.describe('of these'), queries: count }).says(
    ({ asks, waits, queries }) =>
      `${
        asks === 0
          ? 'No client was asked of a pool of pg: waits for pools of other packages are not recorded.'
          : `Pool waits count only while no client of the pool was idle: ${wholeNumber(waits)} of ${wholeNumber(asks)} requests to a pool waited.`
      } ${wholeNumber(queries)} queries were timed from their sending to their result, the time in which the event loop was busy included.`,
  ),
  'waits-opening': worded({ ms: z.number() }).says(
    ({ ms }) => `${wholeNumber(ms)} ms of the waits for the pool were spent in opening new connections.`,
  ),
  'stacks-drawn': worded({ stacks: count }).says(
    ({ stacks }) =>
      `Stacks were taken for ${wholeNumber(stacks)} of these at random, to keep the cost low; the sums are exact, the shares of stacks are estimates.`,
  ),
  'not-timed': worded({ streams: count }).says(
    ({ streams }) => `${wholeNumber(streams)} cursors, streams and prepared query objects were not timed.`,
  ),
  'stacks-cut': worded({ stacks: count }).says(
    ({ stacks }) => `${wholeNumber(stacks)} stacks were cut short, as there were too many different ones.`,
  ),

  // A JVM
  'left-recording-ended': always('A recording that an earlier Benchside had left running in this JVM was ended.'),
  'one-cpu-timer': always('The kernel refused one CPU timer per thread: CPU time was sampled by one timer for the whole process.'),
  'process-ended': worded({ recorder }).says(
    ({ recorder: by }) =>
      `The process ended during the recording. What was recorded until ${by === 'jfr' ? 'then' : 'shortly before'} is there.`,
  ),
  'events-not-recorded': worded({ recorder, events: z.array(z.string()) }).says(
    ({ recorder: by, events }) => `Not recorded${by === 'jfr' ? '' : ', as async-profiler does not know it'}: ${events.join(', ')}.`,
  ),
  'lines-inexact': worded({ recorder }).says(({ recorder: by }) =>
    by === 'jfr'
      ? `The JVM runs without ${exactLines}: lines of compiled code may be off.`
      : `The JVM runs without ${exactLines}: lines of compiled code, and what was inlined into what, may be off by some lines.`,
  ),
  'pool-calls': worded({ leastMs: z.number() }).says(
    ({ leastMs }) =>
      `Time in getConnection is exact for calls of at least ${leastMs} ms that began and returned during the recording. Left out are shorter ones (so it is at most ${leastMs} ms per call too small) and those that ended in an exception, such as a timeout of the pool.`,
  ),
  'lock-waits': worded({ leastMs: z.number() }).says(
    ({ leastMs }) => `Waits for locks of less than ${leastMs} ms are sampled, longer ones are all recorded.`,
  ),
  'flight-recorder': always(
    'Recorded with JDK Flight Recorder, not with async-profiler: there is no wall view and no exact time in getConnection.',
  ),
  'flight-recorder-waits': worded({ leastMs: z.number() }).says(
    ({ leastMs }) =>
      `Threads that wait are seen under lock, where they waited for at least ${leastMs} ms: for a lock, parked, and so for the connection pool too; idle threads of a thread pool stand there as well.`,
  ),
  'flight-recorder-cpu': always(
    'Its CPU view has Java code alone (no native code, garbage collector or compiler), of a few threads at each sample.',
  ),

  // Clinic
  'doctor-hint': worded({ samples: count }).says(
    ({ samples }) => `Doctor’s hint rests on ${samples} samples; it is a hint, not a finding.`,
  ),
  'clinic-flame-cost': always(
    'V8’s log nearly doubles the CPU time of a request: shares are comparable, times are not. Weights are samples, about 1 ms apart.',
  ),

  recorded,
} as const;

export type RecordingNote = OneOf<typeof recordingNoteKinds>;
export const recordingNoteSchema = storedOrSentence('recordingNote', recordingNoteKinds);

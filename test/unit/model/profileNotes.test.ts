import { describe, expect, it } from 'vitest';
import { type ProfileNote, profileNoteKinds, profileNoteSchema, profileNoteText } from '../../../src/model/domain/profileNoteKinds.ts';
import { recordingNoteKinds, recordingNoteSchema } from '../../../src/model/domain/recordingNoteKinds.ts';
import { type Words, expectTable } from '../../support/verdictWords.ts';

const ns = 1e9;

const words: Words<ProfileNote> = [
  [
    { code: 'fallback', first: 'async-profiler', message: 'The JVM refuses it.', used: 'JDK Flight Recorder' },
    'async-profiler could not be used (The JVM refuses it.) JDK Flight Recorder was used instead.',
  ],
  [
    { code: 'process-not-recorded', pid: 7, title: 'worker.js', message: 'It has ended.' },
    'Process 7 (worker.js) could not be recorded: It has ended.',
  ],
  [
    { code: 'inspector-listened' },
    'While this was recorded, the inspector of the process listened on a port of 127.0.0.1, where every program and user of this machine could have reached it; it is closed again. A target that Benchside starts is recorded from within, without a port.',
  ],
  [
    { code: 'no-pg-pool' },
    'No pool of the package pg was found, so that waiting for the database was not recorded. Pools of other packages, and of bundles whose property names were changed, cannot be seen.',
  ],
  [
    { code: 'no-sources' },
    'The sources of the process could not be asked for: places are those of the files that run, without source maps.',
  ],
  [
    { code: 'source-maps-broken', names: ['a.js', 'b.js', 'c.js'], more: 2 },
    'The source map of a.js, b.js, c.js and 2 more could not be read: these frames show the code that runs.',
  ],
  [{ code: 'no-waits' }, 'Nothing asked a pool of pg for a client, and no query was sent while it was recorded; there are no waits.'],
  [
    { code: 'waits', asks: 10, waits: 4, queries: 1200 },
    'Pool waits count only while no client of the pool was idle: 4 of 10 requests to a pool waited. 1,200 queries were timed from their sending to their result, the time in which the event loop was busy included.',
  ],
  [
    { code: 'waits', asks: 0, waits: 0, queries: 3 },
    'No client was asked of a pool of pg: waits for pools of other packages are not recorded. 3 queries were timed from their sending to their result, the time in which the event loop was busy included.',
  ],
  [{ code: 'waits-opening', ms: 12.4 }, '12 ms of the waits for the pool were spent in opening new connections.'],
  [
    { code: 'stacks-drawn', stacks: 500 },
    'Stacks were taken for 500 of these at random, to keep the cost low; the sums are exact, the shares of stacks are estimates.',
  ],
  [{ code: 'not-timed', streams: 3 }, '3 cursors, streams and prepared query objects were not timed.'],
  [{ code: 'stacks-cut', stacks: 1000 }, '1,000 stacks were cut short, as there were too many different ones.'],
  [{ code: 'left-recording-ended' }, 'A recording that an earlier Benchside had left running in this JVM was ended.'],
  [{ code: 'one-cpu-timer' }, 'The kernel refused one CPU timer per thread: CPU time was sampled by one timer for the whole process.'],
  [
    { code: 'process-ended', recorder: 'async-profiler' },
    'The process ended during the recording. What was recorded until shortly before is there.',
  ],
  [{ code: 'process-ended', recorder: 'jfr' }, 'The process ended during the recording. What was recorded until then is there.'],
  [
    { code: 'events-not-recorded', recorder: 'async-profiler', events: ['heap', 'database'] },
    'Not recorded, as async-profiler does not know it: heap, database.',
  ],
  [{ code: 'events-not-recorded', recorder: 'jfr', events: ['wall'] }, 'Not recorded: wall.'],
  [
    { code: 'lines-inexact', recorder: 'async-profiler' },
    'The JVM runs without -XX:+UnlockDiagnosticVMOptions -XX:+DebugNonSafepoints: lines of compiled code, and what was inlined into what, may be off by some lines.',
  ],
  [
    { code: 'lines-inexact', recorder: 'jfr' },
    'The JVM runs without -XX:+UnlockDiagnosticVMOptions -XX:+DebugNonSafepoints: lines of compiled code may be off.',
  ],
  [
    { code: 'pool-calls', leastMs: 0.1 },
    'Time in getConnection is exact for calls of at least 0.1 ms that began and returned during the recording. Left out are shorter ones (so it is at most 0.1 ms per call too small) and those that ended in an exception, such as a timeout of the pool.',
  ],
  [{ code: 'lock-waits', leastMs: 10 }, 'Waits for locks of less than 10 ms are sampled, longer ones are all recorded.'],
  [
    { code: 'flight-recorder' },
    'Recorded with JDK Flight Recorder, not with async-profiler: there is no wall view and no exact time in getConnection.',
  ],
  [
    { code: 'flight-recorder-waits', leastMs: 1 },
    'Threads that wait are seen under lock, where they waited for at least 1 ms: for a lock, parked, and so for the connection pool too; idle threads of a thread pool stand there as well.',
  ],
  [
    { code: 'flight-recorder-cpu' },
    'Its CPU view has Java code alone (no native code, garbage collector or compiler), of a few threads at each sample.',
  ],
  [{ code: 'doctor-hint', samples: 90 }, 'Doctor’s hint rests on 90 samples; it is a hint, not a finding.'],
  [
    { code: 'clinic-flame-cost' },
    'V8’s log nearly doubles the CPU time of a request: shares are comparable, times are not. Weights are samples, about 1 ms apart.',
  ],

  [
    { code: 'largest-of-folder', count: 2, name: 'isolate0x2-12-v8.json' },
    'The folder has 2 recordings of this form; this is the largest, isolate0x2-12-v8.json.',
  ],
  [
    { code: 'built-since', names: ['app.cjs'], more: 0 },
    'app.cjs was built after this was recorded: where the code has changed, files and lines are those of other code.',
  ],
  [
    { code: 'built-since', names: ['a.js', 'b.js', 'c.js'], more: 1 },
    'a.js, b.js, c.js and 1 more were built after this was recorded: where the code has changed, files and lines are those of other code.',
  ],
  [
    { code: 'lines-skipped', lines: 1, ofLines: 1200, first: 1100 },
    '1 of 1,200 lines is no stack with a count and was skipped; the first is line 1,100.',
  ],
  [
    { code: 'lines-skipped', lines: 2, ofLines: 9, first: 3 },
    '2 of 9 lines are no stacks with a count and were skipped; the first is line 3.',
  ],
  [{ code: 'callers-missing', samples: 1 }, 'Pieces are missing in the file: 1 sample lacks its first callers, or all of the stack.'],
  [{ code: 'callers-missing', samples: 20 }, 'Pieces are missing in the file: 20 samples lack their first callers, or all of the stack.'],
  [
    { code: 'profiles-overlap', leftOut: 1 },
    '1 profile of the same threads and the same time was left out: of each thread the one with most samples is shown.',
  ],
  [
    { code: 'profiles-overlap', leftOut: 3 },
    '3 profiles of the same threads and the same time were left out: of each thread the one with most samples is shown.',
  ],
  [
    { code: 'threads-stand', threads: 1, first: 'main', caller: 'Main.wait' },
    'The thread “main” waited in Main.wait from the begin to the end of the recording, so that nothing that was answered meanwhile waited for that: told as idle.',
  ],
  [
    { code: 'threads-stand', threads: 3, first: 'mailer-1', caller: 'Mailer.run' },
    '3 threads, such as “mailer-1”, waited in Mailer.run from the begin to the end of the recording, so that nothing that was answered meanwhile waited for that: told as idle.',
  ],
  [{ code: 'cut-short' }, 'The file ends in the middle: what stands before that was read, and what is missing is not known.'],
  [
    { code: 'too-much-cpu', event: 'cpu', cpuNs: 0.2 * ns, withinNs: 0.101 * ns, threads: 1 },
    '“cpu” comes to 0.200 s within 0.101 s, where at most 1 thread could compute at once: not all of it is CPU time. Threads that wait may be counted in it.',
  ],
  [
    { code: 'recorder-left-out', event: 'cpu', samples: 300, ofSamples: 1200 },
    '300 of 1,200 samples of “cpu” (25 %) were of the recorder itself and not of the app, and are left out.',
  ],
  [
    { code: 'recorder-left-out', event: 'cpu', samples: 1, ofSamples: 40 },
    '1 of 40 samples of “cpu” (2.5 %) was of the recorder itself and not of the app, and is left out.',
  ],
  [
    { code: 'frames-cut', event: 'cpu', share: 0.75, depth: 16_384, frame: '(deeper frames)' },
    '75 % of “cpu” lies deeper than 16,384 frames; it was cut there and stands as “(deeper frames)”.',
  ],
  [
    { code: 'frames-cut', event: 'cpu', share: 0.0001, depth: 16_384, frame: '(deeper frames)' },
    'less than 0.1 % of “cpu” lies deeper than 16,384 frames; it was cut there and stands as “(deeper frames)”.',
  ],
  [{ code: 'nearly-no-cpu', kernelNs: 0.02 * ns }, 'The kernel counted 0.02 s of CPU time while this was recorded: nearly none.'],
  [
    { code: 'cpu-covered', kernelNs: 37 * ns, recordedNs: 36 * ns, elsewhere: [] },
    'The kernel counted 37.00 s of CPU time while this was recorded; 36.00 s (97 %) are in the recording.',
  ],
  [
    { code: 'cpu-covered', kernelNs: 10 * ns, recordedNs: 12 * ns, elsewhere: [] },
    'The kernel counted 10.00 s of CPU time while this was recorded; 12.00 s (120 %) are in the recording, which counts the time in which a thread waited for its turn on a processor, too.',
  ],
  [
    {
      code: 'cpu-covered',
      kernelNs: 80 * ns,
      recordedNs: 35 * ns,
      elsewhere: [
        { in: { pid: 3, title: 'sh' }, ns: 24 * ns },
        { in: 'unseen', ns: 12 * ns },
        { in: 'ended', ns: 8 * ns },
        { in: 'recorder', ns: ns },
      ],
    },
    'The kernel counted 80.00 s of CPU time while this was recorded; 35.00 s (44 %) are in the recording. Not recorded: 24.00 s in process 3 (sh), 12.00 s in threads that the recorder does not see, such as those of the runtime, of native code and of those that ended, 8.00 s in processes that ended meanwhile, 1.00 s in the recorder itself.',
  ],
  [
    { code: 'known-cost', event: 'cpu', share: 0.38, cost: 'caller-data' },
    '38 % of “cpu” takes a stack trace for each line that Logback writes; leave %C, %F, %L, %M and %caller out of the pattern (https://logback.qos.ch/manual/layouts.html).',
  ],
  [{ code: 'recorded', sentence: 'It was quiet.' }, 'It was quiet.'],
];

describe('what must be known of a recording', () => {
  expectTable(words, Object.keys(profileNoteKinds), profileNoteText, (note) =>
    (note.code in recordingNoteKinds ? recordingNoteSchema : profileNoteSchema).parse(note),
  );

  it('is read as it was written where a recording of before holds a sentence', () => {
    expect(profileNoteText(recordingNoteSchema.parse('It was quiet.'))).toBe('It was quiet.');
  });
});

import { describe, expect, it } from 'vitest';
import { findingSchema } from '../../../src/model/domain/findingKinds.ts';
import { findingSeen } from '../../../src/model/domain/findings.ts';
import { type LiveRefusal, liveRefusalKinds, liveRefusalSchema, refusalText } from '../../../src/model/domain/liveRefusal.ts';
import { runNoteSchema } from '../../../src/model/domain/runNoteKinds.ts';
import { noteText } from '../../../src/model/presentation/runNotes.ts';

/** Each kind with its words. */
const words: readonly (readonly [LiveRefusal, string])[] = [
  [{ code: 'asked-otherwise', mode: 'process-per-setting' }, 'Asked for: process-per-setting.'],
  [{ code: 'nothing-varies' }, 'No setting varies.'],
  [{ code: 'around-it' }, 'A proxy or a share of the CPU belongs to the process.'],
  [{ code: 'several-instances' }, 'Several instances share the load.'],
  [{ code: 'instances-vary' }, 'The number of processes cannot change while they run.'],
  [
    { code: 'runs-already' },
    'A process that runs already shows its pool to a probe only when it is a JVM: any other has to be started with it.',
  ],
  [{ code: 'at-start-only', setting: 'heapMb' }, '“heapMb” takes effect at the start of the app only.'],
  [{ code: 'not-live' }, 'It takes effect at the start of the app only.'],
  [{ code: 'no-number', setting: 'heapMb' }, '“heapMb” is no number.'],
  [{ code: 'not-a-setting' }, 'The app has no setting of this name.'],
  [{ code: 'probes-off' }, 'Probes are switched off.'],
  [{ code: 'no-probe-for-it' }, 'There is a probe for Node and for the JVM only.'],
  [
    { code: 'probe-not-built', runtime: 'jvm' },
    'The probe for the JVM was not built: that needs a JDK and Maven when Benchside is set up.',
  ],
  [{ code: 'probe-not-built', runtime: 'node' }, 'The probe for Node was not built.'],
  [{ code: 'probe-absent' }, 'The probe did not come up in the app.'],
  [{ code: 'probe-silent' }, 'The probe does not answer.'],
  [{ code: 'probe-alone-sets' }, 'Only the probe in the app can set it, and none answers.'],
  [{ code: 'none-seen', of: 'pool' }, 'The probe sees no connection pool in the app.'],
  [{ code: 'none-seen', of: 'threads' }, 'The probe sees no request threads that can be resized in the app.'],
  [
    { code: 'none-of-size', of: 'pool', seen: 2, value: '10' },
    'The probe sees 2 pools, and none of them has the size 10 that the app was started with.',
  ],
  [
    { code: 'none-of-size', of: 'threads', seen: 3, value: 'undefined' },
    'The probe sees 3 thread pools, and none of them has the size undefined that the app was started with.',
  ],
  [{ code: 'size-fixed', name: 'HikariPool-1' }, 'HikariPool-1 cannot be resized while it runs.'],
  [{ code: 'process-gone', pid: 4711 }, 'Process 4711 of the app is gone.'],
  [{ code: 'pool-gone', of: 'pool' }, 'The pool is gone: the app has made another one.'],
  [{ code: 'pool-gone', of: 'threads' }, 'The thread pool is gone.'],
  [{ code: 'size-not-taken', size: 8 }, 'The app did not take the new size of 8.'],
  [{ code: 'size-reset', of: 'pool', max: 10, size: 4 }, 'The app has set its pool to 10 instead of 4.'],
  [{ code: 'size-reset', of: 'pool', max: null, size: 4 }, 'The app has set its pool to no limit instead of 4.'],
  [{ code: 'size-reset', of: 'threads', max: 200, size: 50 }, 'The app’s threads are 200 instead of 50.'],
  [{ code: 'size-reset', of: 'threads', max: null, size: 50 }, 'The app’s threads are unlimited instead of 50.'],
  [{ code: 'more-open', open: 9, size: 4 }, '9 connections are open in a pool of 4.'],
  [{ code: 'lends-all' }, 'The pool cannot be told how many of its connections to lend.'],
  [{ code: 'limit-not-taken', limit: 3 }, 'The pool did not take the limit of 3.'],
  [{ code: 'limit-stays' }, 'The limit on lending could not be lifted.'],
  [{ code: 'too-few-to-lend', max: 4 }, 'The pool has no more than 4 connections to lend.'],
  [{ code: 'limit-reset', limit: 5, wanted: 3 }, 'The pool lends 5 instead of 3.'],
  [{ code: 'limit-reset', limit: null, wanted: 3 }, 'The pool lends all it has instead of 3.'],
  [{ code: 'size-below-limit', max: 2, limit: 3 }, 'The app has set its pool to 2 instead of at least 3.'],
  [{ code: 'more-lent', busy: 5, limit: 3 }, '5 connections are in use where 3 may be lent.'],
  [{ code: 'no-bouncer' }, 'There is no PgBouncer before its database.'],
  [
    { code: 'bouncer-by-session' },
    'In session mode each connection of the app keeps its server connection until it is closed, so that the pool cannot shrink under it.',
  ],
  [{ code: 'bouncer-refused', size: 3, said: 'timed out' }, 'PgBouncer did not take the new size of 3: timed out.'],
  [{ code: 'bouncer-ended' }, 'PgBouncer has ended.'],
  [{ code: 'bouncer-silent' }, 'PgBouncer does not answer.'],
  [{ code: 'bouncer-over', servers: 5, size: 3 }, 'PgBouncer has 5 connections to PostgreSQL in a pool of 3.'],
  [{ code: 'refused', message: 'Jetty needs 6 threads for itself.' }, 'Jetty needs 6 threads for itself.'],
  [{ code: 'recorded', sentence: 'As it was.' }, 'As it was.'],
];

describe('why a setting is not what was asked for', () => {
  it.each(words)('%j has its words', (refusal, text) => {
    expect(refusalText(liveRefusalSchema.parse(refusal))).toBe(text);
  });

  it('has words in every kind that there is', () => {
    expect(new Set(words.map(([{ code }]) => code))).toEqual(new Set(Object.keys(liveRefusalKinds)));
  });

  it('keeps the sentence of a record that was written before there were codes', () => {
    const message = 'The app has set its pool to 10 instead of 4.';
    expect(findingSeen(findingSchema.parse({ code: 'setting-not-in-force', message }))).toBe(message);
    expect(findingSeen(findingSchema.parse({ code: 'setting-refused', setting: 'pool', value: 4, why: message, round: null }))).toBe(
      `pool 4: ${message}`,
    );
    expect(noteText(runNoteSchema.parse({ code: 'setting-deviates', setting: 'pool', message }))).toBe(message);
  });
});

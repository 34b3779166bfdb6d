import * as z from 'zod';
import { type OneOf, always, recorded, saidIn, storedOrSentence, worded } from './findingTable.ts';

const size = z.number();
const limit = z.number().nullable().describe('null: none');
const sees = { of: z.enum(['pool', 'threads']) };

/** Why a setting cannot be changed while the app runs, was not taken by the app, or is not in force. */
export const liveRefusalKinds = {
  'asked-otherwise': worded({ mode: z.string() }).says(({ mode }) => `Asked for: ${mode}.`),
  'nothing-varies': always('No setting varies.'),
  'around-it': always('A proxy or a share of the CPU belongs to the process.'),
  'several-instances': always('Several instances share the load.'),
  'instances-vary': always('The number of processes cannot change while they run.'),
  'runs-already': always(
    'A process that runs already shows its pool to a probe only when it is a JVM: any other has to be started with it.',
  ),
  'at-start-only': worded({ setting: z.string() }).says(({ setting }) => `“${setting}” takes effect at the start of the app only.`),
  'not-live': always('It takes effect at the start of the app only.'),
  'no-number': worded({ setting: z.string() }).says(({ setting }) => `“${setting}” is no number.`),
  'not-a-setting': always('The app has no setting of this name.'),

  // The probe
  'probes-off': always('Probes are switched off.'),
  'no-probe-for-it': always('There is a probe for Node and for the JVM only.'),
  'probe-not-built': worded({ runtime: z.enum(['node', 'jvm']) }).says(({ runtime }) =>
    runtime === 'jvm'
      ? 'The probe for the JVM was not built: that needs a JDK and Maven when Benchside is set up.'
      : 'The probe for Node was not built.',
  ),
  'probe-absent': always('The probe did not come up in the app.'),
  'probe-silent': always('The probe does not answer.'),
  'probe-alone-sets': always('Only the probe in the app can set it, and none answers.'),

  // What the probe sees of the app
  'none-seen': worded(sees).says(
    ({ of }) => `The probe sees no ${of === 'pool' ? 'connection pool' : 'request threads that can be resized'} in the app.`,
  ),
  'none-of-size': worded({ ...sees, seen: z.number(), value: z.string().describe('with which the app was started') }).says(
    ({ of, seen, value }) =>
      `The probe sees ${seen} ${of === 'pool' ? 'pools' : 'thread pools'}, and none of them has the size ${value} that the app was started with.`,
  ),
  'size-fixed': worded({ name: z.string() }).says(({ name }) => `${name} cannot be resized while it runs.`),
  'process-gone': worded({ pid: z.number() }).says(({ pid }) => `Process ${pid} of the app is gone.`),
  'pool-gone': worded(sees).says(({ of }) =>
    of === 'pool' ? 'The pool is gone: the app has made another one.' : 'The thread pool is gone.',
  ),
  'size-not-taken': worded({ size }).says((seen) => `The app did not take the new size of ${seen.size}.`),
  'size-reset': worded({ ...sees, max: limit, size }).says((seen) =>
    seen.of === 'pool'
      ? `The app has set its pool to ${seen.max ?? 'no limit'} instead of ${seen.size}.`
      : `The app’s threads are ${seen.max ?? 'unlimited'} instead of ${seen.size}.`,
  ),
  'more-open': worded({ open: z.number(), size }).says((seen) => `${seen.open} connections are open in a pool of ${seen.size}.`),

  // How many of its connections a pool lends
  'lends-all': always('The pool cannot be told how many of its connections to lend.'),
  'limit-not-taken': worded({ limit: z.number() }).says((seen) => `The pool did not take the limit of ${seen.limit}.`),
  'limit-stays': always('The limit on lending could not be lifted.'),
  'too-few-to-lend': worded({ max: z.number() }).says(({ max }) => `The pool has no more than ${max} connections to lend.`),
  'limit-reset': worded({ limit, wanted: z.number() }).says(
    (seen) => `The pool lends ${seen.limit ?? 'all it has'} instead of ${seen.wanted}.`,
  ),
  'size-below-limit': worded({ max: z.number(), limit: z.number() }).says(
    (seen) => `The app has set its pool to ${seen.max} instead of at least ${seen.limit}.`,
  ),
  'more-lent': worded({ busy: z.number(), limit: z.number() }).says(
    (seen) => `${seen.busy} connections are in use where ${seen.limit} may be lent.`,
  ),

  // The PgBouncer before its database
  'no-bouncer': always('There is no PgBouncer before its database.'),
  'bouncer-by-session': always(
    'In session mode each connection of the app keeps its server connection until it is closed, so that the pool cannot shrink under it.',
  ),
  'bouncer-refused': worded({ size, said: z.string() }).says(
    (seen) => `PgBouncer did not take the new size of ${seen.size}: ${seen.said}.`,
  ),
  'bouncer-ended': always('PgBouncer has ended.'),
  'bouncer-silent': always('PgBouncer does not answer.'),
  'bouncer-over': worded({ servers: z.number(), size }).says(
    (seen) => `PgBouncer has ${seen.servers} connections to PostgreSQL in a pool of ${seen.size}.`,
  ),

  /** What a probe, or a failure on the way to it, says of itself. */
  refused: worded({ message: z.string() }).says(({ message }) => message),
  recorded,
} as const;

export type LiveRefusal = OneOf<typeof liveRefusalKinds>;
export const liveRefusalSchema = storedOrSentence('liveRefusal', liveRefusalKinds);

export function refusalText(refusal: LiveRefusal): string {
  return saidIn(liveRefusalKinds, refusal);
}

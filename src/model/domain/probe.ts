import * as z from 'zod';

/**
 * What a probe inside an app says of it. Counters and histograms are *cumulative* since the probe was loaded: whoever wants a window takes
 * the difference of two reports, so that reading at a window's edges costs nothing and loses nothing.
 */
export const probeProtocolVersion = 1;

const text = z.string().max(500);
const count = z.number().nonnegative();

/**
 * Durations in µs. Bucket of v: v < 8 → v; else with e = floor(log₂ v): (e − 2)·8 + ((v >> (e − 3)) & 7), eight buckets to an octave, so
 * that a percentile is at most 12.5 % too low. Sums are exact. Sparse: pairs of bucket and count, ascending.
 */
export const durationHistogramSchema = z.object({
  count,
  sumUs: count,
  maxUs: count,
  buckets: z.array(z.tuple([z.number().int().min(0).max(400), count])).max(401),
});
export type DurationHistogram = z.infer<typeof durationHistogramSchema>;
export const emptyDurations: DurationHistogram = { count: 0, sumUs: 0, maxUs: 0, buckets: [] };

/** A pool of connections (or of other clients). */
export const poolReportSchema = z.object({
  id: text,
  kind: text.describe('the library, as the probe calls it; `other`: the probe does not know what the pool holds'),
  name: text,
  max: count.nullable(),
  min: count.nullable(),
  total: count.describe('connections that are open'),
  idle: count,
  busy: count,
  pending: count.describe('callers that wait for a connection'),
  acquire: durationHistogramSchema.describe('time that callers waited for a connection, those that got one at once included'),
  hold: durationHistogramSchema.describe('time from getting a connection to giving it back'),
  timeouts: count.describe('callers that gave up'),
  outlived: z
    .object({
      held: count.describe('lent now, and to none of the requests under way: those that took them are over since half a second or more'),
      cameBack: count.describe('such that were given back after all, ever'),
      unsure: count
        .optional()
        .describe(
          'lent beside them, of which nobody knows whether the request that took them is over: as many at the most; absent of none',
        ),
      places: z
        .array(z.object({ at: text, count }))
        .max(5)
        .optional()
        .describe('where those that are lent were taken, as far as that was looked at: function and file:line, the most first'),
    })
    .optional()
    .describe('connections that were held longer than the request that took them; absent where that is not known'),
  resizable: z.boolean(),
  lendable: z.boolean().default(false).describe('whether it can be told how many of its connections it lends at once'),
  lendLimit: count.nullable().default(null).describe('as many as it lends at once, while fewer than it has; null: all of them'),
  note: text.nullable().describe('why it cannot be resized, or what cannot be seen of it'),
  madeAt: text.optional().describe('where the app made it: function and file:line; absent where that is not known'),
});
export type PoolReport = z.infer<typeof poolReportSchema>;
export type OutlivedConnections = NonNullable<PoolReport['outlived']>;

export const threadPoolReportSchema = z.object({
  id: text,
  kind: z.enum(['jetty', 'tomcat', 'undertow', 'netty', 'carriers', 'executor', 'virtual', 'other']),
  name: text,
  max: count.nullable(),
  min: count.nullable(),
  effectiveMax: count.nullable().describe('how many can work at present: less than max while surplus threads are held back'),
  threads: count,
  busy: count,
  busiest: count.optional().describe('of event loops: the share of the time for which the one that works most does'),
  queue: count,
  resizable: z.boolean(),
  note: text.nullable(),
});
export type ThreadPoolReport = z.infer<typeof threadPoolReportSchema>;

/**
 * What served nobody for a while: the event loop of a Node process, the whole process for its garbage collector, the whole of a JVM for something else (a safepoint,
 * the machine), libuv’s pool of threads, or a look-up of a name.
 */
export const pauseKindSchema = z.enum(['loop', 'collector', 'standstill', 'worker-pool', 'name-look-up']);
export type PauseKind = z.infer<typeof pauseKindSchema>;

export const pauseSchema = z.object({
  kind: pauseKindSchema,
  atUs: count.describe('when it began, by the machine’s monotonic clock'),
  us: count,
  cpuUs: count.optional().describe('CPU time of the process meanwhile; absent where it is not known'),
});
export type Pause = z.infer<typeof pauseSchema>;

const introspectedRoute = z.object({
  method: text,
  path: text.describe('as it was written; * before it: below a mount point that is not known'),
  handler: text.nullable(),
  own: z.boolean().optional().describe('whether the app’s own code answers it, rather than a library’s; absent where that is not known'),
});

/** What an app reports that was started to be introspected, and is not measured. */
export const introspectionReportSchema = z.object({
  listens: z.array(z.object({ port: count, host: text })).max(100),
  routes: z.array(introspectedRoute).max(1_000),
  guessed: z.array(introspectedRoute).max(1_000).optional().describe('what only looks like a route, and is worth a question'),
  lookedUp: z.array(text).max(500).optional().describe('paths that lie beside those places where it has looked for `noSuchPath`'),
  words: z.array(text).max(500).optional().describe('under which it keeps functions, or which its own classes name: each can be a path'),
  properties: z.array(text).max(500).optional().describe('system properties of Java that classes of the app’s own name'),
  variables: z
    .array(
      z.object({
        name: text,
        place: text.nullable().describe('file:line of the app’s own that reads it'),
        property: text.nullish().describe('what a framework looks for in the environment under this name, among other places'),
        holds: z.enum(['url', 'jdbcUrl', 'r2dbcUrl']).nullish().describe('the form of PostgreSQL’s address that it has'),
      }),
    )
    .max(1_000),
  databases: z
    .array(z.object({ host: text, port: count, database: text, led: z.boolean().describe('whether the probe led it elsewhere') }))
    .max(20)
    .optional()
    .describe('those that the app names for its clients of pg and postgres.js, or for JDBC'),
});
export type IntrospectionReport = z.infer<typeof introspectionReportSchema>;

export const probeReportSchema = z.object({
  timeUs: count.describe('monotonic clock of the process'),
  pools: z.array(poolReportSchema).max(200),
  threadPools: z.array(threadPoolReportSchema).max(200),
  eventLoop: z.object({ activeUs: count, idleUs: count, delay: durationHistogramSchema }).nullable(),
  gc: z
    .object({
      count,
      pauseUs: count,
      maxPauseUs: count,
      full: count.nullable().default(null).describe('collections of the whole heap'),
      pauses: durationHistogramSchema.nullable().default(null).describe('single pauses; of a JVM to the ms, rounded down'),
    })
    .nullable(),
  heap: z
    .object({
      usedBytes: count,
      maxBytes: count.nullable(),
      afterGcBytes: count
        .nullable()
        .default(null)
        .describe('in use when the last collection was over; of Node: the last of the whole heap'),
      allocatedBytes: count.nullable().default(null).describe('ever allocated in it; null where the runtime does not tell'),
    })
    .nullable(),
  http: z.object({ requests: durationHistogramSchema, inFlight: count }).nullable().describe('requests that its HTTP servers answered'),
  threads: count.nullable(),
  pauses: z.array(pauseSchema).max(100).optional().describe('the last that took 10 ms or more; absent of an older probe'),
  workerPool: z
    .object({
      size: count,
      wait: durationHistogramSchema.describe('of the least of all tasks, ten times a second, for one of its threads'),
      busyWith: z.record(text, count).nullable().describe('what was under way when such a task waited for long, by kind'),
    })
    .optional()
    .describe('libuv’s pool of threads in a Node process'),
  warming: z
    .object({
      compileUs: count.nullable().describe('CPU time of the compiler’s threads, as the JVM counts it'),
      loadedClasses: count,
    })
    .optional()
    .describe('of a JVM: what is less and less the longer it runs'),
  startedThreads: count.optional().describe('threads that a JVM started, ever, without virtual ones'),
  resources: z
    .record(text, count)
    .nullable()
    .default(null)
    .describe('what keeps the event loop of a Node process busy or alive, by kind; in answers to `get` only'),
  tlsOpened: count.optional().describe('TLS connections that a Node process began as a client, ever'),
  peers: z
    .array(z.object({ host: text, port: count, opened: count.optional().describe('connections to it that were begun, ever') }))
    .max(100)
    .optional()
    .describe('whom the process has called, by the names it gives them; in answers to `get` of Node only'),
  look: introspectionReportSchema.optional().describe('in answers to `get`, of an app that was started to be looked at'),
  notes: z.array(text).max(50).describe('what the probe could not see or do, as sentences'),
});
export type ProbeReport = z.infer<typeof probeReportSchema>;

/**
 * From a probe to the engine, one JSON document a line, the first one being `hello`. A connection whose first line is `inspector` carries a
 * session of V8's inspector from then on.
 */
export const fromProbeSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('hello'),
    protocol: z.number().int(),
    token: z.string().max(200),
    runtime: z.enum(['node', 'jvm']),
    pid: z.number().int().positive(),
    version: text.describe('of the runtime, e.g. v20.20.2 or 17.0.9'),
    main: text.describe('script or main class'),
  }),
  z.object({
    type: z.literal('report'),
    answer: z.number().int().nullable().describe('id of the `get` it answers; null: the one of every second'),
    report: probeReportSchema,
  }),
  z.object({
    type: z.literal('applied'),
    answer: z.number().int(),
    ok: z.boolean(),
    max: count.nullable().describe('what the pool says of itself afterwards'),
    effective: count.nullable().describe('connections open, or threads that can work'),
    tookMs: count,
    message: text.nullable(),
  }),
  z.object({
    type: z.literal('inspecting'),
    answer: z.number().int(),
    problem: text.nullable().describe('why there is no session; null: the engine has it'),
  }),
  z.object({ type: z.literal('inspector'), token: z.string().max(200).describe('the one of the `inspect` that this connection answers') }),
]);
export type FromProbe = z.infer<typeof fromProbeSchema>;

/**
 * From the engine to a probe, one JSON document a line. `get` and `collect` are answered by a report, `set` when the new size is reached, or after `timeoutMs`,
 * `lend` at once. An older probe does not answer `lend`, and says of no pool that it is `lendable`.
 */
export const toProbeSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('get'), id: z.number().int() }),
  z.object({ type: z.literal('collect').describe('collects the whole heap, and answers as `get` does'), id: z.number().int() }),
  z.object({
    type: z.literal('set'),
    id: z.number().int(),
    what: z.enum(['pool', 'threads']),
    poolId: z.string(),
    max: z.number().int().positive(),
    timeoutMs: z.number().int().positive(),
  }),
  z.object({
    type: z
      .literal('lend')
      .describe(
        'has a pool lend so many of its connections at once and no more, from the next caller on; none is opened or closed for that',
      ),
    id: z.number().int(),
    poolId: z.string(),
    limit: z.number().int().positive().nullable().describe('null: all it has, as before'),
  }),
  z.object({
    type: z.literal('inspect').describe('opens an inspector session within the process (Node only), over a connection of its own'),
    id: z.number().int(),
    token: z.string().max(200),
  }),
]);
export type ToProbe = z.infer<typeof toProbeSchema>;
/** What of an app a probe can change while it runs. */
export type LiveKnob = Extract<ToProbe, { type: 'set' }>['what'];

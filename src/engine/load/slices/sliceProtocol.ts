import * as z from 'zod';

const portSchema = z.number().int().min(1).max(65535);

/** Where the load of one or several sides goes, on connections that stay open while other entrances are asked. */
export function entranceSchema<Mix extends z.ZodType>(mix: Mix) {
  return z.object({
    host: z.string(),
    port: portSchema,
    morePorts: z.array(portSchema).max(255).default([]).describe('share the connections evenly with `port`'),
    socketPath: z.string().optional().describe('see the same field of a block'),
    connections: z.number().int().min(1).max(10_000),
    tls: z.boolean().default(false),
    keepAlive: z.boolean().default(true),
    mix: z.array(mix).min(1),
  });
}

/** What is compared with the other sides: who answers, and whose CPU time is that of its requests. */
export const sideSchema = z.object({
  entrance: z.number().int().nonnegative().describe('index; sides that differ in a live setting share one'),
  appPids: z.array(z.number().int().positive()).max(500).describe('with all that descends from them'),
  sliceMs: z.number().positive().describe('requests are sent for so long'),
  edgeMs: z
    .number()
    .min(0)
    .nullable()
    .describe(
      'at the beginning of a slice, not counted: all requests come at once there; null: the whole slice counts, until its last answer',
    ),
  otherPids: z.array(z.number().int().positive()).max(500).describe('proxy and PgBouncer, with all that descends from them'),
  toolPids: z.array(z.number().int().positive()).max(500).default([]).describe('of the measurement itself, such as the proxy that delays'),
});

/** Mirrored slices of several sides. Times in ms. */
export const sliceCommandFields = {
  type: z.literal('slices'),
  id: z.number().int(),
  sides: z.array(sideSchema).min(1).max(200),
  order: z.array(z.number().int().nonnegative()).min(1).max(20_000).describe('the side of each slice'),
  turned: z.boolean().describe('the engine turns the app to each side and says when it has'),
  databasePid: z.number().int().positive().nullable().describe('whose children serve: only one side is asked at a time'),
  timeoutMs: z.number().min(10),
  tickMs: z.number().min(50).default(500),
  seed: z.number().int().nonnegative(),
};

/** One measured slice. CPU times in µs are those of the whole slice, in which `answered` requests were served; null where they are not known. */
export const sliceSchema = z.object({
  side: z.number().int().nonnegative(),
  atMs: z.number().describe('when it began, by the machine’s monotonic clock'),
  windowMs: z.number().describe('counted: after the edge, until no more was sent'),
  requests: z.number().describe('answers of 2xx and 3xx by the share of their time that lies in the window'),
  wholeMs: z.number().describe('from the first request to the last answer'),
  answered: z.number().describe('answers of 2xx and 3xx in the whole slice'),
  appUs: z.number().nullable(),
  compilerUs: z.number().nullable().describe('of it, the compilers of a JVM'),
  busiestUs: z.number().nullable().describe('of it, the thread that used most, but for compilers'),
  busiestWaitedUs: z.number().nullable().describe('how long that thread was ready to run and waited for a core'),
  databaseUs: z.number().nullable(),
  otherUs: z.number().nullable().describe('proxy and PgBouncer'),
  generatorUs: z.number().describe('with what else is of the measurement itself'),
  appWaitedUs: z.number().nullable().describe('how long threads of the app were ready to run and waited for a core'),
  compilerWaitedUs: z.number().nullable().describe('of it, the compilers of a JVM'),
  servicesWaitedUs: z.number().nullable().describe('the same of PostgreSQL, proxy and PgBouncer'),
});
export type Slice = z.infer<typeof sliceSchema>;

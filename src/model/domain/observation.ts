import * as z from 'zod';

/** Use of the machine by one process tree over one second. `null` where the platform does not report it. */
export const processUseSchema = z.object({
  cpuPercent: z.number().nullable().describe('100 is one core fully used'),
  cpuUs: z.number().nullable().describe('CPU time used within the sample, µs'),
  rssBytes: z.number().nullable().describe('memory, shared pages counted once'),
  threads: z.number().nullable(),
  processes: z.number().nullable(),
  voluntarySwitches: z.number().nullable().describe('context switches within the sample'),
  involuntarySwitches: z.number().nullable(),
  waitedForCpuUs: z
    .number()
    .nullable()
    .default(null)
    .describe('time in which threads were ready to run and waited for a CPU, of all threads together, µs'),
  firstThreadUs: z.number().nullable().default(null).describe('CPU time of the first thread of each process, µs: of Node, its event loop'),
  descriptors: z.number().nullable().default(null).describe('open file descriptors of the process that has most'),
  descriptorLimit: z.number().nullable().default(null).describe('its soft limit'),
});
export type ProcessUse = z.infer<typeof processUseSchema>;

/** PostgreSQL sessions other than our own, counted by state and by what they wait for. */
export const postgresSessionsSchema = z.object({
  total: z.number(),
  byState: z.record(z.string(), z.number()).describe('active, idle, idle in transaction …'),
  byWait: z.record(z.string(), z.number()).describe('of the active ones: CPU, or wait_event_type:wait_event'),
  byStatement: z
    .record(z.string(), z.record(z.string(), z.number()))
    .optional()
    .describe(
      'the same of each statement, by the numbers of its database and its text; absent where no session is at work, or before PostgreSQL 14',
    ),
  begunPerS: z
    .number()
    .optional()
    .describe('sessions that began, since the look before; absent before PostgreSQL 14, and of the first look'),
  rolledBackPerS: z.number().optional().describe('transactions that were rolled back, since the look before; absent of the first look'),
  rowsChangedPerS: z
    .number()
    .optional()
    .describe('rows that were inserted, updated or deleted, by whomever, since the look before; absent of the first look'),
});
export type PostgresSessions = z.infer<typeof postgresSessionsSchema>;

export const hostUseSchema = z.object({
  cpuPercent: z.number().describe('of all cores: 100 is the whole machine'),
  stealPercent: z.number().describe('time the hypervisor gave to others, of all cores'),
  otherPercent: z.number().describe('CPU used by processes that are not ours, of all cores'),
  pressureSomePercent: z.number().nullable().describe('share of the sample in which some task waited for a CPU (PSI)'),
  throttledPeriods: z.number().nullable().describe('cgroup periods throttled within the sample'),
  freeMemoryBytes: z.number(),
  userPercent: z.number().nullable().default(null).describe('as vmstat’s us, of all cores'),
  systemPercent: z.number().nullable().default(null).describe('as vmstat’s sy'),
  idlePercent: z.number().nullable().default(null).describe('as vmstat’s id'),
  contextSwitchesPerS: z.number().nullable().default(null).describe('as vmstat’s cs'),
  delayedAcksPerS: z.number().optional().describe('acknowledgements of TCP that went out only when their timer of 40 ms or more ran out'),
});
export type HostUse = z.infer<typeof hostUseSchema>;

/** One sample a second, on the run's time axis. `app` is the process under load at that time. */
export const observationSchema = z.object({
  timeMs: z.number().describe('since the start of the run, monotonic'),
  windowMs: z.number().describe('how long the sample covers'),
  trialKey: z.string().nullable().describe('which trial was under load, if any'),
  app: processUseSchema.nullable(),
  postgres: processUseSchema.nullable(),
  generator: processUseSchema.nullable(),
  host: hostUseSchema.nullable(),
  sessions: postgresSessionsSchema.nullable(),
  instances: z
    .array(processUseSchema.extend({ pid: z.number() }))
    .default([])
    .describe('each process tree under load by itself, where there are several'),
});
export type Observation = z.infer<typeof observationSchema>;

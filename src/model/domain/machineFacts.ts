import * as z from 'zod';
import { interferenceSchema } from './interference.ts';

const version = z.string().nullable().describe('null when the program is not there');

/** How a release of PostgreSQL compares with the newest one of its major version that this version of Benchside knows. */
const releaseSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('newest') }),
  z.object({ kind: z.literal('behind'), newest: z.string(), releases: z.number() }),
  z.object({ kind: z.literal('unsupported') }),
]);
export type PostgresRelease = z.infer<typeof releaseSchema>;

const toolsSchema = z.object({
  node: z.string(),
  java: version,
  maven: version,
  postgres: z
    .object({
      version: z.string().describe('external: a server of the user’s'),
      bundled: z.boolean().describe('it comes with Benchside'),
      release: releaseSchema.nullable().describe('null where nothing is known of it'),
      knownOn: z.string().describe('of the newest releases that are known here: 2026-11-12'),
    })
    .nullable(),
  git: version.describe('what two versions of the code are read with'),
  k6: z
    .object({ version, cure: z.string() })
    .describe('what could put the load on instead of Benchside’s own generator, and how to get it'),
  pgbouncer: z.object({ version, cure: z.string() }).describe('what can be in front of PostgreSQL, likewise'),
});
export type MachineTools = z.infer<typeof toolsSchema>;

/** What a machine is and has at a moment, as far as it matters to a measurement. Null is what the platform does not report. */
export const machineFactsSchema = z.object({
  platform: z.string(),
  machineCores: z.number().describe('all that the machine has'),
  cores: z.number().describe('those that we may use: fewer under a container’s CPU limit, and then it may be a fraction'),
  freeMemoryBytes: z.number(),
  totalMemoryBytes: z.number(),
  freeDiskBytes: z.number().nullable(),
  load1: z.number().describe('mean number of runnable tasks over the last minute; 0 on Windows, which has none'),
  interference: interferenceSchema.nullable().describe('CPU that others used while it was watched'),
  throttledPeriods: z.number().nullable().describe('periods of the container’s CPU limit, while it was watched, in which it stopped us'),
  pressurePercent: z.number().nullable().describe('share of the last 10 s in which some task waited for a CPU'),
  governor: z.string().nullable().describe('null where we cannot steer the clock speed (virtual machines, other platforms)'),
  openFiles: z.number().nullable(),
  ephemeralPorts: z.number().nullable(),
  hasSetpriv: z.boolean(),
  tools: toolsSchema,
});
export type MachineFacts = z.infer<typeof machineFactsSchema>;

/** The smallest difference that a machine can distinguish, from ten seconds of steady work on all its cores. */
export const machineResolutionSchema = z.object({
  differencePercent: z.number().describe('larger differences show in a minute of mirrored slices, with 95 % confidence'),
  pairSdPercent: z.number().describe('by how much two neighbouring slices differ though nothing was changed: standard deviation'),
  pairs: z.number().int().describe('of slices in that minute'),
  measuredS: z.number(),
  interference: interferenceSchema.nullable().describe('CPU taken meanwhile; null where the platform does not tell'),
});
export type MachineResolution = z.infer<typeof machineResolutionSchema>;

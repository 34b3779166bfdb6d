import * as z from 'zod';
import { bouncerSchema } from './bouncer.ts';

/** The largest number of processes of one target. */
export const mostInstances = 16;

/** A reverse proxy (nginx) in front of the instances of a target. */
export const proxySchema = z.strictObject({
  balance: z.enum(['round-robin', 'least-conn']).default('round-robin'),
  maxFails: z
    .number()
    .int()
    .min(0)
    .max(100)
    .default(3)
    .describe('failures within failTimeoutS after which an instance is left out; 0: never'),
  failTimeoutS: z.number().min(1).max(600).default(30),
  upstreamKeepAlive: z.boolean().default(true).describe('connections from the proxy to the instances are kept open'),
  clientKeepAlive: z.boolean().default(true).describe('connections from clients to the proxy are kept open'),
  tls: z.boolean().default(false).describe('the proxy speaks TLS to its clients, with a certificate of its own made for the run'),
  staticFiles: z.boolean().default(false).describe('the proxy answers /static/ itself, from the folder of the target'),
  workers: z.number().int().min(1).max(16).default(1),
  cpuShare: z.number().min(0.05).max(64).nullable().default(null).describe('cores that the proxy may use; null: no limit'),
});
export type Proxy = z.infer<typeof proxySchema>;

/** An instance that is ended (SIGKILL) or added while load runs; times count from the start of the measured window. */
export const outageSchema = z.strictObject({
  atS: z.number().min(0).max(3600),
  action: z.enum(['kill', 'add']),
});
export type Outage = z.infer<typeof outageSchema>;

/** The number of processes of a target, the proxy and pooler around them, and what each may use. */
export const topologySchema = z.strictObject({
  instances: z.number().int().min(1).max(mostInstances).default(1),
  proxy: proxySchema.nullable().default(null),
  totalConnections: z
    .number()
    .int()
    .min(1)
    .optional()
    .describe('database connections of all instances together: each has a pool of its share'),
  cpuShare: z.number().min(0.05).max(64).nullable().default(null).describe('cores that each instance may use; null: no limit'),
  bouncer: bouncerSchema.optional().describe('a PgBouncer between the instances and PostgreSQL'),
  schedule: z.array(outageSchema).max(50).default([]),
});
export type Topology = z.infer<typeof topologySchema>;

/** The proxy and pooler around the instances of every target of a run. The number of instances is the setting `instances`, which may have several values. */
export const runTopologySchema = topologySchema.pick({ proxy: true, totalConnections: true, cpuShare: true, bouncer: true });
export type RunTopology = z.infer<typeof runTopologySchema>;

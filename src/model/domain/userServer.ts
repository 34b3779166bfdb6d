import * as z from 'zod';

/** What Benchside may do on a PostgreSQL server of the user's. */
export const serverModes = ['own', 'named', 'read-only'] as const;
export const serverModeSchema = z
  .enum(serverModes)
  .describe(
    'own: databases of Benchside’s own are made there; named: SQL files are applied in the database that the URL names, once that was agreed to; read-only: nothing is applied',
  );
export type ServerMode = z.infer<typeof serverModeSchema>;

/** A database that Benchside has made on a server of the user's. */
export const managedDatabaseSchema = z.object({
  name: z.string(),
  folder: z.string().describe('of the benchside.json whose target it was made for'),
  machine: z.string().describe('from which it was made'),
  madeAt: z.string(),
  bytes: z.number(),
  sessions: z.number().describe('that are connected to it now'),
});
export type ManagedDatabase = z.infer<typeof managedDatabaseSchema>;

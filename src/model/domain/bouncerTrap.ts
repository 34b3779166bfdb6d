import * as z from 'zod';
import { bouncerSchema } from './bouncer.ts';
import { type OneOf, saidIn, schemaOf, worded } from './findingTable.ts';

const mode = bouncerSchema.shape.mode;

/** What an app says, or does, that does not go through a PgBouncer. */
const bouncerTrapKinds = {
  'startup-parameter': worded({ parameter: z.string() }).says(
    ({ parameter }) => `PgBouncer refuses the app’s connections, which ask for “${parameter}” when they are opened.`,
  ),
  'prepared-statement': worded({
    said: z.string().describe('by PostgreSQL'),
    version: z.string().describe('of PgBouncer'),
    keeps: z.boolean().describe('this version can keep prepared statements'),
  }).says(
    ({ said }) =>
      `The app prepares statements by name (${said}): in transaction mode the next statement may meet another session of PostgreSQL, which knows none or another of that name.`,
  ),
  'wait-timeout': worded({ mode }).says(
    () => 'Statements of the app waited for a connection of PgBouncer’s until it gave up (query_wait_timeout).',
  ),
} as const;

export type BouncerTrap = OneOf<typeof bouncerTrapKinds>;
export const bouncerTrapSchema = schemaOf(bouncerTrapKinds);

/** What was seen, without what helps. */
export function bouncerTrapSeen(trap: BouncerTrap): string {
  return saidIn(bouncerTrapKinds, trap);
}

export function bouncerTrapCure(trap: BouncerTrap): string {
  switch (trap.code) {
    case 'startup-parameter':
      return 'Set it for the database’s role instead (ALTER ROLE … SET), or, where it may be left out, name it in "ignoreStartupParameters" of "bouncer".';
    case 'prepared-statement':
      return `With pgjdbc: prepareThreshold=0 in its URL; with node-postgres: queries without a name. ${
        trap.keeps
          ? 'Or let PgBouncer keep them ("preparedStatements": 200)'
          : `Or PgBouncer 1.21 or later with "preparedStatements": 200 (max_prepared_statements; this is ${trap.version})`
      }, or session mode.`;
    case 'wait-timeout':
      return trap.mode === 'session'
        ? 'Let the app’s pools together have no more connections than PgBouncer’s pool, or let it pool by transaction.'
        : 'Give PgBouncer a larger pool, or make the transactions shorter.';
  }
}

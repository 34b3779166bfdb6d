import type { Bouncer } from '../../../model/domain/bouncer.ts';
import { shortened } from '../../../model/domain/plainText.ts';
import { keepsPrepared } from './findPgBouncer.ts';

/** What an app says, or does, that does not go through a PgBouncer, and what helps. */
export interface BouncerTrap {
  message: string;
  cure: string;
}

interface Behind {
  mode: Bouncer['mode'];
  version: string;
}

/** Words of an app, of PostgreSQL or of PgBouncer that show such a thing; null where there are none. */
export function trapIn(text: string, { mode, version }: Behind): BouncerTrap | null {
  const parameter = /unsupported startup parameter(?: in options)?: ([\w.]+)/.exec(text)?.[1];
  if (parameter !== undefined)
    return {
      message: `PgBouncer refuses the app’s connections, which ask for “${parameter}” when they are opened.`,
      cure: `Set it for the database’s role instead (ALTER ROLE … SET), or, where it may be left out, name it in "ignoreStartupParameters" of "bouncer".`,
    };
  const prepared = /prepared statement "[^"\n]{1,80}" (?:does not exist|already exists)/.exec(text)?.[0];
  if (prepared !== undefined && mode === 'transaction')
    return {
      message: `The app prepares statements by name (${prepared}): in transaction mode the next statement may meet another session of PostgreSQL, which knows none or another of that name.`,
      cure: `With pgjdbc: prepareThreshold=0 in its URL; with node-postgres: queries without a name. ${
        keepsPrepared(version)
          ? 'Or let PgBouncer keep them ("preparedStatements": 200)'
          : `Or PgBouncer 1.21 or later with "preparedStatements": 200 (max_prepared_statements; this is ${version})`
      }, or session mode.`,
    };
  if (/\bquery_wait_timeout\b/.test(text))
    return {
      message: 'Statements of the app waited for a connection of PgBouncer’s until it gave up (query_wait_timeout).',
      cure:
        mode === 'session'
          ? 'Let the app’s pools together have no more connections than PgBouncer’s pool, or let it pool by transaction.'
          : 'Give PgBouncer a larger pool, or make the transactions shorter.',
    };
  return null;
}

/** Statements that mean something for a session, which in transaction mode the next statement may not meet again. */
const ofSession =
  /^\s*(?:(?:UN)?LISTEN\b|PREPARE\b|DECLARE\b.*\bWITH HOLD\b|SET\s+(?!LOCAL\b|TRANSACTION\b|CONSTRAINTS\b))|\bpg_(?:try_)?advisory_lock(?:_shared)?\s*\(/i;

/** The first of these statements that needs a session of its own, shortened; null where none does, or each has one. */
export function sessionStatement(statements: readonly string[], mode: Bouncer['mode']): string | null {
  const found = mode === 'transaction' ? statements.find((sql) => ofSession.test(sql)) : undefined;
  return found === undefined ? null : shortened(found.replace(/\s+/g, ' ').trim(), 80);
}

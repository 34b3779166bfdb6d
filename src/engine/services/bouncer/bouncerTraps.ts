import type { Bouncer } from '../../../model/domain/bouncer.ts';
import type { BouncerTrap } from '../../../model/domain/bouncerTrap.ts';
import { shortened } from '../../../model/domain/plainText.ts';
import { keepsPrepared } from './findPgBouncer.ts';

interface Behind {
  mode: Bouncer['mode'];
  version: string;
}

/** Words of an app, of PostgreSQL or of PgBouncer that show such a thing; null where there are none. */
export function trapIn(text: string, { mode, version }: Behind): BouncerTrap | null {
  const parameter = /unsupported startup parameter(?: in options)?: ([\w.]+)/.exec(text)?.[1];
  if (parameter !== undefined) return { code: 'startup-parameter', parameter };
  const said = /prepared statement "[^"\n]{1,80}" (?:does not exist|already exists)/.exec(text)?.[0];
  if (said !== undefined && mode === 'transaction') return { code: 'prepared-statement', said, version, keeps: keepsPrepared(version) };
  return /\bquery_wait_timeout\b/.test(text) ? { code: 'wait-timeout', mode } : null;
}

/** Statements that mean something for a session, which in transaction mode the next statement may not meet again. */
const ofSession =
  /^\s*(?:(?:UN)?LISTEN\b|PREPARE\b|DECLARE\b.*\bWITH HOLD\b|SET\s+(?!LOCAL\b|TRANSACTION\b|CONSTRAINTS\b))|\bpg_(?:try_)?advisory_lock(?:_shared)?\s*\(/i;

/** The first of these statements that needs a session of its own, shortened; null where none does, or each has one. */
export function sessionStatement(statements: readonly string[], mode: Bouncer['mode']): string | null {
  const found = mode === 'transaction' ? statements.find((sql) => ofSession.test(sql)) : undefined;
  return found === undefined ? null : shortened(found.replace(/\s+/g, ' ').trim(), 80);
}

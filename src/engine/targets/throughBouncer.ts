import { failure, FailureError } from '../../model/domain/failure.ts';
import type { Bouncer } from '../../model/domain/bouncer.ts';
import { findPgBouncer, pgBouncerMissing } from '../services/bouncer/findPgBouncer.ts';
import { withBouncerPool } from './bouncerPool.ts';
import type { DeclaredTarget } from './catalog.ts';

/**
 * The target with this PgBouncer between it and its database, in place of its own; as it is where none is asked for. Fails, before anything is started, with
 * `pgbouncer-no-database` on one that has no database of Benchside's, and with `pgbouncer-missing` where there is none.
 */
export function throughBouncer(declared: DeclaredTarget, bouncer: Bouncer | undefined): DeclaredTarget {
  if (bouncer === undefined) return declared;
  const { target } = declared;
  const { postgres } = target;
  if (postgres === undefined)
    throw failure(
      'pgbouncer-no-database',
      `${target.label ?? target.id} is given no PostgreSQL by Benchside, so that there is nothing for PgBouncer to stand before.`,
      'Leave PgBouncer out, or declare "postgres" of the target in benchside.json.',
    );
  if (findPgBouncer() === null) throw new FailureError(pgBouncerMissing());
  return { ...declared, target: withBouncerPool({ ...target, postgres: { ...postgres, bouncer } }) };
}

import { failure } from '../../model/failure.ts';
import type { Bouncer } from '../../model/bouncer.ts';
import { withBouncerPool } from './bouncerPool.ts';
import type { DeclaredTarget } from './catalog.ts';

/**
 * The target with this PgBouncer between it and its database, in place of its own; as it is where none is asked for. Fails with `pgbouncer-no-database` on one that
 * has no database of ours.
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
  return { ...declared, target: withBouncerPool({ ...target, postgres: { ...postgres, bouncer } }) };
}

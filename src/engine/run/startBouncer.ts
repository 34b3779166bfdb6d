import { bouncerPoolSetting } from '../../model/domain/bouncer.ts';
import { bouncerTrapCure, bouncerTrapSeen } from '../../model/domain/bouncerTrap.ts';
import { FailureError } from '../../model/domain/failure.ts';
import type { RunNote } from '../../model/domain/runNoteKinds.ts';
import { passedOverParameters } from '../services/bouncer/bouncerConfig.ts';
import { trapIn } from '../services/bouncer/bouncerTraps.ts';
import { PgBouncer } from '../services/bouncer/pgBouncer.ts';
import { ownerAddress } from '../services/databaseOwner.ts';
import { databaseName } from '../services/prepareDatabase.ts';
import type { DatabaseAddress } from '../services/serverUrl.ts';
import type { Supervisor } from '../supervise/supervisor.ts';
import { type RunningTarget, databaseWants } from '../targets/launchTarget.ts';
import type { PlannedProcess } from './plan.ts';

/** The PgBouncer in front of the database of a process and its siblings, where its target has one; null where it has none. */
export async function startBouncer(
  { declared, settings, name }: Pick<PlannedProcess, 'declared' | 'settings' | 'name'>,
  server: DatabaseAddress | null,
  { supervisor, signal }: { supervisor: Supervisor; signal?: AbortSignal | undefined },
): Promise<PgBouncer | null> {
  const bouncer = declared.target.postgres?.bouncer;
  const wants = databaseWants(declared);
  if (bouncer === undefined || wants === null || server === null) return null;
  const size = settings[bouncerPoolSetting];
  const poolSize = typeof size === 'number' ? size : bouncer.poolSize;
  const database = databaseName(server, wants);
  return PgBouncer.start(supervisor, { bouncer, poolSize, server: ownerAddress(server, database), database, name, signal });
}

/** Output of an app behind a PgBouncer that shows a feature which does not work through it; null where there is nothing. */
export function trapOf({ bouncer, child, siblings, declared }: RunningTarget): RunNote | null {
  if (bouncer === undefined) return null;
  const texts = [child, ...siblings.map((one) => one.child), bouncer.child].map(({ log }) => log.text());
  const trap = texts.map((text) => trapIn(text, bouncer)).find((found) => found !== null);
  if (trap === undefined || trap === null) return null;
  return { code: 'not-through-bouncer', about: declared.target.label ?? declared.target.id, trap };
}

/** The failure of an app behind a PgBouncer that could not be started, with what that has to do with it where its words, or PgBouncer’s, say so. */
export function withTrap(error: unknown, bouncer: PgBouncer): unknown {
  if (!(error instanceof FailureError)) return error;
  const { failure: seen } = error;
  const trap = [`${seen.message}\n${seen.detail ?? ''}`, bouncer.child.log.text()]
    .map((text) => trapIn(text, bouncer))
    .find((one) => one !== null);
  return trap === undefined || trap === null
    ? error
    : new FailureError({ ...seen, message: `${bouncerTrapSeen(trap)} ${seen.message}`, cure: bouncerTrapCure(trap) });
}

/** Which PgBouncer it was, and what of the app’s wishes does not hold behind it. */
export function bouncerNote({ version, mode }: PgBouncer): RunNote {
  return { code: 'bouncer', version, mode, passedOver: [...passedOverParameters] };
}

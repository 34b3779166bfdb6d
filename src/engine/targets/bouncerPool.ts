import { bouncerPoolSetting, bouncerPoolSpec } from '../../model/domain/bouncer.ts';
import type { Target } from '../../model/domain/target.ts';

/** A target with a PgBouncer in front of its database has the setting for its pool. */
export function withBouncerPool(target: Target): Target {
  const bouncer = target.postgres?.bouncer;
  if (bouncer === undefined) return target;
  const spec = target.settings[bouncerPoolSetting] ?? bouncerPoolSpec(bouncer);
  return { ...target, settings: { ...target.settings, [bouncerPoolSetting]: spec } };
}

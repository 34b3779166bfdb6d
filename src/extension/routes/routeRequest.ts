import type { TargetState } from '../../model/protocol/protocol.ts';
import type { RunRequest } from '../../model/domain/run.ts';
import type { SettingValue } from '../../model/domain/setting.ts';
import type { AppliedSettings } from '../form/appliedSettings.ts';

/** The load profile for a route that is measured from its source: a first answer, whose figures are shown next to it. */
export const routeLoad = 'quick';

/** A run of one route with the settings that are applied to its target. */
export function routeRequest(target: TargetState, route: string, applied: AppliedSettings): RunRequest {
  const values = Object.entries(applied.of(target)).map(([name, value]): [string, SettingValue[]] => [name, [value]]);
  return { targets: [target.id], load: routeLoad, route, settings: Object.fromEntries(values) };
}

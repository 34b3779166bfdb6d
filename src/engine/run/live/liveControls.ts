import { failure } from '../../../model/domain/failure.ts';
import { refusalText } from '../../../model/domain/liveRefusal.ts';
import type { LiveControl } from '../../../model/protocol/live.ts';
import {
  type SettingSpec,
  type SettingSpecs,
  type SettingValue,
  type SettingValues,
  liveKindOf,
  settingLabel,
} from '../../../model/domain/setting.ts';
import { reservedSessions } from '../../limits/reservedSessions.ts';
import type { LiveSettings } from '../../probe/liveSettings.ts';

type NumberSpec = Extract<SettingSpec, { kind: 'number' }>;

/**
 * The settings of a target that a person may want to move: the sizes of its pool and of its threads; where it has neither, all its sizes, each with the reason
 * why it cannot be moved. A pool grows only to the number of the database's connections.
 */
export function liveControls(
  specs: SettingSpecs,
  settings: SettingValues,
  live: LiveSettings,
  maxConnections: number | null,
): LiveControl[] {
  const numbers = Object.entries(specs).flatMap(([name, spec]): [string, NumberSpec][] => (spec.kind === 'number' ? [[name, spec]] : []));
  const movable = numbers.filter(([name, spec]) => liveKindOf(name, spec) !== 'no');
  return (movable.length > 0 ? movable : numbers).map(([name, spec]) => {
    const isPool = ['pool', 'bouncer'].includes(liveKindOf(name, spec));
    const most = isPool && maxConnections !== null ? Math.max(spec.min, Math.min(spec.max, maxConnections - reservedSessions)) : spec.max;
    return {
      setting: name,
      label: settingLabel(name, spec),
      unit: spec.unit ?? null,
      // An app cannot be left without a single connection or thread.
      min: Math.max(1, spec.min),
      max: most,
      value: Number(settings[name] ?? spec.default),
      problem: live.problem(name),
    };
  });
}

/** The control that may be brought to a value; fails with `setting-unknown`, `not-live` or `setting-value`. */
export function movableControl(controls: readonly LiveControl[], setting: string, value: SettingValue): LiveControl & { wanted: number } {
  const control = controls.find((one) => one.setting === setting);
  if (control === undefined) {
    const known = controls.map((one) => one.setting).join(', ');
    throw failure(
      'setting-unknown',
      `There is no setting “${setting}” that could be moved.`,
      known === '' ? 'This target has none.' : `It has: ${known}.`,
    );
  }
  if (control.problem !== null) {
    throw failure(
      'not-live',
      `${control.label} cannot be moved: ${refusalText(control.problem)}`,
      'Stop, and start again with the value that you want.',
    );
  }
  if (typeof value !== 'number' || !Number.isInteger(value) || value < control.min || value > control.max) {
    throw failure('setting-value', `${control.label} cannot be ${value}.`, `Choose a whole number from ${control.min} to ${control.max}.`);
  }
  return { ...control, wanted: value };
}

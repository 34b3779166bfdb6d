import type { Trial } from '../../../src/model/domain/run.ts';
import type { SettingValue } from '../../../src/model/domain/setting.ts';
import { connectionsName, distinctValues, valueOf } from '../../../src/model/presentation/settingWords.ts';

/** The variable on the x axis of the charts: the setting that was varied most, the connections, or only the targets. */
export interface Axis {
  kind: 'setting' | 'connections' | 'target';
  /** Name of the setting; empty for the other kinds. */
  name: string;
  /** Tested values in order of the axis. */
  values: SettingValue[];
  /** Log₂ positions; otherwise the values are at equal distances. */
  log: boolean;
  /** Some trials do not have this setting; they are at a place of their own, left of the first value. */
  hasMissing: boolean;
  /** Names of what else varies (a setting, or `connections`): it distinguishes series of one target. */
  others: string[];
}

/**
 * Chooses the axis: the numeric setting with most distinct values (the first named wins a tie, connections come last);
 * without one, a choice with several values; without that, the targets themselves.
 */
export function chooseAxis(trials: readonly Trial[]): Axis {
  const names = [...new Set(trials.flatMap((trial) => Object.keys(trial.settings))), connectionsName];
  const varied = names
    .map((name) => ({ name, values: distinctValues(trials, name) }))
    .filter((candidate) => candidate.values.length > 1)
    .map((candidate) => ({ ...candidate, numeric: candidate.values.every((value) => typeof value === 'number') }));
  const best = [...varied].sort((a, b) => Number(b.numeric) - Number(a.numeric) || b.values.length - a.values.length)[0];
  if (!best) {
    return {
      kind: 'target',
      name: '',
      values: [...new Set(trials.map((trial) => trial.target))],
      log: false,
      hasMissing: false,
      others: [],
    };
  }
  return {
    kind: best.name === connectionsName ? 'connections' : 'setting',
    name: best.name,
    values: best.values,
    log: best.numeric && best.values.every((value) => typeof value === 'number' && value > 0),
    hasMissing: trials.some((trial) => valueOf(trial, best.name) === null),
    others: varied.filter((candidate) => candidate !== best).map((candidate) => candidate.name),
  };
}

/** The position of a trial on the axis, in steps: one step is a doubling on a log axis, the next value on any other. */
export function axisPosition(axis: Axis, trial: Trial): number {
  const value = axis.kind === 'target' ? trial.target : valueOf(trial, axis.name);
  return value === null ? firstPosition(axis) - 1 : valuePosition(axis, value);
}

/** The ticks of the axis: one at each tested value. */
export function axisTicks(axis: Axis, targetLabel: (id: string) => string): { position: number; text: string }[] {
  const ticks = axis.values.map((value) => ({
    position: valuePosition(axis, value),
    text: axis.kind === 'target' ? targetLabel(String(value)) : String(value),
  }));
  return axis.hasMissing ? [{ position: firstPosition(axis) - 1, text: 'none' }, ...ticks] : ticks;
}

function valuePosition(axis: Axis, value: SettingValue): number {
  return axis.log && typeof value === 'number' ? Math.log2(value) : axis.values.indexOf(value);
}

function firstPosition(axis: Axis): number {
  const first = axis.values[0];
  return first === undefined ? 0 : valuePosition(axis, first);
}

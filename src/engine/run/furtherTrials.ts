import { type SettingValue, watchedPartOf } from '../../model/domain/setting.ts';
import { reservedSessions } from '../limits/reservedSessions.ts';
import type { PlannedTrial, RunPlan } from './plan.ts';
import type { RunUnderWay } from './runLife.ts';
import type { RunTargets } from './runTargets.ts';

export function leaveOut(plan: Pick<RunPlan, 'trials' | 'processes' | 'order'>, trial: PlannedTrial): void {
  for (const list of [plan.trials, ...plan.order]) if (list.includes(trial)) list.splice(list.indexOf(trial), 1);
  if (!plan.trials.some(({ process }) => process === trial.process)) plan.processes.splice(plan.processes.indexOf(trial.process), 1);
}

/** The same trial with another value of one setting. */
export function trialWith(trial: PlannedTrial, name: string, value: SettingValue): PlannedTrial {
  const change = (text: string): string => text.replace(`${name}=${String(trial.process.asked[name])}`, `${name}=${String(value)}`);
  const was = `${name} ${String(trial.process.asked[name])}`;
  const rename = (text: string): string => text.replace(was, `${name} ${String(value)}`);
  return {
    ...trial,
    key: change(trial.key),
    name: rename(trial.name),
    process: {
      ...trial.process,
      key: change(trial.process.key),
      name: rename(trial.process.name),
      asked: { ...trial.process.asked, [name]: value },
      settings: { ...trial.process.settings, [name]: value },
    },
  };
}

/** Adds a trial to a measurement that continues: warmed as the existing one, whose process it shares. */
export function addTrial({ trialStore }: Pick<RunUnderWay, 'trialStore'>, planned: PlannedTrial, beside: PlannedTrial): PlannedTrial {
  if (!trialStore.has(planned.key)) {
    const { warmUp, unsteady } = trialStore.of(beside.key);
    Object.assign(trialStore.add(planned), { warmUp, unsteady });
  }
  return planned;
}

/**
 * A trial of twice the largest size, within what the load, the setting and PostgreSQL allow; null where that is not larger, where nobody can wait for what it
 * is the size of, or where one more value would have to be started and warmed first.
 */
export function largerTrial(
  run: Pick<RunUnderWay, 'trialStore' | 'maxConnections'>,
  targets: Pick<RunTargets, 'of'>,
  largest: PlannedTrial,
  name: string,
): PlannedTrial | null {
  const { declared, asked, instances } = largest.process;
  const spec = declared.target.settings[name];
  const part = watchedPartOf(name, spec);
  const value = asked[name];
  if (spec?.kind !== 'number' || part === null || typeof value !== 'number' || targets.of(largest).mode === 'process-per-setting')
    return null;
  const { pool } = run.trialStore.recorded(largest.key).trial;
  const used = Math.ceil((largest.connections * Math.max(1, part === 'pool' ? (pool?.perRequest ?? 1) : 1)) / instances);
  const ofServer =
    run.maxConnections === null || (part !== 'pool' && part !== 'bouncer')
      ? Number.POSITIVE_INFINITY
      : Math.floor((run.maxConnections - reservedSessions) / (part === 'pool' ? instances : 1));
  const next = Math.min(2 * value, used, spec.max, ofServer);
  return next <= value ? null : addTrial(run, trialWith(largest, name, next), largest);
}

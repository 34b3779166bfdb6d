import { failure } from '../../model/domain/failure.ts';
import { findingText } from '../../model/domain/findings.ts';
import type { PlainFinding } from '../../model/domain/findingKinds.ts';
import { type SettingValue, type SettingValues, isSetByProbe, todayOf } from '../../model/domain/setting.ts';
import { keepsItsOwn } from '../targets/catalog.ts';
import { LiveSettings } from '../probe/liveSettings.ts';
import type { RunningTarget } from '../targets/launchTarget.ts';
import type { PlannedProcess } from './plan.ts';
import { instancesOf } from './runningTargets.ts';

const probeTimeoutMs = 10_000;

/** The values that a process is given. */
export function givenValues({ declared, settings }: Pick<PlannedProcess, 'declared' | 'settings'>): SettingValues {
  const own = (name: string, value: SettingValue): boolean => {
    const spec = declared.target.settings[name];
    return spec !== undefined && value === spec.default && keepsItsOwn(declared, name, spec);
  };
  return Object.fromEntries(Object.entries(settings).filter(([name, value]) => !own(name, value)));
}

/** Whether a process has another value than it begins with that only a probe can give it. */
export function needsProbe({ declared, settings }: Pick<PlannedProcess, 'declared' | 'settings'>): boolean {
  return Object.entries(declared.target.settings).some(([name, spec]) => isSetByProbe(name, spec) && settings[name] !== spec.default);
}

/**
 * Gives each process of a started target those values that neither a variable nor an argument carries. Returns why one was not taken, null where all are in
 * force. What the app begins with is taken to be in force where nothing shows it. One that ran already is its user's, and left as it is.
 */
export async function setByProbe(running: RunningTarget, settings: SettingValues, signal: AbortSignal): Promise<PlainFinding | null> {
  const { target } = running.declared;
  const specs = Object.fromEntries(Object.entries(target.settings).filter(([name, spec]) => isSetByProbe(name, spec)));
  if (target.running !== undefined || Object.keys(specs).length === 0) return null;
  const begunWith = Object.fromEntries(Object.entries(specs).map(([name, spec]) => [name, todayOf(spec) ?? 0]));
  for (const instance of instancesOf(running)) {
    await instance.probe?.attached(probeTimeoutMs, signal);
    const live = await LiveSettings.find(instance, specs, begunWith, { code: 'probe-alone-sets' });
    for (const name of Object.keys(specs)) {
      const value = settings[name];
      if (typeof value !== 'number') continue;
      const isBegunWith = value === begunWith[name];
      const problem = live.problem(name);
      if (isBegunWith && (problem !== null || (await live.deviation(name)) === null)) continue;
      const { ok, message } = problem === null ? await live.apply(name, value, signal) : { ok: false, message: problem };
      if (!ok) return { code: 'setting-not-taken', setting: name, value, why: message ?? { code: 'size-not-taken', size: value } };
    }
  }
  return null;
}

/** The same of a target that was started by hand: one that does not take a value is stopped, and the launch fails. */
export async function withSetByProbe(
  running: RunningTarget,
  settings: SettingValues,
  { label, signal }: { label: string; signal: AbortSignal },
): Promise<RunningTarget> {
  const refused = await setByProbe(running, settings, signal);
  if (refused === null) return running;
  await running.child.stop();
  throw failure(
    'not-live',
    `${label}: ${findingText(refused)}`,
    'Take the size that it has of its own, or let probes be loaded (“benchside.probes”).',
  );
}

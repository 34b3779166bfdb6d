import {
  type SettingSpecs,
  type SettingValue,
  type SettingValues,
  liveKindOf,
  settingLabel,
  watchedPartOf,
} from '../../model/domain/setting.ts';

/** A setting that the target really has, and which an action may therefore name. */
export interface Knob {
  name: string;
  label: string;
  value: SettingValue;
  min: number | null;
  max: number | null;
}

/** What a verdict may propose to change; null: the target has no such setting. */
export type Knobs = ReturnType<typeof knobsOf>;

/** Finds them by what they are in the running app (`live`), the others by the names that the samples use. Values not asked for are the defaults. */
export function knobsOf(specs: SettingSpecs, values: SettingValues) {
  const knob = (name: string | undefined): Knob | null => {
    const spec = name === undefined ? undefined : specs[name];
    if (name === undefined || spec === undefined) return null;
    const range = spec.kind === 'choice' ? { min: null, max: null } : { min: spec.min, max: spec.max };
    return { name, label: settingLabel(name, spec), value: values[name] ?? spec.default, ...range };
  };
  const live = (kind: 'pool' | 'threads' | 'bouncer'): string | undefined =>
    Object.entries(specs).find(([name, spec]) => liveKindOf(name, spec) === kind)?.[0];
  const client = Object.entries(specs).find(([name, spec]) => watchedPartOf(name, spec) === 'client')?.[0];
  return {
    pool: knob(live('pool')),
    poolTimeoutMs: knob('poolTimeoutMs'),
    threads: knob(live('threads')),
    outboundPool: knob(client),
    outboundClient: knob('documentClient'),
    heapMb: knob('heapMb'),
    workers: knob('workers'),
    searchIn: knob('searchIn'),
    bouncerPool: knob(live('bouncer')),
  };
}

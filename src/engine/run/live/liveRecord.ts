import { failure } from '../../../model/domain/failure.ts';
import { settingsPhrase } from '../../../model/domain/format.ts';
import type { Observation } from '../../../model/domain/observation.ts';
import type { RunRequest } from '../../../model/domain/run.ts';
import type { Tick } from '../../../model/protocol/runEvent.ts';
import type { SettingValue, SettingValues } from '../../../model/domain/setting.ts';
import { remembered } from '../../../model/domain/remembered.ts';
import type { RunStore } from '../../runs/runStore.ts';
import { type RunFacts, composeRecord } from '../composeRecord.ts';
import type { WarmUpOutcome } from '../measuringHarness.ts';
import type { PlannedTrial } from '../plan.ts';
import { writeTrials } from '../runLife.ts';
import { type TrialMeasurement, recordTrial } from '../trialRecord.ts';
import type { LivePlan } from './liveLaunch.ts';
import type { MeasuredSegment } from './liveSegments.ts';

/** What a session knows of itself when it is kept. */
export interface LiveFacts
  extends LivePlan, Pick<RunFacts, 'commandOf' | 'environment' | 'startedAt' | 'durationMs' | 'notes' | 'labelOf'> {
  store: RunStore;
  warmUp: WarmUpOutcome | null;
  segments: readonly MeasuredSegment[];
  observations: readonly Observation[];
  ticks: readonly Tick[];
  log: string;
}

/** The key of the trial that these values of a live session belong to. */
export function liveTrialKey({ process, connections }: PlannedTrial, settings: SettingValues): string {
  return [process.declared.target.id, ...Object.entries(settings).map(([name, value]) => `${name}=${value}`), `c=${connections}`].join('|');
}

/** Stores what a session has measured so far as a run, and returns its id. Fails with `nothing-measured`, and as `RunWriter.commit` does. */
export async function keepSession(facts: LiveFacts): Promise<string> {
  const measurements = measurementsOf(facts);
  if (measurements.length === 0) {
    throw failure(
      'nothing-measured',
      'Nothing has been measured yet that could be kept.',
      'Let the load run for a few seconds after it has started or after a change.',
    );
  }
  const { store, plan, planned, segments } = facts;
  const runId = store.newId();
  const writer = await store.begin(runId);
  try {
    const [ticks, samples] = [writer.append('ticks.ndjson'), writer.append('samples.ndjson')];
    for (const tick of facts.ticks) ticks.add(tick);
    for (const observation of facts.observations) samples.add(observation);
    const recorded = measurements.map((measurement) => recordTrial(measurement, facts.observations));
    const logs = facts.log === '' ? [] : [{ key: planned.process.key, file: 'process-1.log', text: facts.log }];
    await writeTrials(writer, recorded, { keptLogs: () => logs });
    const order = segments.map(({ settings }) =>
      measurements.flatMap((one) => (one.planned.key === liveTrialKey(planned, settings) ? [one.planned] : [])),
    );
    const record = composeRecord({
      runId,
      request: withValues(facts.request, segments),
      environment: facts.environment,
      plan: {
        ...plan,
        title: `${plan.title}: live session`,
        trials: measurements.map((one) => one.planned),
        order,
        load: { ...plan.load, rounds: 1 },
      },
      mode: { mode: 'process-per-setting', reasons: [] },
      commandOf: facts.commandOf,
      startedAt: facts.startedAt,
      durationMs: facts.durationMs,
      cancelled: false,
      notes: [{ code: 'live-session', durationMs: facts.durationMs }, ...facts.notes],
      trials: recorded.map(({ trial }) => trial),
      recordings: [],
      found: { result: { kind: 'live' }, recommendations: [] },
      labelOf: facts.labelOf,
    });
    const stored = await writer.commit({
      ...record,
      noiseFloorPercent: null,
      plan: { ...record.plan, mode: 'live', modeReasons: [{ code: 'moved-by-hand' }] },
    });
    return stored.id;
  } finally {
    await writer.abandon();
  }
}

/** The segments by their settings: values that were visited twice make a trial of two blocks. */
function measurementsOf({ segments, planned, warmUp }: LiveFacts): TrialMeasurement[] {
  const measurements = new Map<string, TrialMeasurement>();
  for (const { settings, measurement } of segments) {
    const key = liveTrialKey(planned, settings);
    const known = remembered(measurements, key, (): TrialMeasurement => ({
      planned: {
        ...planned,
        key,
        name: `${planned.process.declared.target.label ?? planned.process.declared.target.id} · ${settingsPhrase(settings)}`,
        process: { ...planned.process, settings: { ...planned.process.settings, ...settings }, asked: settings },
      },
      warmUp: warmUp?.warmUp ?? null,
      unsteady: warmUp?.unsteady ?? null,
      blocks: [],
      // Figures to look at, none to decide by.
      problems: [{ code: 'by-hand' }],
    }));
    known.blocks.push({ ...measurement, round: known.blocks.length + 1 });
  }
  return [...measurements.values()];
}

/** What to ask for to measure the same values properly. */
function withValues(request: RunRequest, segments: readonly MeasuredSegment[]): RunRequest {
  const values = new Map<string, Set<SettingValue>>();
  for (const { settings } of segments) {
    for (const [name, value] of Object.entries(settings)) remembered(values, name, () => new Set()).add(value);
  }
  return {
    ...request,
    settings: { ...request.settings, ...Object.fromEntries([...values].map(([name, set]) => [name, [...set].sort(bySize)])) },
  };
}

function bySize(a: SettingValue, b: SettingValue): number {
  return typeof a === 'number' && typeof b === 'number' ? a - b : 0;
}

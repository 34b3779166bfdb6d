import { defined } from '../../model/domain/defined.ts';
import type { NextAction } from '../../model/domain/verdict/nextActions.ts';
import type { Form } from '../../model/protocol/panel.ts';
import type { AskedOf } from '../../model/protocol/measureRequest.ts';
import type { RecordingRequest } from '../../model/domain/recording.ts';
import type { RunRecord, RunRequest, Trial } from '../../model/domain/run.ts';
import { allFlags } from '../../model/domain/runFlags.ts';
import type { TuneOptionValues } from '../../model/domain/runOptions.ts';
import { askedOfRun, asTuneOptions } from '../../model/presentation/runOptionText.ts';
import { variantSetting, type ExperimentVariant } from '../../model/domain/experiment.ts';
import type { SettingValue } from '../../model/domain/setting.ts';
import type { TuneRequest } from '../../model/domain/tuning.ts';
import { formOfRun, formOfTune } from '../../model/presentation/requestForms.ts';
import { instancesName } from '../tuning/tuneChoices.ts';

type ActionOf<K extends NextAction['kind']> = Extract<NextAction, { kind: K }>;

/** How long a search that a verdict starts may take, and a recording, in seconds. */
const searchBudgetS = 120;
const recordingS = 10;

/** The run that measures a trial again with one setting changed: everything else as it was. */
export function runWith(run: RunRecord, trial: Trial, { setting, value }: Pick<ActionOf<'set'>, 'setting' | 'value'>): RunRequest {
  return {
    ...commonOf(run, trial),
    settings: { ...singles(trial), [setting]: [value] },
    ...askedOfRun(run),
    connections: [trial.connections],
  };
}

/** The search for the value that is enough, under the load of a trial and with its other settings. */
export function tuneWith(run: RunRecord, trial: Trial, { setting, values }: Pick<ActionOf<'tune'>, 'setting' | 'values'>): AskedOf<'tune'> {
  return {
    ...commonOf(run, trial),
    ...searchOptionsOf(run),
    settings: { ...singles(trial), [setting]: values },
    connections: trial.connections,
    budgetS: run.result.kind === 'tune' ? run.result.request.budgetS : searchBudgetS,
  };
}

/** The form that measures a trial again under another load; a person checks it and presses Run. */
export function formWithConnections(run: RunRecord, trial: Trial, { connections }: Pick<ActionOf<'connections'>, 'connections'>): Form {
  return { ...formOfRun({ ...commonOf(run, trial), ...askedOfRun(run), settings: singles(trial) }), connections: String(connections) };
}

/** The form that measures all of a run again as it was, but under the load of k6. */
export function formWithGenerator(run: RunRecord, trial: Trial, { processes }: Pick<ActionOf<'generator'>, 'processes'>): Form {
  const generator = { kind: 'k6' as const, processes: Math.min(processes, trial.connections) };
  if (run.result.kind === 'tune') return formOfTune({ ...run.result.request, generator });
  // Raw samples are kept by our own generator.
  const { raw: _raw, ...request } = run.request;
  return formOfRun({ ...request, generator });
}

/** The form that searches with one instance against more of them; instances belong to a search. `tune` is the parsed request that it shows. */
export function formWithInstances(run: RunRecord, trial: Trial, { instances }: Pick<ActionOf<'instances'>, 'instances'>): Form {
  const before = Number(trial.settings[instancesName] ?? 1);
  const values = [...new Set([before, instances])].sort((a, b) => a - b);
  const request: TuneRequest = {
    ...commonOf(run, trial),
    ...searchOptionsOf(run),
    settings: { ...singles(trial), [instancesName]: values },
    connections: trial.connections,
    budgetS: searchBudgetS,
    delta: run.delta,
    mode: 'auto',
    ...allFlags({}),
  };
  return formOfTune(request);
}

/** What a search takes over of the options of a run: all but how long it measures, which follows from its budget. */
function searchOptionsOf(run: RunRecord): Omit<TuneOptionValues, 'budgetS' | 'blockS'> {
  const { budgetS: _budgetS, blockS: _blockS, ...options } = asTuneOptions(askedOfRun(run));
  return options;
}

/** The recording of a trial's target as it was measured, with the event that the verdict asks for. */
export function recordingOf(run: RunRecord, trial: Trial, { event }: Pick<ActionOf<'record'>, 'event'>): RecordingRequest {
  const { load, route } = commonOf(run, trial);
  return {
    subject: {
      kind: 'target',
      id: trial.target,
      settings: trial.settings,
      load,
      connections: trial.connections,
      ...defined({ route }),
    },
    events: [event === 'pool-wait' ? 'poolWait' : event],
    seconds: recordingS,
  };
}

/** Target, load, what put it on, and route of a trial. A variant of an experiment may ask for a route of its own. */
function commonOf(run: RunRecord, trial: Trial): Pick<RunRequest, 'targets' | 'load' | 'route' | 'generator'> {
  const { load, generator } = run.request;
  const route = variantOf(run, trial)?.route ?? run.request.route;
  return { targets: [trial.target], load, ...defined({ route, generator }) };
}

function variantOf({ result }: RunRecord, trial: Trial): ExperimentVariant | undefined {
  if (result.kind !== 'experiment') return undefined;
  const point = result.points.find(({ trialKey }) => trialKey === trial.key);
  return result.experiment.variants.find(({ name }) => name === point?.variant);
}

function singles(trial: Trial): Record<string, SettingValue[]> {
  return Object.fromEntries(Object.entries(trial.settings).flatMap(([name, value]) => (name === variantSetting ? [] : [[name, [value]]])));
}

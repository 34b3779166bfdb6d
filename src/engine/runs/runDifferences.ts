import { findingTexts } from '../../model/domain/findings.ts';
import { bytesPhrase } from '../../model/domain/format.ts';
import type { Comparison } from '../../model/domain/comparison.ts';
import type { RunRecord, Trial } from '../../model/domain/run.ts';
import { runOptionWords } from '../../model/presentation/runOptionText.ts';
import { eachRunOption } from '../../model/domain/runOptions.ts';
import type { SettingValues } from '../../model/domain/setting.ts';
import { topologyPhrase } from '../../model/domain/topologyText.ts';

/** Names one setting of one target, for use in sets and maps. */
export function settingKey(target: string, name: string): string {
  return JSON.stringify([target, name]);
}

type Difference = Comparison['differences'][number];

const none = '–';

const modeWords: Record<RunRecord['plan']['mode'], string> = {
  'process-per-setting': 'one process per setting',
  'restart-per-block': 'restarted for each block',
  live: 'changed while it ran',
};

/**
 * What differs between two runs besides what was measured. `warning`: the figures of the two are not fairly compared (machine, versions, database settings,
 * requests, connections, how it was run, an incomplete or invalid run). `info`: good to know, such as the commit, which is what one usually compares.
 *
 * @param ignoredSettings settings that were left out of the join, as {@link settingKey}s.
 */
export function runDifferences(a: RunRecord, b: RunRecord, ignoredSettings: ReadonlySet<string>): Difference[] {
  const found: Difference[] = [];
  const compare = (severity: Difference['severity'], what: string, of: (run: RunRecord) => string | number | null): void => {
    const [left, right] = [of(a), of(b)].map((value) => (value === null ? none : String(value))) as [string, string];
    if (left !== right) found.push({ what, a: left, b: right, severity });
  };

  compare('warning', 'state', (run) => run.state);
  compare('warning', 'validity', (run) => validity(run));

  compare('warning', 'CPU', (run) => run.environment.cpuModel);
  compare('warning', 'cores', (run) => run.environment.cores);
  compare('warning', 'memory', (run) => bytesPhrase(run.environment.memoryBytes));
  compare('warning', 'platform', (run) => run.environment.platform);
  compare('warning', 'virtualisation', (run) => run.environment.virtualised);
  compare('warning', 'kernel', (run) => run.environment.kernel);
  compare('warning', 'Node', (run) => run.environment.node);
  compare('warning', 'Java', (run) => run.environment.java);
  compare('warning', 'PostgreSQL', (run) => run.environment.postgres);
  for (const name of unionOf(Object.keys(a.environment.postgresSettings), Object.keys(b.environment.postgresSettings))) {
    compare('warning', `PostgreSQL ${name}`, (run) => run.environment.postgresSettings[name] ?? null);
  }
  compare('warning', 'samples', (run) => run.environment.samples);
  compare('warning', 'load generator', (run) => run.environment.generator ?? 'Benchside’s own');
  compare('warning', 'Benchside', (run) => run.environment.benchside);

  for (const target of sharedTargets(a, b)) compare('warning', `requests to ${target}`, (run) => run.routes[target]?.join(', ') ?? null);
  compare(
    'warning',
    'connections',
    (run) => [...new Set(run.trials.map((trial) => trial.connections))].sort((x, y) => x - y).join(', ') || null,
  );
  compare('warning', 'topology', (run) => (run.request.topology === undefined ? null : topologyPhrase(run.request.topology)));
  compare('warning', 'how it was run', (run) => modeWords[run.plan.mode]);
  compare('warning', 'probes', (run) => (hasProbe(run) ? 'attached' : 'none'));
  for (const target of sharedTargets(a, b)) {
    for (const name of unionOf(settingNames(a, target), settingNames(b, target))) {
      if (ignoredSettings.has(settingKey(target, name))) compare('warning', `${target} ${name}`, (run) => settingValue(run, target, name));
    }
  }
  compare('warning', 'time-out', (run) => `${run.load.timeoutMs} ms`);
  for (const [name, { told }] of eachRunOption) compare(told.severity, told.name, (run) => runOptionWords(run, name));

  compare('info', 'load profile', (run) => run.load.name);
  compare('info', 'settling', (run) => `${run.load.settleS} s`);
  compare('info', 'warm-up', (run) => `${run.load.warmUp.minS}–${run.load.warmUp.maxS} s, JVM up to ${run.load.warmUp.jvmMaxS} s`);
  compare('info', 'git commit', (run) => run.environment.git?.commit.slice(0, 12) ?? null);
  compare('info', 'uncommitted changes', (run) => (run.environment.git === null ? null : run.environment.git.dirty ? 'yes' : 'no'));
  return found;
}

function unionOf(a: readonly string[], b: readonly string[]): string[] {
  return [...new Set([...a, ...b])].sort();
}

function sharedTargets(a: RunRecord, b: RunRecord): string[] {
  const inB = new Set(b.trials.map((trial) => trial.target));
  return [...new Set(a.trials.map((trial) => trial.target))].filter((target) => inB.has(target));
}

function settingNames(run: RunRecord, target: string): string[] {
  return run.trials.filter((trial) => trial.target === target).flatMap((trial) => Object.keys(trial.settings));
}

/** The value that was asked for, else the default that the processes were started with. */
function settingValue(run: RunRecord, target: string, name: string): string | null {
  const trials = run.trials.filter((trial) => trial.target === target);
  const value =
    trials.find((trial) => trial.settings[name] !== undefined)?.settings[name] ??
    trials.map((trial) => run.plan.commands[trial.key]?.settings?.[name]).find((known) => known !== undefined);
  return value === undefined ? null : String(value);
}

/** Whether a probe was in the services: it costs a little CPU. */
function hasProbe(run: RunRecord): boolean {
  return run.plan.mode === 'live' || run.trials.some((trial) => trial.pool !== null || trial.threadPool !== null);
}

/**
 * The differences of two chosen trials themselves: their settings, requested or by default, are what one compares; another target or another number of
 * connections is more than that.
 */
export function trialDifferences(runA: RunRecord, a: Trial, runB: RunRecord, b: Trial): Difference[] {
  const found: Difference[] = [];
  if (a.target !== b.target) found.push({ what: 'target', a: a.targetLabel, b: b.targetLabel, severity: 'info' });
  const valuesOf = (run: RunRecord, trial: Trial): SettingValues => ({ ...run.plan.commands[trial.key]?.settings, ...trial.settings });
  const [inA, inB] = [valuesOf(runA, a), valuesOf(runB, b)];
  for (const name of unionOf(Object.keys(inA), Object.keys(inB))) {
    const [left, right] = [inA[name], inB[name]].map((value) => (value === undefined ? none : String(value))) as [string, string];
    if (left !== right) found.push({ what: name, a: left, b: right, severity: 'info' });
  }
  if (a.connections !== b.connections)
    found.push({ what: 'connections', a: String(a.connections), b: String(b.connections), severity: 'warning' });
  return found;
}

/** The short form: the rows say which trials are not valid, and why. */
function validity(run: RunRecord): string {
  if (run.valid) return 'valid';
  const invalid = run.trials.filter((trial) => !trial.valid).length;
  return invalid === 0 ? `not valid: ${findingTexts(run.reasons).join(' ')}` : `${invalid} of ${run.trials.length} trials not valid`;
}

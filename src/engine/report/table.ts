import { isNoticeable } from '../../model/disturbance.ts';
import { estimateFigure, takenPercentPhrase } from '../../model/disturbanceWords.ts';
import { bytesPhrase, figure, wholeNumber } from '../../model/format.ts';
import { instanceCells, instanceColumns } from '../../model/instanceFigures.ts';
import { isWide } from '../../model/intervalWidth.ts';
import type { Recommendation, RunRecord, Trial } from '../../model/run.ts';
import type { SettingValue } from '../../model/setting.ts';

/** What stands where there is no figure. */
export const noFigure = '–';

/** The share of the best within which a setting counts as not worse: δ of the recommendation. */
const delta = 0.05;

export interface TableColumn {
  title: string;
  /** Figures are aligned to the right. */
  numeric: boolean;
  /** Shown less strongly than the others, such as an interval beside its mean. */
  muted: boolean;
}

export interface TableRow {
  trialKey: string;
  target: string;
  valid: boolean;
  recommended: boolean;
  /** Absent: no. Recommended, though not proven and with an interval wider than is asked for. */
  unsure?: boolean;
  /** One text for each column; plain text, not escaped for any format. */
  cells: string[];
}

/** A table of texts that every report and the terminal draw in their own way. */
export interface TextTable {
  columns: TableColumn[];
  rows: TableRow[];
}

/**
 * The table of figures: one row for each trial in the order of the run. Settings (and connections) that are the same in all trials have no
 * column; {@link constantSettings} names them. "of best" is the share of the target's best valid mean.
 */
export function trialRows(run: RunRecord): TextTable {
  const names = shownSettings(run.trials);
  const recommended = recommendedKeys(run);
  const best = bestByTarget(run.trials);
  const hasObjective = run.trials.some((trial) => trial.slo !== null);
  const disturbed = run.trials.some((trial) => isNoticeable(trial.disturbance));
  const estimated = run.trials.some((trial) => trial.undisturbed !== null);
  return {
    columns: [
      text('Target'),
      ...names.map((name) => text(settingTitle(run, name))),
      number('req/s'),
      { ...number('95 % interval'), muted: true },
      ...(disturbed ? [{ ...number('CPU taken'), muted: true }] : []),
      ...(estimated ? [{ ...number('left alone, est.'), muted: true }] : []),
      number('of best'),
      number('p50 ms'),
      number('p99 ms'),
      number('p99.9 ms'),
      number('CPU µs/req'),
      number('app CPU'),
      number('memory'),
      number('errors'),
      ...(hasObjective ? [text('objective')] : []),
      text('verdict'),
    ],
    rows: run.trials.map((trial) => {
      const ofBest = shareOfBest(trial, best);
      const { app } = trial.resources;
      return row(trial, recommended, [
        trial.targetLabel,
        ...names.map((name) => String(valueOf(trial, name) ?? noFigure)),
        measured(trial) ? wholeNumber(trial.throughput.mean) : noFigure,
        intervalPhrase(trial),
        ...(disturbed ? [orDash(trial.disturbance?.takenPercent, takenPercentPhrase)] : []),
        ...(estimated ? [orDash(trial.undisturbed?.throughput, (value) => `≈ ${estimateFigure(value)}`)] : []),
        ofBest === null ? noFigure : `${Math.round(ofBest * 100)} %`,
        orDash(trial.latencyMs?.p50),
        orDash(trial.latencyMs?.p99),
        orDash(trial.latencyMs?.p999),
        orDash(app.cpuUsPerRequest),
        percentPhrase(app.cpuPercent),
        app.rssBytes === null ? noFigure : bytesPhrase(app.rssBytes),
        wholeNumber(trial.errors.total),
        ...(hasObjective ? [objectiveWord(trial)] : []),
        verdict(trial, ofBest, recommended),
      ]);
    }),
  };
}

/** The table of what each trial used of the machine: app, PostgreSQL, generator and host. CPU in percent of one core, the host's of all cores. */
export function resourceRows(run: RunRecord): TextTable {
  const names = shownSettings(run.trials);
  const recommended = recommendedKeys(run);
  return {
    columns: [
      text('Target'),
      ...names.map((name) => text(settingTitle(run, name))),
      number('app threads'),
      number('app switches/s'),
      number('PostgreSQL CPU'),
      number('PostgreSQL µs/req'),
      number('PostgreSQL memory'),
      number('generator CPU'),
      number('generator loop'),
      number('X·R/C'),
      number('other CPU'),
      number('stolen CPU'),
    ],
    rows: run.trials.map((trial) => {
      const { app, postgres, generator, host } = trial.resources;
      return row(trial, recommended, [
        trial.targetLabel,
        ...names.map((name) => String(valueOf(trial, name) ?? noFigure)),
        orDash(app.threads, wholeNumber),
        orDash(app.contextSwitchesPerSecond),
        percentPhrase(postgres.cpuPercent),
        orDash(postgres.cpuUsPerRequest),
        postgres.rssBytes === null ? noFigure : bytesPhrase(postgres.rssBytes),
        percentPhrase(generator.cpuPercent),
        generator.eventLoopUtilisation === null ? noFigure : `${Math.round(generator.eventLoopUtilisation * 100)} %`,
        orDash(generator.littleRatio, (value) => value.toFixed(2)),
        percentPhrase(host.otherPercent),
        percentPhrase(host.stealPercent),
      ]);
    }),
  };
}

/** What each process of a trial did where there are several of it, or a proxy before them; no rows where there is neither. */
export function instanceRows(run: RunRecord): TextTable {
  const names = shownSettings(run.trials);
  const recommended = recommendedKeys(run);
  const [process = '', ...figures] = instanceColumns;
  return {
    columns: [text('Target'), ...names.map((name) => text(settingTitle(run, name))), text(process), ...figures.map(number)],
    rows: run.trials.flatMap((trial) =>
      instanceCells(trial).map((cells) =>
        row(trial, recommended, [trial.targetLabel, ...names.map((name) => String(valueOf(trial, name) ?? noFigure)), ...cells]),
      ),
    ),
  };
}

/** Settings that get a column: those that vary (`connections` among them); if none does, the first one that the trials have. */
export function shownSettings(trials: readonly Trial[]): string[] {
  const names = settingNames(trials);
  const varied = [...names, connections].filter((name) => distinctValues(trials, name).length > 1);
  return varied.length > 0 ? varied : names.slice(0, 1);
}

/** What is the same in all trials that have it: "threads 50, connections 32". */
export function constantSettings(run: RunRecord): string {
  const shown = new Set(shownSettings(run.trials));
  return [...settingNames(run.trials), connections]
    .filter((name) => !shown.has(name))
    .flatMap((name) => {
      const value = distinctValues(run.trials, name)[0];
      return value === undefined ? [] : [`${settingTitle(run, name)} ${value}`];
    })
    .join(', ');
}

/** The name of a setting as the run's recommendations label it, else its own. */
export function settingTitle(run: RunRecord, name: string): string {
  return run.recommendations.find((recommendation) => recommendation.setting === name)?.settingLabel ?? name;
}

/** A trial as a phrase with what tells it from the others: "Java · pool 8". */
export function trialPhrase(run: RunRecord, trial: Trial): string {
  const parts = shownSettings(run.trials).flatMap((name) => {
    const value = valueOf(trial, name);
    return value === undefined ? [] : [name === connections ? `${value} connections` : `${name} ${value}`];
  });
  return [trial.targetLabel, ...parts].join(' · ');
}

const connections = 'connections';

function text(title: string): TableColumn {
  return { title, numeric: false, muted: false };
}

function number(title: string): TableColumn {
  return { title, numeric: true, muted: false };
}

function row(trial: Trial, recommended: Recommended, cells: string[]): TableRow {
  const status = recommended.get(trial.key);
  const unsure = status !== undefined && status !== 'confirmed' && isWide(trial.throughput);
  return { trialKey: trial.key, target: trial.target, valid: trial.valid, recommended: status !== undefined, unsure, cells };
}

function settingNames(trials: readonly Trial[]): string[] {
  return [...new Set(trials.flatMap((trial) => Object.keys(trial.settings)))];
}

function valueOf(trial: Trial, name: string): SettingValue | undefined {
  return name === connections && trial.settings[name] === undefined ? trial.connections : trial.settings[name];
}

function distinctValues(trials: readonly Trial[], name: string): SettingValue[] {
  return [...new Set(trials.map((trial) => valueOf(trial, name)))].filter((value) => value !== undefined);
}

/** How sure each recommended trial is, by its key. */
type Recommended = ReadonlyMap<string, Recommendation['status']>;

function recommendedKeys(run: RunRecord): Recommended {
  return new Map(
    run.recommendations.flatMap(({ trialKey, value, status }) =>
      trialKey === null || value === null ? [] : [[trialKey, status] as const],
    ),
  );
}

function measured(trial: Trial): boolean {
  return trial.throughput.blocks.length > 0 || trial.throughput.mean > 0;
}

function bestByTarget(trials: readonly Trial[]): Map<string, number> {
  const best = new Map<string, number>();
  for (const trial of trials) if (trial.valid) best.set(trial.target, Math.max(best.get(trial.target) ?? 0, trial.throughput.mean));
  return best;
}

function shareOfBest(trial: Trial, best: ReadonlyMap<string, number>): number | null {
  const top = best.get(trial.target);
  return top === undefined || top <= 0 || !trial.valid || trial.throughput.mean <= 0 ? null : trial.throughput.mean / top;
}

function verdict(trial: Trial, ofBest: number | null, recommended: Recommended): string {
  if (!trial.valid) return 'not valid';
  if (!measured(trial)) return 'not measured';
  if (recommended.has(trial.key)) return 'recommended';
  if (ofBest === null) return '';
  if (ofBest === 1) return 'best';
  return ofBest >= 1 - delta ? 'within 5 % of best' : `${Math.round((1 - ofBest) * 100)} % below best`;
}

function objectiveWord({ slo }: Trial): string {
  if (slo === null || slo.passed === null) return 'not judged';
  return slo.passed ? 'met' : 'missed';
}

function intervalPhrase(trial: Trial): string {
  const { ciLow, ciHigh } = trial.throughput;
  return ciLow === null || ciHigh === null ? noFigure : `${wholeNumber(ciLow)} – ${wholeNumber(ciHigh)}`;
}

function orDash(value: number | null | undefined, format: (value: number) => string = figure): string {
  return value === null || value === undefined ? noFigure : format(value);
}

function percentPhrase(value: number | null): string {
  return value === null ? noFigure : `${value >= 10 ? wholeNumber(value) : value.toFixed(1)} %`;
}

/** What the columns of a disturbance mean, as sentences under the table; empty where there are none. */
export function disturbanceNote({ trials }: RunRecord): string {
  return [
    ...(trials.some((trial) => isNoticeable(trial.disturbance))
      ? ['CPU taken: the share that other machines and programs took away meanwhile; it widens intervals and voids nothing.']
      : []),
    ...(trials.some((trial) => trial.undisturbed !== null)
      ? ['Left alone: an estimate of a machine that nobody else uses, from CPU per request.']
      : []),
  ].join(' ');
}

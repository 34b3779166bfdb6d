import { latencyQuantiles } from '../../domain/latency.ts';
import type { RunRecord, Trial } from '../../domain/run.ts';
import { type StatementUse, answeredRequests } from '../../domain/statement.ts';

type Labels = Readonly<Record<string, string | number>>;
interface Sample {
  labels: Labels;
  value: number | null | undefined;
}

/**
 * One metric: its name after `benchside_`, with its unit as Prometheus has units (seconds, bytes), what it says, and its values in a run. All are gauges: a
 * run is over.
 */
interface Family {
  name: string;
  help: string;
  of: (run: RunRecord) => Sample[];
}

/** Of each trial, one value or several. */
function ofTrials(of: (trial: Trial) => { labels?: Labels; value: number | null | undefined }[]): Family['of'] {
  return (run) =>
    run.trials.flatMap((trial) => of(trial).map(({ labels, value }) => ({ labels: { ...trialLabels(run, trial), ...labels }, value })));
}
const one = (of: (trial: Trial) => number | null | undefined): Family['of'] => ofTrials((trial) => [{ value: of(trial) }]);
const ofRun =
  (of: (run: RunRecord) => number): Family['of'] =>
  (run) => [{ labels: { run: run.id }, value: of(run) }];

const parts = ['app', 'postgres', 'generator'] as const;
const seconds = (ms: number | null | undefined): number | null => (ms == null ? null : ms / 1000);
const perRequest = (trial: Trial, of: (use: StatementUse) => number): number | null => {
  const requests = answeredRequests(trial);
  return trial.statements === undefined || requests === 0 ? null : trial.statements.reduce((sum, use) => sum + of(use), 0) / requests;
};

const families: readonly Family[] = [
  {
    name: 'run_info',
    help: 'The run that the other values are of.',
    of: ({ id, title, state, environment: { benchside, node, java, postgres, git } }) => [
      {
        labels: { run: id, title, state, benchside, node, java: java ?? '', postgres: postgres ?? '', commit: git?.commit ?? '' },
        value: 1,
      },
    ],
  },
  { name: 'run_started_seconds', help: 'When the run began, since 1970.', of: ofRun(({ startedAt }) => Date.parse(startedAt) / 1000) },
  { name: 'run_duration_seconds', help: 'How long the run took.', of: ofRun(({ durationMs }) => durationMs / 1000) },
  { name: 'trial_valid', help: '1: the trial counts, 0: something else was measured.', of: one(({ valid }) => (valid ? 1 : 0)) },
  { name: 'requests', help: 'Requests that were answered in the measured windows.', of: one(({ requests }) => requests) },
  { name: 'throughput_requests_per_second', help: 'Mean throughput.', of: one(({ throughput }) => throughput.mean) },
  {
    name: 'throughput_bound_requests_per_second',
    help: 'Ends of the 95 % interval of the mean throughput.',
    of: ofTrials(({ throughput: { ciLow, ciHigh } }) => [
      { labels: { bound: 'low' }, value: ciLow },
      { labels: { bound: 'high' }, value: ciHigh },
    ]),
  },
  {
    name: 'latency_seconds',
    help: 'Quantiles of the latency of a request.',
    of: ofTrials(({ latencyMs }) =>
      latencyQuantiles.map(({ key, share }) => ({ labels: { quantile: share }, value: seconds(latencyMs?.[key]) })),
    ),
  },
  { name: 'latency_mean_seconds', help: 'Mean latency of a request.', of: one(({ latencyMs }) => seconds(latencyMs?.mean)) },
  { name: 'latency_max_seconds', help: 'Longest latency of a request.', of: one(({ latencyMs }) => seconds(latencyMs?.max)) },
  {
    name: 'errors',
    help: 'Requests that failed in the measured windows, by kind.',
    of: ofTrials(({ errors }) =>
      Object.entries(errors).flatMap(([kind, value]) =>
        typeof value === 'number' && kind !== 'total' ? [{ labels: { kind }, value }] : [],
      ),
    ),
  },
  {
    name: 'cpu_seconds_per_request',
    help: 'CPU time for each request, by who used it.',
    of: ofTrials(({ resources }) =>
      parts.map((part) => {
        const us = resources[part]?.cpuUsPerRequest;
        return { labels: { part }, value: us == null ? null : us / 1e6 };
      }),
    ),
  },
  {
    name: 'memory_bytes',
    help: 'Resident memory, by whose it is.',
    of: ofTrials(({ resources }) => parts.map((part) => ({ labels: { part }, value: resources[part]?.rssBytes }))),
  },
  { name: 'pool_busy_connections', help: 'Connections of the pool that were lent, on the mean.', of: one(({ pool }) => pool?.busy) },
  { name: 'pool_waiting_requests', help: 'Requests that waited for a connection, on the mean.', of: one(({ pool }) => pool?.pending) },
  { name: 'pool_wait_seconds', help: 'Mean wait for a connection.', of: one(({ pool }) => seconds(pool?.waitMs)) },
  {
    name: 'statements_per_request',
    help: 'Statements for each request, by PostgreSQL.',
    of: one((trial) => perRequest(trial, ({ calls }) => calls)),
  },
  { name: 'rows_per_request', help: 'Rows that these gave or changed.', of: one((trial) => perRequest(trial, ({ rows }) => rows)) },
  {
    name: 'recommendation_info',
    help: 'The value of a setting that the run recommends.',
    of: ({ id, recommendations }) =>
      recommendations.flatMap(({ target, setting, value, status }) =>
        value === null ? [] : [{ labels: { run: id, target, setting, value, status }, value: 1 }],
      ),
  },
];

/**
 * The figures of a run in Prometheus’ text format 0.0.4 (https://prometheus.io/docs/instrumenting/exposition_formats): each metric once, with a line for each
 * value that is known. Settings of a trial are labels, `setting_` and their name. Times are in seconds, sizes in bytes.
 */
export function prometheusText(run: RunRecord): string {
  return families
    .flatMap(({ name, help, of }) => {
      const metric = `benchside_${name}`;
      const lines = of(run).flatMap(({ labels, value }) =>
        value == null || !Number.isFinite(value) ? [] : [`${metric}{${labelText(labels)}} ${value}`],
      );
      return lines.length === 0 ? [] : [`# HELP ${metric} ${help}`, `# TYPE ${metric} gauge`, ...new Set(lines)];
    })
    .map((line) => `${line}\n`)
    .join('');
}

function trialLabels({ id }: RunRecord, { target, settings, connections }: Trial): Labels {
  const named = Object.entries(settings).map(([name, value]): [string, string | number] => [`setting_${name.replace(/\W/g, '_')}`, value]);
  return { run: id, target, connections, ...Object.fromEntries(named) };
}

function labelText(labels: Labels): string {
  const escaped = (value: string | number): string =>
    String(value).replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n').replaceAll('\r', '');
  return Object.entries(labels)
    .map(([name, value]) => `${name}="${escaped(value)}"`)
    .join(',');
}

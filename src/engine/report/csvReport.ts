import { findingTexts } from '../../model/domain/findings.ts';
import type { Block, RunRecord, Trial } from '../../model/domain/run.ts';
import { presentedRun, runTable } from '../../model/presentation/runTable.ts';
import { csvText } from '../files/csvText.ts';

type CsvValue = string | number | boolean | null;

interface CsvColumn {
  name: string;
  /** For the documentation. */
  description: string;
  value: (run: RunRecord, trial: Trial, block: Block | undefined) => CsvValue;
}

/**
 * The columns of the CSV in their order. Behind `connections`, each setting of the run has a column `setting_<name>`; before `reasons`, each figure of its
 * table one of the whole trial, such as `trial_p99_ms`.
 * Figures are in full precision with a decimal point; what is not known is empty.
 */
export const csvColumns: readonly CsvColumn[] = [
  { name: 'run', description: 'id of the run', value: (run) => run.id },
  { name: 'started_at', description: 'start of the run, UTC, ISO 8601', value: (run) => run.startedAt },
  { name: 'target', description: 'id of the target', value: (_, trial) => trial.target },
  { name: 'runtime', description: 'node, jvm or other', value: (_, trial) => trial.runtime },
  { name: 'connections', description: 'connections of the closed loop', value: (_, trial) => trial.connections },
  { name: 'trial_valid', description: 'whether the trial counts', value: (_, trial) => trial.valid },
  {
    name: 'round',
    description: 'round of the block, from 1; empty when the trial has no block',
    value: (_run, _trial, block) => block?.round ?? null,
  },
  {
    name: 'start_ms',
    description: 'start of the measured window since the start of the run, ms',
    value: (_run, _trial, block) => block?.startMs ?? null,
  },
  { name: 'window_ms', description: 'length of the measured window, ms', value: (_run, _trial, block) => block?.windowMs ?? null },
  { name: 'block_valid', description: 'whether the block counts', value: (_run, _trial, block) => block?.valid ?? null },
  {
    name: 'cpu_taken_percent',
    description: 'share of the CPU that was taken away in the window; the block counts all the same',
    value: (_run, _trial, block) => block?.interference?.takenPercent ?? null,
  },
  {
    name: 'cpu_stolen_percent',
    description: 'of that, what the hypervisor gave to other machines',
    value: (_run, _trial, block) => block?.interference?.stealPercent ?? null,
  },
  {
    name: 'cpu_other_percent',
    description: 'of that, what other programs used',
    value: (_run, _trial, block) => block?.interference?.otherPercent ?? null,
  },
  { name: 'requests', description: 'requests answered in the window', value: (_run, _trial, block) => block?.requests ?? null },
  { name: 'throughput_per_s', description: 'requests/s', value: (_run, _trial, block) => block?.throughput ?? null },
  { name: 'bytes_per_s', description: 'bytes received per second', value: (_run, _trial, block) => block?.bytesPerSecond ?? null },
  ...(['mean', 'stddev', 'min', 'p50', 'p75', 'p90', 'p95', 'p99', 'p999', 'max'] as const).map((name): CsvColumn => ({
    name: `latency_${name}_ms`,
    description: `${name === 'stddev' ? 'standard deviation' : name === 'p999' ? 'p99.9' : name} of the latency, ms`,
    value: (_run, _trial, block) => block?.latencyMs?.[name] ?? null,
  })),
  ...(['total', 'refused', 'reset', 'timeout', 'status4xx', 'limited', 'status5xx', 'unanswered', 'unexpected', 'other'] as const).map(
    (name): CsvColumn => ({
      name: `errors_${name}`,
      description: `errors: ${name}`,
      value: (_run, _trial, block) => block?.errors[name] ?? null,
    }),
  ),
  {
    name: 'app_cpu_us_per_request',
    description: 'CPU time of the app per request, µs',
    value: (_run, _trial, block) => block?.appCpuUsPerRequest ?? null,
  },
  {
    name: 'generator_cpu_percent',
    description: 'CPU of the load generator, 100 is one core',
    value: (_run, _trial, block) => block?.generator.cpuPercent ?? null,
  },
  {
    name: 'generator_loop_utilisation',
    description: 'event-loop utilisation of the load generator, 0 to 1',
    value: (_run, _trial, block) => block?.generator.eventLoopUtilisation ?? null,
  },
  {
    name: 'generator_little_ratio',
    description: 'X·R/C, about 1 when the generator keeps up',
    value: (_run, _trial, block) => block?.generator.littleRatio ?? null,
  },
  {
    name: 'reasons',
    description: 'why block or trial do not count, joined by "; "',
    value: (_run, trial, block) => [...new Set(findingTexts([...(block?.reasons ?? []), ...trial.reasons]))].join('; '),
  },
];

/** What the table of the run has of a trial, in full precision: the same in each row of a trial. Shares are from 0 to 1. */
function trialColumns(run: RunRecord): CsvColumn[] {
  const { columns, rows } = runTable(presentedRun(run));
  const cells = new Map(run.trials.map((trial, index) => [trial, rows[index]?.cells]));
  return columns.flatMap(({ title, numeric, muted }, index): CsvColumn[] => {
    if (!numeric || muted) return [];
    const name = `trial_${title
      .toLowerCase()
      .replaceAll('µ', 'u')
      .replaceAll(/[^a-z0-9]+/g, '_')}`;
    return [{ name, description: title, value: (_, trial) => cells.get(trial)?.[index]?.sort ?? null }];
  });
}

/** The run as CSV (RFC 4180: CRLF, quotes doubled): a header, then one row for each block of each trial; a trial without blocks has one row. */
export function csvReport(run: RunRecord): string {
  const settings = [...new Set(run.trials.flatMap((trial) => Object.keys(trial.settings)))];
  const split = csvColumns.findIndex((column) => column.name === 'connections') + 1;
  const columns: readonly CsvColumn[] = [
    ...csvColumns.slice(0, split),
    ...settings.map((name): CsvColumn => ({ name: `setting_${name}`, description: '', value: (_, trial) => trial.settings[name] ?? null })),
    ...csvColumns.slice(split, -1),
    ...trialColumns(run),
    ...csvColumns.slice(-1),
  ];
  const rows = run.trials.flatMap((trial) => {
    const blocks: readonly (Block | undefined)[] = trial.blocks.length > 0 ? trial.blocks : [undefined];
    return blocks.map((block) => columns.map((column) => csvCell(column.value(run, trial, block))));
  });
  return [columns.map((column) => csvCell(column.name)), ...rows].map((cells) => `${cells.join(',')}\r\n`).join('');
}

export function csvCell(value: CsvValue): string {
  if (value === null) return '';
  return typeof value === 'string' ? csvText(value) : String(value);
}

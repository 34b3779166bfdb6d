import { findingTexts } from '../../model/domain/findings.ts';
import { latencyQuantiles } from '../../model/domain/latency.ts';
import type { Block, ErrorCounts, RunRecord, Trial } from '../../model/domain/run.ts';
import { presentedRun, runTable } from '../../model/presentation/runTable.ts';
import { csvText } from '../files/csvText.ts';

type CsvValue = string | number | boolean | null;

interface CsvColumn {
  name: string;
  value: (run: RunRecord, trial: Trial, block: Block | undefined) => CsvValue;
}

/** Empty where the trial has no block. */
function ofBlock(name: string, value: (block: Block) => CsvValue | undefined): CsvColumn {
  return { name, value: (_run, _trial, block) => (block === undefined ? null : (value(block) ?? null)) };
}

const latencyNames = ['mean', 'stddev', 'min', ...latencyQuantiles.map(({ key }) => key), 'max'] as const;
const errorNames = [
  'total',
  'refused',
  'reset',
  'timeout',
  'status4xx',
  'limited',
  'status5xx',
  'unanswered',
  'unexpected',
  'other',
] as const satisfies readonly (keyof ErrorCounts)[];

/**
 * The columns of the CSV in their order. Behind `connections`, each setting of the run has a column `setting_<name>`; before `reasons`, each figure of its
 * table one of the whole trial, such as `trial_p99_ms`.
 * Figures are in full precision with a decimal point; what is not known is empty.
 */
export const csvColumns: readonly CsvColumn[] = [
  { name: 'run', value: (run) => run.id },
  { name: 'started_at', value: (run) => run.startedAt },
  { name: 'target', value: (_, trial) => trial.target },
  { name: 'runtime', value: (_, trial) => trial.runtime },
  { name: 'connections', value: (_, trial) => trial.connections },
  { name: 'trial_valid', value: (_, trial) => trial.valid },
  ofBlock('round', ({ round }) => round),
  // Since the start of the run.
  ofBlock('start_ms', ({ startMs }) => startMs),
  ofBlock('window_ms', ({ windowMs }) => windowMs),
  ofBlock('block_valid', ({ valid }) => valid),
  // The block counts all the same. Stolen: what the hypervisor gave to other machines.
  ofBlock('cpu_taken_percent', ({ interference }) => interference?.takenPercent),
  ofBlock('cpu_stolen_percent', ({ interference }) => interference?.stealPercent),
  ofBlock('cpu_other_percent', ({ interference }) => interference?.otherPercent),
  ofBlock('requests', ({ requests }) => requests),
  ofBlock('throughput_per_s', ({ throughput }) => throughput),
  ofBlock('bytes_per_s', ({ bytesPerSecond }) => bytesPerSecond),
  ...latencyNames.map((name) => ofBlock(`latency_${name}_ms`, ({ latencyMs }) => latencyMs?.[name])),
  ...errorNames.map((name) => ofBlock(`errors_${name}`, ({ errors }) => errors[name])),
  ofBlock('app_cpu_us_per_request', ({ appCpuUsPerRequest }) => appCpuUsPerRequest),
  // Of one core.
  ofBlock('generator_cpu_percent', ({ generator }) => generator.cpuPercent),
  ofBlock('generator_loop_utilisation', ({ generator }) => generator.eventLoopUtilisation),
  ofBlock('generator_little_ratio', ({ generator }) => generator.littleRatio),
  {
    name: 'reasons',
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
    return [{ name, value: (_, trial) => cells.get(trial)?.[index]?.sort ?? null }];
  });
}

/** The run as CSV (RFC 4180: CRLF, quotes doubled): a header, then one row for each block of each trial; a trial without blocks has one row. */
export function csvReport(run: RunRecord): string {
  const settings = [...new Set(run.trials.flatMap((trial) => Object.keys(trial.settings)))];
  const split = csvColumns.findIndex((column) => column.name === 'connections') + 1;
  const columns: readonly CsvColumn[] = [
    ...csvColumns.slice(0, split),
    ...settings.map((name): CsvColumn => ({ name: `setting_${name}`, value: (_, trial) => trial.settings[name] ?? null })),
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

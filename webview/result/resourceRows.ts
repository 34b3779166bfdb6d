import type { Trial } from '../../src/model/domain/run.ts';
import { figure, noFigure, wholeNumber } from '../../src/model/domain/format.ts';
import { roundUp } from '../kit/charts/labelSpread.ts';
import { memoryPhrase } from '../kit/figures/words.ts';

/** The program whose use of the machine a mark shows. */
export type Owner = 'app' | 'postgres' | 'generator';

export const owners: Record<Owner, { label: string; color: string; mark: 'circle' | 'diamond' | 'ring' }> = {
  app: { label: 'App', color: 'var(--bs-kind-app)', mark: 'circle' },
  postgres: { label: 'PostgreSQL', color: 'var(--bs-kind-postgres)', mark: 'diamond' },
  generator: { label: 'Load generator', color: 'var(--bs-kind-generator)', mark: 'ring' },
};

/** One of the small charts: a row for each trial, a mark for each owner, all rows on one scale. */
export interface ResourceChart {
  id: 'cpu' | 'perRequest' | 'memory';
  heading: string;
  subtitle: string;
  /** `parts`: lengths that add up (time); `marks`: places on a scale. */
  kind: 'marks' | 'parts';
  owners: Owner[];
  top: number;
  rows: { trial: Trial; values: { owner: Owner; value: number; text: string }[]; text: string }[];
}

/** The three small charts on what the trials used: CPU, CPU time per request, memory. */
export function resourceCharts(trials: readonly Trial[]): ResourceChart[] {
  const shown = trials.filter((trial) => trial.requests > 0);
  return [
    chartOf(shown, {
      id: 'cpu',
      heading: 'CPU',
      subtitle: '% of one core, mean while measured',
      kind: 'marks',
      owners: ['app', 'postgres', 'generator'],
      valueOf: (trial, owner) => trial.resources[owner].cpuPercent,
      format: wholeNumber,
      unit: ' %',
    }),
    chartOf(shown, {
      id: 'perRequest',
      heading: 'CPU time per request',
      subtitle: 'µs: where a request’s CPU time goes',
      kind: 'parts',
      owners: ['app', 'postgres'],
      valueOf: (trial, owner) => trial.resources[owner].cpuUsPerRequest,
      format: figure,
      unit: ' µs',
    }),
    chartOf(shown, {
      id: 'memory',
      heading: 'Memory',
      subtitle: 'resident, shared pages counted once',
      kind: 'marks',
      owners: ['app', 'postgres'],
      valueOf: (trial, owner) => trial.resources[owner].rssBytes,
      format: memoryPhrase,
      unit: '',
    }),
  ];
}

interface ChartSource extends Pick<ResourceChart, 'id' | 'heading' | 'subtitle' | 'kind' | 'owners'> {
  valueOf: (trial: Trial, owner: Owner) => number | null;
  format: (value: number) => string;
  unit: string;
}

function chartOf(trials: readonly Trial[], { valueOf, format, unit, ...chart }: ChartSource): ResourceChart {
  const adds = chart.kind === 'parts';
  const rows = trials.map((trial) => {
    const values = chart.owners.flatMap((owner) => {
      const value = valueOf(trial, owner);
      return value === null ? [] : [{ owner, value, text: `${owners[owner].label} ${format(value)}${unit}` }];
    });
    const total = values.reduce((sum, part) => sum + part.value, 0);
    const words = adds ? format(total) : values.map((part) => format(part.value)).join(' · ');
    const reach = adds ? total : Math.max(0, ...values.map((part) => part.value));
    return { trial, values, reach, text: values.length === 0 ? noFigure : words };
  });
  const most = Math.max(chart.id === 'cpu' ? 100 : 0, ...rows.map(({ reach }) => reach));
  return { ...chart, rows, top: chart.id === 'memory' ? most * 1.04 || 1 : roundUp(most) };
}

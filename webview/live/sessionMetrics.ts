import { figure, noFigure, orDash, wholeNumber } from '../../src/model/domain/format.ts';
import type { LiveSample } from '../../src/model/protocol/live.ts';
import type { SessionLine } from './sessionChart.ts';

export interface SessionChart {
  heading: string;
  subtitle: string;
  lines: SessionLine[];
  /** Its present values, for screen readers. */
  summary: (sample: LiveSample | undefined) => string;
}

const muted = 'var(--bs-muted)';

/** Throughput, latency, pool and CPU; `color` is that of the target. */
export function sessionCharts(color: string): SessionChart[] {
  return [
    {
      heading: 'Throughput',
      subtitle: 'requests/s · a vertical line where a setting was moved',
      lines: [{ name: 'req/s', value: (sample) => sample.throughput, color }],
      summary: (sample) => (sample ? `Now ${wholeNumber(sample.throughput)} requests/s.` : 'No load yet.'),
    },
    {
      heading: 'Latency',
      subtitle: 'ms · closed loop',
      lines: [
        { name: 'p50', value: (sample) => sample.p50Ms, color: muted },
        { name: 'p99', value: (sample) => sample.p99Ms, color },
      ],
      summary: (sample) => (sample ? `Now p50 ${orDash(sample.p50Ms)} ms, p99 ${orDash(sample.p99Ms)} ms.` : 'No load yet.'),
    },
    {
      heading: 'Pool',
      subtitle: 'connections · busy, their most, and requests that wait for one',
      lines: [
        { name: 'most', value: (sample) => sample.pool?.max ?? null, color: muted, dash: '4 3', stepped: true },
        { name: 'busy', value: (sample) => sample.pool?.busy ?? null, color },
        { name: 'waiting', value: (sample) => sample.pool?.pending ?? null, color: 'var(--bs-kind-pool)', dash: '2 2' },
      ],
      summary: (sample) =>
        sample?.pool
          ? `Now ${figure(sample.pool.busy)} busy of ${orDash(sample.pool.max, wholeNumber)}, ${figure(sample.pool.pending)} waiting.`
          : 'The pool is not seen.',
    },
    {
      heading: 'CPU',
      subtitle: '% of one core',
      lines: [
        { name: 'app', value: (sample) => sample.appCpuPercent, color: 'var(--bs-kind-app)' },
        { name: 'PostgreSQL', value: (sample) => sample.postgresCpuPercent, color: 'var(--bs-kind-postgres)', dash: '6 2' },
        { name: 'generator', value: (sample) => sample.generatorCpuPercent, color: 'var(--bs-kind-generator)', dash: '2 3' },
      ],
      summary: (sample) =>
        sample
          ? `Now the app uses ${percent(sample.appCpuPercent)} of a core, PostgreSQL ${percent(sample.postgresCpuPercent)}.`
          : 'No load yet.',
    },
  ];
}

/** The latest figures as rows of name and value; a dash where nothing is known. */
export function metricsNow(sample: LiveSample | undefined): [string, string][] {
  const { pool, threads } = sample ?? {};
  const of = (busy: number | undefined, max: number | null | undefined): string =>
    busy === undefined ? noFigure : `${figure(busy)} of ${orDash(max, wholeNumber)}`;
  return [
    ['requests/s', orDash(sample?.throughput, wholeNumber)],
    ['p50 ms', orDash(sample?.p50Ms)],
    ['p99 ms', orDash(sample?.p99Ms)],
    ['errors', orDash(sample?.errors, wholeNumber)],
    ['connections busy', of(pool?.busy, pool?.max)],
    ['waiting for a connection', orDash(pool?.pending)],
    ['threads busy', of(threads?.busy, threads?.max)],
    ['waiting for a thread', orDash(threads?.queue)],
    ['event loop', sample?.eventLoopUtilisation == null ? noFigure : percent(sample.eventLoopUtilisation * 100)],
    ['app CPU', percent(sample?.appCpuPercent)],
    ['PostgreSQL CPU', percent(sample?.postgresCpuPercent)],
    ['load generator CPU', percent(sample?.generatorCpuPercent)],
  ];
}

function percent(value: number | null | undefined): string {
  return orDash(value, (known) => `${wholeNumber(known)} %`);
}

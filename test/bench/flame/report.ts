import type { Input } from './inputs.ts';
import type { Measurement } from './measure.ts';
import type { Work } from './measureWork.ts';
import type { Viewer } from './viewers.ts';

/** Median, and lowest to highest where there are several. */
function figure(values: readonly (number | null | undefined)[], unit: string, digits = 0): string {
  const known = values.filter((value) => typeof value === 'number').sort((a, b) => a - b);
  if (known.length === 0) return '–';
  const middle = known.length / 2;
  const median = known.length % 2 === 1 ? known[Math.floor(middle)] : ((known[middle - 1] ?? 0) + (known[middle] ?? 0)) / 2;
  const text = (value: number | undefined): string => (value ?? Number.NaN).toFixed(digits);
  return known.length === 1 ? `${text(median)} ${unit}` : `${text(median)} ${unit} (${text(known[0])}–${text(known.at(-1))})`;
}

/** Tables for each input: what was measured, as median (lowest–highest). */
export function markdown(
  inputs: readonly Input[],
  measurements: readonly Measurement[],
  viewers: readonly Viewer[],
  madeMs: Readonly<Record<string, number>>,
): string {
  const parts: string[] = [];
  for (const input of inputs) {
    const share = (100 * input.heavy.self) / input.total;
    parts.push(
      `## ${input.name}: ${input.nodes.toLocaleString('en')} nodes, ${(input.bytes / 1e6).toFixed(1)} MB`,
      `sha256 ${input.sha256}${input.expectedSha256 === null ? ' (recorded here)' : ''}; \`${input.heavy.name}\` has ${share.toFixed(2)} % itself`,
      '| viewer | made beforehand | file read | first picture | CPU time until then | all nodes | JS heap | page and workers | says of the heavy function | failures |',
      '|---|---|---|---|---|---|---|---|---|---|',
    );
    const rows = viewers.map((viewer) => ({
      viewer,
      of: measurements.filter((one) => one.input === input.name && one.viewer === viewer.id),
    }));
    for (const { viewer, of } of rows.filter((row) => row.of.length > 0)) {
      const shown = of.find((one) => one.shown !== null)?.shown ?? null;
      const failures = of.filter((one) => one.failure !== null);
      parts.push(
        `| ${[
          viewer.label,
          figure([madeMs[`${input.name} ${viewer.id}`] || null], 'ms'),
          figure(
            of.map((one) => one.readMs),
            'ms',
          ),
          figure(
            of.map((one) => one.firstPictureMs),
            'ms',
          ),
          figure(
            of.map((one) => one.firstPictureCpuMs),
            'ms',
          ),
          figure(
            of.map((one) => one.completeMs),
            'ms',
          ),
          figure(
            of.map((one) => one.jsHeapMb),
            'MB',
          ),
          figure(
            of.map((one) => one.pageMemoryMb),
            'MB',
          ),
          shown === null ? '–' : shown.heavyPercent === null ? 'see results.json' : `${shown.heavyPercent.toFixed(2)} %`,
          failures.length === 0 ? '0' : `${failures.length}: ${failures[0]?.failure ?? ''}`,
        ].join(' | ')} |`,
      );
    }
    parts.push('', '| switch of view | time |', '|---|---|');
    for (const { viewer, of } of rows) {
      for (const { name } of viewer.switches)
        if (of.length > 0)
          parts.push(
            `| ${viewer.label}: ${name} | ${figure(
              of.map((one) => one.switches[name]),
              'ms',
            )} |`,
          );
    }
    parts.push('', ...workTable(rows.flatMap(({ of }) => of.flatMap(({ work }) => (work === null ? [] : [work])))));
  }
  return parts.join('\n');
}

function workTable(works: readonly Work[]): string[] {
  if (works.length === 0) return [];
  const rows: [keyof Work, string][] = [
    ['zoomFrame', 'script per frame, wheel zoom in and out'],
    ['dragFrame', 'script per frame, drag'],
    ['deepFrame', 'script per frame, drag far zoomed in'],
    ['hitTest', 'hit test'],
    ['search', 'search while typing'],
  ];
  return [
    '| ours | p50 | p95 | highest |',
    '|---|---|---|---|',
    ...rows.map(([key, label]) => {
      const digits = key === 'hitTest' ? 4 : 2;
      const column = (pick: 'p50' | 'p95' | 'max'): string =>
        figure(
          works.map((work) => work[key][pick]),
          'ms',
          digits,
        );
      return `| ${label} | ${column('p50')} | ${column('p95')} | ${column('max')} |`;
    }),
    '',
  ];
}

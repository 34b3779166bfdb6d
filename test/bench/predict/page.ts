import { type Judged, type MeasuredCell, judged } from './results.ts';

const kinds = [
  ['rtt', 'from no distance to the database for 0.5 and 2 ms'],
  ['instances', 'from one instance for two'],
  ['cores', 'from one core of the app for two'],
] as const;

/** docs/predictions.md: what came out, from the stored results alone. */
export function page(measured: readonly MeasuredCell[], planned: number): string {
  const results = measured.flatMap(({ cell, kind, results: all }) => all.map((one) => ({ ...judged(one), cell, kind })));
  const failed = measured.filter((one) => one.failed !== null);
  return `# Predictions, as measured

<!-- Written by \`npm run bench predict\` from test/bench/predict/results. Change the bench, not this page. -->

\`npm run bench predict\` measures both samples in several surroundings within one run each, predicts each from the first of them as
\`benchside predict\` does, and looks whether what was measured lies in the interval of the prediction. It was measured with 1 and 16 connections on a machine of
two cores that app, database, load and the proxy of the distance share. The CPU time of load and proxy, which are no part of the service, is taken from the side that
is predicted, and so is how long a round trip lasted there: the proxy waits for a core itself. The rules were set on earlier runs of the first cell; that processes differ, and in what, came into the interval after some of these cells were seen, with figures of another service. Everything that was measured counts. It can be broken off and taken up again.

Other programs took ${percent(median(results.map(({ service }) => service.takenShare)))} of the machine meanwhile (median). What they took could be the service’s or not, so that the intervals are as wide as that.

| predicted | in the interval | goal | width of the interval (median) | off by (median) |
| --- | --- | --- | --- | --- |
${[
  ...kinds.map(([kind, words]) =>
    row(
      words,
      results.filter((one) => one.kind === kind),
    ),
  ),
  row('**all**', results),
].join('\n')}

${measured.length} of ${planned} cells were run${failed.length === 0 ? '' : `; ${failed.length} gave no result (${failed.map((one) => `${one.cell}: ${one.failed ?? ''}`).join('; ')})`}.

| cell | predicted for | from | predicted (requests/s) | measured | in | full |
| --- | --- | --- | --- | --- | --- | --- |
${results.map(line).join('\n')}
`;
}

function line({ cell, to, service, throughput: { mean, low, high }, measured, isIn, full }: Judged & { cell: string }): string {
  const from = service.loads.at(-1)?.throughput.mean ?? 0;
  const cellsOf = [`\`${cell}\``, to.replaceAll('|', ', '), whole(from), `${whole(mean)} (${whole(low)} to ${whole(high)})`];
  return `| ${[...cellsOf, whole(measured), isIn ? 'yes' : '**no**', full ?? 'nothing'].join(' | ')} |`;
}

function row(words: string, results: readonly Judged[]): string {
  const count = results.filter(({ isIn }) => isIn).length;
  const share = results.length === 0 ? 'not run yet' : `${count} of ${results.length} (${Math.round((100 * count) / results.length)} %)`;
  const width = median(results.map(({ throughput: { low, high, mean } }) => (high - low) / mean));
  const off = median(results.map(({ throughput: { mean }, measured }) => Math.abs(mean / measured - 1)));
  return `| ${words} | ${share} | ≥ 90 % | ${percent(width)} | ${percent(off)} |`;
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function percent(share: number): string {
  return Number.isNaN(share) ? '–' : `${Math.round(100 * share)} %`;
}

function whole(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}

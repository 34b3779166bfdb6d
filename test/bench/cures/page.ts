import { planted } from './planted.ts';
import type { Measured } from './measured.ts';

const outcomeWords: Readonly<Record<Measured['outcome'], string>> = {
  first: 'the cure',
  wrong: '**another**',
  none: '**nothing**',
  failed: '**failed**',
};

/** docs/cures.md: what came out, from the stored results alone. */
export function page(results: readonly Measured[]): string {
  const known = planted.flatMap((one) => results.filter(({ plant }) => plant === one.id).map((result) => ({ one, result })));
  const nothing = known.flatMap(({ result }) => result.tried.filter(({ is }) => is === 'nothing'));
  const longest = Math.max(0, ...known.map(({ result }) => result.spentS));
  const rows = known.map(({ one, result }) => {
    const first = result.tried.find(({ id }) => id === result.first);
    const without = result.tried.filter(({ is }) => is === 'nothing');
    const wrong = without.filter(({ isUseful }) => isUseful).map(({ id }) => id);
    return [
      one.is,
      one.cure,
      outcomeWords[result.outcome],
      first === undefined ? '' : `${first.id}, ${change(first.mean)} (${change(first.low)} to ${change(first.high)})`,
      without.length,
      wrong.length === 0 ? 'none' : `**${wrong.join(', ')}**`,
      `${Math.round(result.spentS)} s`,
    ].join(' | ');
  });
  return `# Whether advice finds the cure, as measured

<!-- Written by \`npm run bench cures -- --report\` from test/bench/cures/results. Change the bench, not this page. -->

\`npm run bench cures\` asks \`benchside advise\` of a small service with one thing wrong. What else is tried there and is not used by the service does nothing, and two of its
settings are read by nobody. Everything that was measured counts, on a machine of two cores that other programs use at the same time. It can be broken off and taken
up again.

| what | measured | goal |
| --- | --- | --- |
| the cure comes first | ${share(known.length, known.filter(({ result }) => result.outcome === 'first').length)} | ≥ 90 % |
| what does nothing is called useful | ${share(nothing.length, nothing.filter(({ isUseful }) => isUseful).length)} | ≤ 5 % |
| the longest search | ${Math.round(longest)} s | ≤ 300 s |

${known.length} searches, of ${planted.length} services. So few say little of a share: 10 of 10 may be 74 % in truth, and 0 of 10 may be 26 % (95 %, one-sided, Clopper–Pearson).

| planted | cure | first | which | does nothing | of that called useful | time |
| --- | --- | --- | --- | --- | --- | --- |
${rows.map((row) => `| ${row} |`).join('\n')}
`;
}

function change(ratio: number | null): string {
  if (ratio === null) return '–';
  const percent = Math.round(100 * (ratio - 1));
  return `${percent < 0 ? '−' : '+'}${Math.abs(percent)} %`;
}

function share(all: number, some: number): string {
  return all === 0 ? 'not run yet' : `${some} of ${all} (${Math.round((100 * some) / all)} %)`;
}

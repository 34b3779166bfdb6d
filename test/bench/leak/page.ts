import { planted } from './planted.ts';
import type { Measured } from './measured.ts';

/** docs/leaks.md: what came out, from the stored results alone. */
export function page(results: readonly Measured[]): string {
  const of = (leaks: boolean): Measured[] =>
    planted
      .filter((one) => one.leaks === leaks)
      .flatMap(({ runtime, kind }) => results.filter(({ variant }) => variant === `${runtime} ${kind}`));
  const [withLeak, without] = [of(true), of(false)];
  const named = withLeak.filter((one) => one.named !== null);
  const rows = planted.flatMap(({ runtime, kind, is, leaks }) =>
    results
      .filter(({ variant }) => variant === `${runtime} ${kind}`)
      .map(({ outcome, verdict, kept, low, high, named: isNamed, cycles, requests, spentS }) =>
        [
          runtime,
          is,
          leaks ? 'yes' : 'no',
          outcome === 'failed' ? 'failed' : verdict,
          kept === null ? '–' : `${whole(kept)} (${whole(low)} to ${whole(high)})`,
          isNamed === null ? '' : isNamed ? 'yes' : 'no',
          `${cycles}, ${requests.toLocaleString('en-US')}`,
          `${Math.round(spentS)} s`,
        ].join(' | '),
      ),
  );
  return `# Whether it leaks, as measured

<!-- Written by \`npm run bench leak -- --report\` from test/bench/leak/results. Change the bench, not this page. -->

\`npm run bench leak\` asks \`benchside leak\` of small services whose answer is known: a leak is planted in some, and others have what
looks like one (a cache that fills, a pool, timers). Each look has the usual budget of one minute and 8 connections. Everything that was measured counts, on a machine of
two cores that other programs use at the same time. It can be broken off and taken up again.

| what | measured | goal |
| --- | --- | --- |
| leaks of 100 bytes per request and more: found | ${share(withLeak, ({ outcome }) => outcome === 'right')} | ≥ 95 % |
| nothing planted: called a leak | ${share(without, ({ outcome }) => outcome === 'wrong')} | ≤ 2 % |
| nothing planted: undecided yet | ${share(without, ({ outcome }) => outcome === 'withheld')} | – |
| leaks that were found: what keeps it is named | ${share(named, (one) => one.named === true)} | – |

${withLeak.length + without.length} looks, of ${planted.length} services. So few say little of a share: 10 of 10 may be 74 % in truth, and 0 of 10 may be 26 % (95 %, one-sided, Clopper–Pearson).

| runtime | planted | leaks | answer | bytes per request (99 %) | named | cycles, requests | time |
| --- | --- | --- | --- | --- | --- | --- | --- |
${rows.map((row) => `| ${row} |`).join('\n')}
`;
}

function whole(value: number | null): string {
  return value === null ? '–' : String(Math.round(value));
}

function share(all: readonly Measured[], is: (one: Measured) => boolean): string {
  const count = all.filter(is).length;
  return all.length === 0 ? 'not run yet' : `${count} of ${all.length} (${Math.round((100 * count) / all.length)} %)`;
}

import { capital, withoutStop } from '../domain/sentence.ts';
import { findingText } from '../domain/findings.ts';
import type { Comparison, ComparisonRow } from '../domain/comparison.ts';
import { changePhrase } from '../domain/format.ts';
import { withinPhrase } from '../domain/margin.ts';
import type { Verdict } from '../domain/tuning.ts';
import { type SideNames, comparedSentence, sentenceWithCure } from './comparedWords.ts';

export interface ComparisonSaid {
  verdict: string;
  /** The same without what would decide, for who offers to do it. */
  withoutCure: string;
  /** Why it may be wrong all the same; empty where nothing says so. */
  caution: string;
}

/** Differences of machine and versions; each of them alone can explain a difference of the figures. */
const otherMachine = new Set(['CPU', 'cores', 'memory', 'platform', 'virtualisation', 'kernel']);
const otherRequests = /^(requests to |connections$)/;
const mostNamed = 3;

/** The verdict as a person would say it, the throughput first, and what speaks against trusting it. */
export function comparisonSaid({ a, b, rows, differences, delta, sameRun }: Comparison): ComparisonSaid {
  const sides = { a: a.name, b: b.name };
  if (rows.length === 0) return said('Nothing was measured that could be compared.');
  if (sameRun && rows.every((row) => row.a?.key === row.b?.key))
    return said('Both sides are the same.', 'Choose another run, or another setting of this one.');
  const both = rows.filter((row) => row.a !== null && row.b !== null);
  if (both.length === 0) return said('The two have no setting in common.', 'Choose one setting of each to compare these.');
  const valid = both.filter((row) => row.throughput !== null);
  if (valid.length === 0) return said(invalidSentence(both, sides));
  const undecided = valid.some((row) => row.throughput?.verdict === 'unknown');
  const caution = [
    cautionSentence(differences),
    undecided && !sameRun && valid.length > 1
      ? 'Two runs at different times differ anyway: settings of one run, side by side, can be distinguished much better.'
      : '',
  ].filter((sentence) => sentence !== '');
  const [only] = valid;
  if (valid.length > 1 || only?.throughput == null) return said(manySentence(valid, sides, withinPhrase(delta)), ...caution);
  const p99 =
    only.p99 !== null && (only.p99.verdict === 'better' || only.p99.verdict === 'worse')
      ? ` ${capital(comparedSentence(only.p99, sides))}.`
      : '';
  return {
    verdict: `${capital(sentenceWithCure(only.throughput, sides))}.${p99}`,
    withoutCure: `${capital(comparedSentence(only.throughput, sides))}.${p99}`,
    caution: caution.join(' '),
  };
}

function said(verdict: string, ...caution: string[]): ComparisonSaid {
  return { verdict, withoutCure: verdict, caution: caution.join(' ') };
}

/** All of it, for who shows it in one piece. */
export function comparisonHeadline(comparison: Comparison): string {
  const { verdict, caution } = comparisonSaid(comparison);
  return [verdict, caution].filter((sentence) => sentence !== '').join(' ');
}

/** What the figures next to the sentence show as a change: less is “0 %” there, and no direction. */
const leastShown = 0.0005;

/** "The run of 14:02 is faster in 2 of 8 settings, most at java · pool 4 (12 % faster), and slower in none; 5 are not decided." */
function manySentence(rows: readonly ComparisonRow[], { a, b }: SideNames, within: string): string {
  const by = (verdict: Verdict): ComparisonRow[] => rows.filter((row) => row.throughput?.verdict === verdict);
  const [better, worse, same, unknown] = [by('better'), by('worse'), by('same'), by('unknown')];
  const total = rows.length;
  const all = total === 2 ? 'both' : `all ${total}`;
  if (same.length === total) return capital(`${b} is as fast as ${a} in ${all} settings, within ${within}.`);
  if (unknown.length === total) {
    const changes = unknown.map(({ throughput }) => (throughput?.ratio.mean ?? 1) - 1);
    const faster = changes.filter((change) => change >= leastShown).length;
    const slower = changes.filter((change) => change <= -leastShown).length;
    const alike = faster + slower === 0 ? 'as fast as' : faster === total ? 'faster than' : slower === total ? 'slower than' : null;
    const mixed = `faster than ${a} in ${faster} of ${total} settings and slower in ${slower}`;
    const way = alike === null ? mixed : `${alike} ${a} in ${all} settings`;
    return capital(`${b} looks ${way}; ${total === 2 ? 'neither' : 'none of them'} is decided.`);
  }
  const parts = [
    better.length === 0 ? '' : `faster in ${better.length} of ${total} settings${extreme(better, 1)}`,
    worse.length === 0 ? '' : `slower in ${worse.length}${better.length === 0 ? ` of ${total} settings` : ''}${extreme(worse, -1)}`,
    same.length === 0
      ? ''
      : `as fast within ${within} in ${same.length}${better.length + worse.length === 0 ? ` of ${total} settings` : ''}`,
  ].filter((part) => part !== '');
  const rest = unknown.length === 0 ? '' : `; ${unknown.length} ${unknown.length === 1 ? 'is' : 'are'} not decided`;
  return capital(`${b} is ${parts.join(', ')}${rest}.`);
}

function extreme(rows: readonly ComparisonRow[], direction: 1 | -1): string {
  const figured = rows.flatMap((row) => (row.throughput === null ? [] : [{ label: row.label, figure: row.throughput }]));
  const [most] = figured.sort((x, y) => direction * (y.figure.ratio.mean - x.figure.ratio.mean));
  return most === undefined ? '' : ` (${rows.length > 1 ? 'most at ' : ''}${most.label}: ${changePhrase(most.figure.ratio.mean)})`;
}

function invalidSentence(rows: readonly ComparisonRow[], { a, b }: SideNames): string {
  const side = rows.some((row) => row.a?.valid === false)
    ? rows.some((row) => row.b?.valid === false)
      ? `${a} and ${b} are`
      : `${a} is`
    : `${b} is`;
  const reason = rows.flatMap((row) => [...(row.a?.reasons ?? []), ...(row.b?.reasons ?? [])])[0];
  const unmeasured = rows.every((row) => row.a?.valid === true && row.b?.valid === true);
  if (unmeasured) return 'No verdict: one of the two has no measured block.';
  return `No verdict: ${side} not valid${reason === undefined ? '' : ` (${withoutStop(findingText(reason))})`}.`;
}

function cautionSentence(differences: Comparison['differences']): string {
  const warnings = differences.filter((difference) => difference.severity === 'warning').map((difference) => difference.what);
  if (warnings.some((what) => otherMachine.has(what)))
    return 'They ran on different machines or systems, which alone can explain a difference.';
  if (warnings.some((what) => otherRequests.test(what)))
    return 'They answered different loads, so that the figures do not compare the settings.';
  if (warnings.length === 0) return '';
  const named = warnings.slice(0, mostNamed).join(', ');
  return `Read with care: ${named}${warnings.length > mostNamed ? ` and ${warnings.length - mostNamed} more` : ''} differed.`;
}

import * as z from 'zod';
import { type Called, benchside, circumstances, newRun, runsOf } from '../benchside.ts';
import { type Cell, type CellContext, type Measured, countOf, oneByOne, share } from '../cell.ts';
import { ampleToday } from '../workspace.ts';

/** What is to be distinguished: `a` and `b` are pool sizes. */
interface Compared {
  target: 'node' | 'java' | 'node-ample' | 'java-ample';
  route: string;
  connections: number;
  a: number;
  b: number;
}

const figureSchema = z.object({
  verdict: z.enum(['better', 'worse', 'same', 'unknown']),
  sentence: z.string(),
  ratio: z.object({ mean: z.number(), ciLow: z.number().nullable(), ciHigh: z.number().nullable() }),
});
const comparisonSchema = z.object({
  comparison: z.object({ headline: z.string(), rows: z.array(z.object({ throughput: figureSchema.nullable() })) }),
});

/** A run of two settings, and the product’s own comparison of the two. */
async function compare(
  { target, route, connections, a, b }: Compared,
  context: CellContext,
  name: (verdict: string | null) => string,
): Promise<Measured> {
  const { workspace, signal, extra } = context;
  const before = runsOf(workspace);
  const asked = ['--target', target, '--set', `pool=${a},${b}`, '--route', route, '--connections', String(connections), ...extra];
  const called = await benchside(['run', ...asked], workspace, signal);
  const run = newRun(workspace, before);
  const noted = { ...circumstances(run), wholeS: called.wholeS };
  const keys = [a, b].map((pool) => run?.trials.find(({ key }) => key.split('|').includes(`pool=${pool}`))?.key);
  const [first, second] = keys;
  if (run === null || first === undefined || second === undefined) return { ...noted, outcome: 'failed', said: why(called) };
  const compared = await benchside(['compare', run.id, run.id, '--trial', first, '--trial', second], workspace, signal);
  const parsed = compared.status === 0 ? comparisonSchema.parse(JSON.parse(compared.stdout)).comparison : null;
  const figure = parsed?.rows[0]?.throughput ?? null;
  return {
    ...noted,
    outcome: name(figure?.verdict ?? null),
    ...(figure === null ? {} : { ratio: figure.ratio }),
    said: parsed?.headline ?? why(compared),
  };
}

function why({ status, lastWords }: Called): string {
  return `ended with status ${String(status)}: ${lastWords}`;
}

/** Within which copies are to be called the same, in windows, and a difference of 10 % is to be found, in all. */
const [soonS, limitS] = [30, 120];

const copied: Readonly<Record<string, Compared>> = Object.fromEntries(
  (['node', 'java'] as const).flatMap((target) => [
    [`${target}, waits`, { target: `${target}-ample`, route: '/wait?ms=20', connections: 32, a: ampleToday, b: 48 }],
    [`${target}, CPU-bound`, { target: `${target}-ample`, route: '/ads/:id', connections: 32, a: ampleToday, b: 48 }],
  ]),
);

/** Two settings that are copies of one another. */
export const copies: Cell = {
  name: 'copies',
  title: 'A/A: copies of one setting (pools of 40 and 48 at 32 connections)',
  goal: 'called different ≤ 5 %; “the same” after ≤ 30 s of windows ≥ 90 %',
  how:
    'A run of both sizes, of which 40 is in use today, then `benchside compare` of the two. *Different* is a verdict of better or worse; *same* lies within ±5 % by its interval, or is so by the mechanism (nobody waits at either size, and the figures do not deny it); *no word* is neither. ' +
    'Beyond ±5 % says how many of the intervals lie wholly outside of ±5 %.',
  variants: Object.keys(copied),
  times: 10,
  outcomes: ['same', 'different', 'no word', 'failed'],
  wishes: [
    { what: 'copies are not called different', outcomes: ['same', 'no word'], share: 0.95 },
    { what: 'copies are called the same', outcomes: ['same'], share: 0.9 },
  ],
  measure: oneByOne((variant, context) =>
    compare(lookUp(copied, variant), context, (verdict) =>
      verdict === 'same' ? 'same' : verdict === 'better' || verdict === 'worse' ? 'different' : 'no word',
    ),
  ),
  judge: (results) => {
    const n = results.length;
    const different = countOf(results, 'different');
    const silent = countOf(results, 'no word', 'failed');
    const soon = results.filter(({ outcome, windowsS, measuringS }) => outcome === 'same' && (windowsS ?? measuringS ?? Infinity) <= soonS);
    const mechanical = results.filter(({ outcome, said }) => outcome === 'same' && said.includes('nobody waits')).length;
    const beyond = results.filter(
      ({ ratio }) => ratio !== undefined && ((ratio.ciLow ?? 0) > 1 / 0.95 || (ratio.ciHigh ?? 9) < 0.95),
    ).length;
    return {
      figures: `${n} comparisons: same ${share(countOf(results, 'same'), n)} (by the mechanism, with figures still open: ${share(mechanical, n)}), after ≤ ${soonS} s of windows ${share(soon.length, n)}, different ${share(different, n)} (beyond ±5 %: ${share(beyond, n)}), without a word ${share(silent, n)}`,
      reached: n === 0 ? null : different <= 0.05 * n && soon.length >= 0.9 * n,
    };
  },
};

const apart: Readonly<Record<string, Compared>> = {
  'node, waits': { target: 'node', route: '/wait?ms=20', connections: 32, a: 10, b: 11 },
  'java, waits': { target: 'java', route: '/wait?ms=20', connections: 32, a: 10, b: 11 },
};

/** Pools below the knee of a route that waits: throughput is in proportion to their size. */
export const tenPercent: Cell = {
  name: 'ten-percent',
  title: 'A true difference of 10 % (pools of 10 and 11 on a route that holds a connection for 20 ms, 32 connections)',
  goal: 'found ≥ 90 % within 2 min',
  how: 'As above. *Found* is a verdict that 11 does more than 10; *same* and *no word* miss it; *wrong way* says that it does less.',
  variants: Object.keys(apart),
  times: 10,
  outcomes: ['found', 'same', 'no word', 'wrong way', 'failed'],
  wishes: [{ what: 'a difference of 10 % is found', outcomes: ['found'], share: 0.9 }],
  measure: oneByOne((variant, context) =>
    compare(lookUp(apart, variant), context, (verdict) =>
      verdict === 'better' ? 'found' : verdict === 'worse' ? 'wrong way' : verdict === 'same' ? 'same' : 'no word',
    ),
  ),
  judge: (results) => {
    const n = results.length;
    const found = results.filter(({ outcome, measuringS }) => outcome === 'found' && (measuringS ?? 0) <= limitS).length;
    return {
      figures: `${n} comparisons: found within 2 min ${share(found, n)}, wrong way ${share(countOf(results, 'wrong way'), n)}`,
      reached: n === 0 ? null : found >= 0.9 * n,
    };
  },
};

function lookUp(all: Readonly<Record<string, Compared>>, variant: string): Compared {
  const one = all[variant];
  if (one === undefined) throw new Error(`Name variants of: ${Object.keys(all).join('; ')}.`);
  return one;
}

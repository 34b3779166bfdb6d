import * as z from 'zod';
import { bracketedRange, bytesPhrase, changeSize, durationPhrase, figure, listPhrase, wholeNumber } from './format.ts';
import { type Figures, worded } from './findingTable.ts';
import { withinPhrase } from './margin.ts';
import { scansPhrase, tableScansSchema } from './planChangeKinds.ts';
import { differingAnswerSchema, firstDifferencePhrase } from './routeCheck.ts';
import { growthKinds, statementPhrase } from './statement.ts';
import { verdictSchema } from './tuning.ts';

/** What a value may cost or save in addition to throughput. */
export const variantCostIds = ['p99', 'cpu', 'memory', 'heap', 'connections', 'start-up'] as const;
type VariantCostId = (typeof variantCostIds)[number];

export const variantCostSchema = z.object({
  id: z.enum(variantCostIds),
  base: z.number().describe('of the first side: ms, µs, or bytes'),
  other: z.number(),
  verdict: verdictSchema
    .nullable()
    .describe('null: it has no interval, and is shown as it was seen; of connections, which are counted, it needs none'),
  ratePerS: z.number().optional().describe('at which p99 was measured; absent: with a fixed number of connections'),
  unanswered: z
    .object({ base: z.boolean(), other: z.boolean() })
    .optional()
    .describe('which side could not answer at that rate, so that its p99 says only how long the windows were; absent where both could'),
});
export type VariantCost = z.infer<typeof variantCostSchema>;

const sides = { base: z.string().describe('what the first side has'), other: z.string() };

const comparedFigures = {
  ...sides,
  verdict: verdictSchema.describe('on throughput'),
  delta: z.number().describe('within which both count as the same, a share'),
  change: z
    .object({ mean: z.number(), low: z.number().nullable(), high: z.number().nullable() })
    .nullable()
    .describe('throughput of the other side over that of the first; null where one was not measured as asked'),
  costs: z.array(variantCostSchema),
};

/** A statement that both sides send, with what so many times the rows make of it. */
const statementGrowthSchema = z.object({
  sql: z.string(),
  baseMs: z.number().describe('per call'),
  otherMs: z.number(),
  kind: z.enum(growthKinds),
  scans: z.array(tableScansSchema).describe('how the other side reads its tables'),
});
export type StatementGrowth = z.infer<typeof statementGrowthSchema>;

export const variantCostWords: Readonly<
  Record<VariantCostId, { name: string; say: (value: number) => string; more: string; less: string }>
> = {
  p99: { name: 'p99', say: (value) => `${figure(value)} ms`, more: 'higher', less: 'lower' },
  cpu: { name: 'CPU per request', say: (value) => `${figure(value)} µs`, more: 'more', less: 'less' },
  memory: { name: 'memory (RSS)', say: bytesPhrase, more: 'more', less: 'less' },
  heap: { name: 'heap after a full collection', say: bytesPhrase, more: 'more', less: 'less' },
  connections: { name: 'connections', say: wholeNumber, more: 'more', less: 'fewer' },
  'start-up': { name: 'start-up', say: durationPhrase, more: 'longer', less: 'shorter' },
};

const tooMuch = 'too much';

/** "p99 at 400 requests/s 12.0 ms → 7.20 ms (40 % lower)". Where the interval allows no distinction, the phrase says so. */
function costPhrase({ id, base, other, verdict, ratePerS, unanswered }: VariantCost): string {
  const { name, say, more, less } = variantCostWords[id];
  const [before, after] = [unanswered?.base === true ? tooMuch : say(base), unanswered?.other === true ? tooMuch : say(other)];
  const what = `${name}${ratePerS === undefined ? '' : ` at ${wholeNumber(ratePerS)} requests/s`} ${before} → ${after}`;
  if (unanswered !== undefined) return what;
  if (verdict === 'worse' || verdict === 'better')
    return base === 0 ? what : `${what} (${changeSize(other / base)} ${verdict === 'worse' ? more : less})`;
  return verdict === null ? what : `${what} (${verdict === 'same' ? 'the same' : 'not distinguished'})`;
}

function throughputPhrase({ verdict, delta, change }: Figures<typeof comparedFigures>): string {
  if (change === null) return 'not compared, as one of them was not measured as asked';
  const { mean, low, high } = change;
  const interval = bracketedRange({ ciLow: low, ciHigh: high });
  switch (verdict) {
    case 'better':
      return `${changeSize(mean)} more throughput${interval}`;
    case 'worse':
      return `${changeSize(mean)} less throughput${interval}`;
    case 'same':
      return `the same throughput within ${withinPhrase(delta)}${interval}`;
    case 'unknown':
      return `throughput was not distinguished${interval}`;
  }
}

/** Notes of a run that compares values of the catalogue. */
export const variantNoteKinds = {
  'sides-answer-otherwise': worded({
    ...sides,
    routes: z.array(differingAnswerSchema).min(1).describe('where the same requests were answered otherwise'),
  }).says(({ base, other, routes }) => {
    const named = routes.slice(0, 5).map((one) => {
      const { route, what, before, after } = one;
      const said =
        what === 'status'
          ? `${before} and ${after}`
          : what === 'bytes'
            ? `${wholeNumber(before)} and ${wholeNumber(after)} bytes`
            : `other content of the same ${wholeNumber(after)} bytes`;
      return `${route} with ${said}${firstDifferencePhrase(one)}`;
    });
    const further = routes.length > named.length ? `, and ${routes.length - named.length} more` : '';
    return `Asked the same, ${base} and ${other} answered otherwise: ${named.join(', ')}${further}. What they cost is then not that of the same work.`;
  }),
  'sql-of-side': worded({
    file: z.string(),
    database: z.string().describe('of which the side has a copy'),
    tookMs: z.number().describe('to run the file'),
    bytes: z.number().describe('by which it made the copy larger'),
  }).says(({ file, database, tookMs, bytes }) => {
    const size = bytes === 0 ? 'no larger' : `${bytesPhrase(Math.abs(bytes))} ${bytes > 0 ? 'larger' : 'smaller'}`;
    return `${file} was run in a copy of ${database}: it took ${durationPhrase(tookMs)} and made the copy ${size}.`;
  }),
  'rows-grown': worded({
    database: z.string().describe('of which the side has a copy'),
    factor: z.number().describe('times as many rows'),
    tables: z.number().describe('whose rows were multiplied'),
    rows: z.number().describe('in all tables of the copy'),
    left: z.array(z.string()).describe('tables that were left as they are'),
    tookMs: z.number(),
    bytes: z.number().describe('by which it made the copy larger'),
  }).says(({ database, factor, tables, rows, left, tookMs, bytes }) => {
    const rest =
      left.length === 0 ? '' : ` Left as they are: ${left.slice(0, 5).join(', ')}${left.length > 5 ? ` and ${left.length - 5} more` : ''}.`;
    return `A copy of ${database} has ${factor} times the rows in ${tables} ${tables === 1 ? 'table' : 'tables'}, ${wholeNumber(rows)} in all: it took ${durationPhrase(tookMs)} and made the copy ${bytesPhrase(bytes)} larger.${rest}`;
  }),
  'statements-grow': worded({
    ...sides,
    factor: z.number().describe('times as many rows as the first side has'),
    statements: z.array(statementGrowthSchema).min(1).describe('by the time that the other side spends in each, the longest first'),
  }).says(({ base, other, factor, statements }) => {
    const named = statements.map(({ sql, baseMs, otherMs, kind, scans }) => {
      const by = scans.length === 0 ? '' : `, ${listPhrase(scans.map(scansPhrase))}`;
      return `${statementPhrase(sql)} takes ${figure(otherMs / baseMs)} times as long (${figure(baseMs)} ms → ${figure(otherMs)} ms a call; ${kind}${by})`;
    });
    return `With ${Number.isInteger(factor) ? factor : figure(factor)} times the rows (${other} against ${base}): ${named.join('; ')}.`;
  }),
  'distance-cost': worded({
    side: z.string(),
    rttMs: z.number().describe('that was asked for'),
    beyondMs: z.number().describe('what the proxy added to a round trip in addition'),
    cpuUsPerMessage: z.number().describe('CPU time of the proxy'),
    messages: z.number(),
    lateP99Us: z.number().nullable().describe('after the time at which a message was due; null without a distance'),
  }).says(({ side, rttMs, beyondMs, cpuUsPerMessage, messages, lateP99Us }) => {
    const late = lateP99Us === null ? '' : `; 99 of 100 were late by at most ${figure(lateP99Us)} µs`;
    return `The distance of ${rttMs} ms to the database (${side}) is made by a proxy: it added ${figure(1000 * Math.max(0, beyondMs))} µs more to a round trip, and used ${figure(cpuUsPerMessage)} µs of CPU for each of ${wholeNumber(messages)} messages${late}. All sides go through one.`;
  }),
  'variant-compared': worded(comparedFigures).says((compared) => {
    const { base, other, costs } = compared;
    const rest = costs.length === 0 ? '' : `; ${costs.map(costPhrase).join(', ')}`;
    return `${other} against ${base}: ${throughputPhrase(compared)}${rest}.`;
  }),
} as const;

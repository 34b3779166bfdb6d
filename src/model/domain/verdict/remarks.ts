import * as z from 'zod';
import { always, worded } from '../findingTable.ts';
import { figure, percentPhrase, wholeNumber } from '../format.ts';
import { pauseKindSchema } from '../probe.ts';
import { capital } from '../sentence.ts';
import { bypassedIndexSchema, statementPhrase, unindexedReferenceSchema } from '../statement.ts';
import { evidenceFigures, wordedFigure } from './evidence.ts';
import { number, pauseNames, resourceNames, resourceSchema, seen } from './figures.ts';
import { mean, ms, percentOf } from './phrases.ts';

/** A part of what was recorded, as `src/calltree/sentence/heaviestParts.ts` finds it. */
const heavyPart = z.object({
  kind: z.enum(['code', 'library', 'gc', 'jit', 'wait']).describe('code: of a function of the app; library: below none of them'),
  share: number.describe('of what was recorded, 0 … 1'),
  name: z.string().describe('of the function, or of the library; empty where the part has none'),
  place: z.string().describe('file and line; empty where not known'),
  callee: z.string().describe('what the function calls, where most of its part is there; else empty'),
});

const recordedOf = { cpu: 'the app’s CPU time', alloc: 'the memory that is allocated' } as const;

/** “is spent in Json.write (Json.java:11), most of it in ObjectMapper.writeValueAsString, which it calls”. */
function inPart(event: keyof typeof recordedOf, { kind, name, place, callee }: z.infer<typeof heavyPart>): string {
  if (kind === 'gc') return 'is garbage collection';
  if (kind === 'jit') return 'is the JIT compiler at work';
  const does = kind === 'wait' ? 'puts threads to sleep and wakes them' : event === 'alloc' ? 'is allocated' : 'is spent';
  if (kind === 'library') return `${does} in ${name}, below none of the app’s functions`;
  if (name === '') return does;
  const at = place === '' ? '' : ` (${place})`;
  return `${does} in ${name}${at}${callee === '' ? '' : `, most of it in ${callee}, which it calls`}`;
}

const conditionOn = {
  cast: 'compares it after a conversion',
  pattern: 'matches it with a pattern, for which an index of this kind holds no answer',
  expression: 'compares an expression of it',
} as const;

/** What is said in addition to a verdict, whatever it is. */
export const verdictRemarks = {
  'connects-each': worded({ all: z.boolean().describe('each request does'), perS: number, perRequest: number }).says(
    ({ all, perS, perRequest }) =>
      `${all ? 'Each request opens a connection to PostgreSQL of its own' : 'Many a request opens a connection to PostgreSQL'}: ${figure(perS)} a second, ${figure(perRequest)} for each request.`,
  ),
  'connects-cost': worded({ cpuMs: seen.describe('PostgreSQL’s, of a request') }).says(
    ({ cpuMs }) => `PostgreSQL starts a process for each of them${cpuMs === null ? '' : `; it used ${ms(cpuMs)} of CPU for a request`}.`,
  ),
  'connects-elsewhere': worded({ perRequest: number, to: z.string(), tlsPerRequest: seen.describe('handshakes; null: hardly any') }).says(
    ({ perRequest, to, tlsPerRequest }) =>
      `Connections are not kept: for each request the app opens ${figure(perRequest)} to ${to}${tlsPerRequest === null ? '' : `, and makes ${figure(tlsPerRequest)} TLS handshakes`}.`,
  ),
  'rolls-back': worded({ perRequest: number }).says(
    ({ perRequest }) =>
      `PostgreSQL rolled back ${figure(perRequest)} transactions for each request. Where they failed (a serialization failure, a deadlock) and the app tries them again, their work was in vain, and more connections make more of them fail; where the app ends its reads that way, it costs a round trip.`,
  ),
  'starts-threads': worded({ perRequest: number }).says(
    ({ perRequest }) =>
      `The app starts ${figure(perRequest)} threads for each request, as where a client, an executor or a timer is made for each; they cost CPU, and memory until they end.`,
  ),
  closes: worded({ share: number }).says(
    ({ share }) =>
      `The server closes the connection after ${percentOf(share)} of its answers (Connection: close), so that the next request has to connect first.`,
  ),
  'off-the-loop': worded({ share: number, busyWith: z.string().nullable().describe('tasks by their number, as Node names them') }).says(
    ({ share, busyWith }) =>
      `At least ${percentOf(share)} of the app’s CPU is used outside of its event loop: by libuv’s threads (files, names, crypto, compression), by V8’s or by workers.${busyWith === null ? '' : ` Under way were ${busyWith}.`}`,
  ),
  'busiest-statement': worded({
    sql: z.string(),
    share: number.describe('of the time for which connections are held'),
    meanMs: number.describe('of one call'),
    perRequest: number.describe('calls'),
  }).says(
    ({ sql, share, meanMs, perRequest }) =>
      `Connections are held for one statement ${percentOf(share)} of that time, ${ms(meanMs)} each, ${mean(perRequest)} for each request: ${statementPhrase(sql)}.`,
  ),
  'bypasses-index': worded({ sql: z.string(), ...bypassedIndexSchema.shape }).says(
    ({ sql, table, index, column, condition, how }) =>
      `${capital(statementPhrase(sql))} reads all rows of ${table}: the index ${index} is of ${column}, and the condition ${condition} ${conditionOn[how]}.`,
  ),
  'in-function': worded({
    name: z.string(),
    trigger: z.object({ name: z.string(), table: z.string() }).nullable().describe('that calls it; null: none does'),
    share: number.describe('of the time of all statements'),
    meanMs: number.describe('of one call, without other functions that it calls'),
  }).says(
    ({ name, trigger, share, meanMs }) =>
      `Statements spend ${percentOf(share)} of their time in the database’s function ${name}, ${ms(meanMs)} each${trigger === null ? '' : `: the trigger ${trigger.name} calls it for changes of ${trigger.table}`}.`,
  ),
  'lacks-reference-index': worded({
    sql: z.string(),
    blocks: number.describe('of 8 KiB, used by one call'),
    ...unindexedReferenceSchema.shape,
  }).says(
    ({ sql, blocks, constraint, table, column, of }) =>
      `${capital(statementPhrase(sql))} uses ${wholeNumber(blocks)} blocks of 8 KiB: for each row of ${of} that is deleted, PostgreSQL looks for rows of ${table} that refer to it (${constraint}), and no index begins with ${column}.`,
  ),
  spills: worded({ sql: z.string(), blocks: number.describe('of 8 KiB, written by one call') }).says(
    ({ sql, blocks }) =>
      `${capital(statementPhrase(sql))} writes ${wholeNumber(blocks)} blocks of 8 KiB to temporary files with each call: what it sorts, hashes or keeps does not fit into work_mem.`,
  ),
  'reads-more': worded({
    sql: z.string(),
    blocks: number.describe('of 8 KiB, used by one call'),
    rows: number.describe('that a call gives'),
    skips: z.boolean().describe('it has an OFFSET'),
  }).says(({ sql, blocks, rows, skips }) => {
    const why = skips
      ? 'for OFFSET PostgreSQL also reads the rows of all pages before'
      : 'an index leads to the rows, so that large values are stored apart from them (TOAST), or many dead rows are between them';
    return `${capital(statementPhrase(sql))} uses ${wholeNumber(blocks)} blocks of 8 KiB for the ${mean(rows)} rows that it gives: ${why}.`;
  }),
  'many-rows': worded({ sql: z.string(), rows: number.describe('for each request') }).says(
    ({ sql, rows }) =>
      `A request reads ${wholeNumber(rows)} rows by ${statementPhrase(sql)}, and the app makes an object of each: what it does not need of them costs CPU in the app, in the database and between them.`,
  ),
  'collects-much': worded({ pauseShare: number, heapShare: number }).says(
    ({ pauseShare, heapShare }) =>
      `The garbage collector takes ${percentOf(pauseShare)} of the time, although only ${percentOf(heapShare)} of the heap is in use: it collects what requests allocate and drop at once, for which a larger heap does little.`,
  ),
  hottest: worded({ event: z.enum(['cpu', 'alloc']), parts: z.array(heavyPart).min(1) }).says(({ event, parts }) => {
    const [first, ...others] = parts.map(
      (part, index) => `${percentOf(part.share)}${index === 0 ? ` of ${recordedOf[event]}` : ''} ${inPart(event, part)}`,
    );
    return `By the recording, ${[first, ...others].join('; ')}.`;
  }),
  'once-per-row': worded({ repeated: z.array(z.object({ sql: z.string(), calls: number.describe('for each request') })) }).says(
    ({ repeated }) =>
      `A request sends the same query again and again, as where one is sent for each row of another (N+1): ${repeated.map(({ sql, calls }) => `${mean(calls)} times ${statementPhrase(sql)}`).join('; ')}.`,
  ),
  slowest: worded({
    fromMs: number,
    by: z.array(z.object({ kind: pauseKindSchema, overlapping: number, byChance: number, ofTheirTime: number })),
  }).says(({ fromMs, by }) => {
    const each = by.map(
      ({ kind, overlapping, byChance, ofTheirTime }) =>
        `${percentOf(overlapping)} of them meet ${pauseNames[kind]}, where chance would give ${percentOf(byChance)}, and spend ${percentOf(ofTheirTime)} of their time in it`,
    );
    return `Why the slowest 1 % are slow (from ${ms(fromMs)} on): ${each.join('; ')}.`;
  }),
  'warms-up': worded({
    compilerPercent: seen.describe('of one core; null: hardly any'),
    classesPerS: seen.describe('null: hardly any'),
  }).says(({ compilerPercent, classesPerS }) => {
    const parts = [
      ...(compilerPercent === null ? [] : [`its compiler used ${figure(compilerPercent)} % of a core`]),
      ...(classesPerS === null ? [] : [`it loaded ${mean(classesPerS)} classes a second`]),
    ];
    return `The JVM was still warming up while it was measured: ${parts.join(', and ')}.`;
  }),

  // The order of several limits
  'first-queue': worded({ queue: resourceSchema, next: resourceSchema, nextShare: number }).says(
    ({ queue, next, nextShare }) =>
      `First comes ${resourceNames[queue]}, which can bring up to ${percentPhrase(100 * (1 / nextShare - 1))} more at today’s CPU time of a request; then ${resourceNames[next]}, of which ${percentOf(nextShare)} is used.`,
  ),
  'first-full': worded({ full: resourceSchema, poolWaitShare: number.describe('of a request’s time') }).says(
    // A smaller use of the full part per request gives proportionally more requests.
    ({ full, poolWaitShare }) =>
      `First comes ${resourceNames[full]}, of which a tenth less for each request brings about ${percentPhrase(100 / 0.9 - 100)} more; then the connection pool, for which a request waits ${percentOf(poolWaitShare)} of its time, as whoever has a connection waits for the first.`,
  ),

  // What speaks against other verdicts
  'explained-before': always('Its signs are there too, but what comes before it explains them.'),
  against: worded(evidenceFigures).says((evidence) => {
    const { what, value, threshold } = wordedFigure(evidence);
    return `${capital(what)}: ${value}${threshold === null ? '' : `, and ${threshold} would speak for it`}.`;
  }),
} as const;

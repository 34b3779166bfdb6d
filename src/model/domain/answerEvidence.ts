import * as z from 'zod';
import { type Besides, type OneOf, recorded, saidIn, storedSchemaOf, worded } from './findingTable.ts';
import { lossPhrase, oneDecimal, wholeNumber } from './format.ts';
import { type WatchedPart, watchedPartSchema } from './setting.ts';

/** What is waited for, and of what it is the size. */
export const resourceWords: Readonly<Record<WatchedPart, { what: string; size: string }>> = {
  pool: { what: 'a connection', size: 'pool' },
  threads: { what: 'a request thread', size: 'number of threads' },
  bouncer: { what: 'a connection of PgBouncer’s to PostgreSQL', size: 'pool of PgBouncer' },
  client: { what: 'a connection of the HTTP client', size: 'number of them' },
};

/** What can be full whatever the size of a pool is. */
const fullParts = ['event-loop', 'app-cpu', 'postgres-cpu', 'machine-cpu'] as const;
export type FullPart = (typeof fullParts)[number];
const fullWords: Readonly<Record<FullPart, string>> = {
  'event-loop': 'the event loop',
  'app-cpu': 'the app’s CPU',
  'postgres-cpu': 'PostgreSQL’s CPU',
  'machine-cpu': 'the machine’s CPU',
};

function percent(share: number): string {
  return `${100 * share < 0.05 ? '0' : oneDecimal(100 * share)} %`;
}

const name = z.string().describe('a value, as people name it');
const waits = z.number().describe('the share of a request’s time that is spent waiting, 0 … 1');
const gain = z.number().describe('what a larger size can gain at the most, as a share of the throughput');
const resource = watchedPartSchema;
const smaller = z.object({ name, waits }).nullable().describe('the next smaller value that was measured');
const full = z.enum(fullParts).nullable().default(null).describe('what leaves less to gain than the waits would');
const ofWaits = { name, waits, resource, gain, smaller, full };

function contrast(next: z.infer<typeof smaller>): string {
  return next === null ? '' : `; with ${next.name} it is ${percent(next.waits)}`;
}

const sessionWords = {
  spare: 'so that hardly anybody waits for a connection',
  'no-limit': 'so that the pool was the limit of neither, as far as PostgreSQL can tell',
  full: 'so that requests may wait for one, as far as PostgreSQL can tell',
} as const;

/** What a piece of evidence has seen: of the figures `carried`, of the mechanism all others. */
export const answerEvidenceKinds = {
  carried: worded({
    name,
    throughput: z.number().describe('requests/s'),
    rounds: z.number(),
    fastest: z.object({ name, throughput: z.number() }).nullable().describe('null where it is the same'),
    smaller: z
      .object({
        name,
        ratio: z.number().describe('of its throughput to this one’s'),
        open: z.boolean().default(false).describe('it may be enough, too'),
      })
      .nullable(),
    open: z
      .discriminatedUnion('why', [
        z.object({ why: z.literal('not-proven'), delta: z.number() }),
        z.object({ why: z.literal('not-told-apart'), name }),
      ])
      .nullable()
      .describe('null where it is proven'),
  }).says(({ name: answer, throughput, rounds, fastest, smaller: next, open }) => {
    const parts = [`${answer} carried ${wholeNumber(throughput)} req/s in ${rounds} rounds`];
    if (fastest !== null) parts.push(`the fastest, ${fastest.name}, ${wholeNumber(fastest.throughput)} req/s`);
    const apart = open?.why === 'not-told-apart' ? open.name : null;
    if (next !== null)
      parts.push(`${next.name}${next.open || next.name === apart ? ', not yet distinguished,' : ''} ${lossPhrase(next.ratio)} against it`);
    if (apart !== null && apart !== next?.name) parts.push(`${apart} is not yet distinguished`);
    return `${parts.join('; ')}${open?.why === 'not-proven' ? `, not yet proven to within ${percent(open.delta)}` : ''}.`;
  }),
  sessions: worded({
    name,
    busy: z.number().describe('the share of the pool that PostgreSQL saw at work, 0 … 1'),
    smaller: z.object({ name, busy: z.number() }).nullable(),
    meaning: z.enum(['spare', 'no-limit', 'full']),
  }).says(
    ({ name: answer, busy, smaller: next, meaning }) =>
      `with ${answer} PostgreSQL saw ${percent(busy)} of the pool at work${next === null ? '' : `, with ${next.name} ${percent(next.busy)}`}, ${sessionWords[meaning]}.`,
  ),
  contradicted: worded({ name, waits, resource, rival: name.describe('a larger value that the figures prove faster') }).says(
    ({ name: claimed, waits: share, resource: of, rival }) =>
      `with ${claimed} a request waits ${percent(share)} of its time for ${resourceWords[of].what}, so that a larger ${resourceWords[of].size} should gain next to nothing, and yet the figures say that ${rival} is faster. The two disagree: something else changes with the size.`,
  ),
  'hardly-waits': worded({
    ...ofWaits,
    denied: name.nullable().describe('a value with which nobody waits either, and that did more all the same'),
  }).says(({ name: answer, waits: share, resource: of, gain: most, smaller: next, denied, full: part }) => {
    const noise =
      denied === null ? '' : ` Nobody waits with ${denied} either: that it did more is what hit the blocks of the other, and not its size.`;
    return `with ${answer} a request waits ${percent(share)} of its time for ${resourceWords[of].what}${part === null ? '' : `, and ${fullWords[part]} is full`}, so that no larger ${resourceWords[of].size} can gain more than ${percent(most)}${contrast(next)}.${noise}`;
  }),
  'still-waits': worded(ofWaits).says(({ name: answer, waits: share, resource: of, gain: most, smaller: next, full: part }) => {
    const larger = `a larger ${resourceWords[of].size} can gain ${part === null ? `up to ${percent(most)}` : `${percent(most)} at the most`}`;
    const because = part === null ? `: ${larger}` : `, but ${fullWords[part]} limits what that can bring: ${larger}`;
    return `with ${answer} a request still waits ${percent(share)} of its time for ${resourceWords[of].what}${because}${contrast(next)}.`;
  }),
  recorded,
} as const;

const common = {
  kind: z.enum(['figures', 'mechanism']),
  says: z.enum(['for', 'open', 'against']).describe('for or against the value of the headline, or neither yet'),
};

/**
 * What speaks for an answer. The figures: throughput of mirrored rounds. The mechanism: how long a request waits for the resource bounds what more
 * of it can gain, whatever the noise; see `engine/statistics/mechanism`.
 */
export type EvidenceItem = OneOf<typeof answerEvidenceKinds, Besides<typeof common>>;
export const evidenceItemSchema = storedSchemaOf('evidence', answerEvidenceKinds, common);

/** As a sentence that begins in lower case where it begins with a word. */
export function evidenceText(item: EvidenceItem): string {
  return saidIn(answerEvidenceKinds, item);
}

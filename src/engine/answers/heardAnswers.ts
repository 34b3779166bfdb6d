import { createHash } from 'node:crypto';
import { grouped } from '../../model/domain/grouped.ts';
import type { AnswerDigest, ComparedAnswers, DifferingAnswer } from '../../model/domain/routeCheck.ts';
import { answerContent } from './answerContent.ts';
import { type Difference, firstDifference } from './firstDifference.ts';

/** One answer of a process, as it came. */
export interface HeardAnswer {
  /** As `METHOD /path`. */
  route: string;
  /** With its parameters as they were drawn. */
  path: string;
  /** With the request; empty: nothing. */
  sent: string;
  status: number;
  /** By name in lower case. */
  headers: Readonly<Record<string, string>>;
  bytes: Buffer;
  /** It was longer than what was read of it. */
  cut: boolean;
  /** In ms since 1970. */
  atMs: number;
  /** On which the process listened. */
  port: number;
  /** Places that may differ. */
  ignored: readonly string[];
}

/** Headers that say what a body is, or where it is. */
const comparedHeaders = ['content-type', 'content-encoding', 'location'];
/** The number of answers that are described in a record. */
const mostDigests = 100;
/** Bodies beyond this, of all processes together, are not kept, and their answers are compared without them. */
const mostKeptBytes = 64 * 2 ** 20;

/** The answers of the processes of a run, by the key of each: what differs between the answers of one differs by nature. */
export class HeardAnswers {
  readonly #heard = new Map<string, HeardAnswer[]>();
  #bytes = 0;

  hear(key: string, answers: readonly HeardAnswer[]): void {
    const kept = answers.map((answer) => {
      this.#bytes += answer.bytes.length;
      return this.#bytes > mostKeptBytes ? { ...answer, bytes: Buffer.alloc(0), cut: true } : answer;
    });
    this.#heard.set(key, [...(this.#heard.get(key) ?? []), ...kept]);
  }

  /** What was answered first; undefined where nothing was asked. */
  digests(key: string): AnswerDigest[] | undefined {
    const digests = [...this.#answersOf(key).values()].map(([first]): AnswerDigest => {
      const { route, path, status, bytes, cut } = first;
      return { route, path, status, bytes: bytes.length, whole: !cut, sha256: createHash('sha256').update(bytes).digest('hex') };
    });
    return digests.length === 0 ? undefined : digests.slice(0, mostDigests);
  }

  /** Where the process of a key answered the same requests otherwise than another; undefined where both were asked nothing that is the same. */
  compared(base: string, key: string): ComparedAnswers | undefined {
    if (base === key) return undefined;
    const after = this.#answersOf(key);
    const differing = new Map<string, DifferingAnswer>();
    const asked = new Set<string>();
    for (const [pair, these] of this.#answersOf(base)) {
      const those = after.get(pair);
      const { route } = these[0];
      if (those === undefined || differing.has(route)) continue;
      asked.add(route);
      const found = differingAnswer(these, those);
      if (found !== null) differing.set(route, found);
    }
    return asked.size === 0 ? undefined : { asked: asked.size, differing: [...differing.values()] };
  }

  /** All answers to each request, in the order in which the requests were first sent. */
  #answersOf(key: string): Map<string, [HeardAnswer, ...HeardAnswer[]]> {
    return grouped(this.#heard.get(key) ?? [], ({ route, path, sent }) => `${route} ${path} ${sent}`);
  }
}

/** How two sides answer one request otherwise, by all that each answered to it; null where both answer the same. */
export function differingAnswer(before: readonly HeardAnswer[], after: readonly HeardAnswer[]): DifferingAnswer | null {
  const [base, head] = [before[0], after[0]];
  if (base === undefined || head === undefined) return null;
  const { route } = base;
  const statuses = [before, after].map((answers) => new Set(answers.map(({ status }) => status)));
  if (statuses.some(({ size }) => size > 1)) return null;
  if (base.status !== head.status) return { route, what: 'status', before: base.status, after: head.status };
  const first = differenceOf(before, after);
  if (first === null) return null;
  const [bytes, others] = [base.bytes.length, head.bytes.length];
  return { route, what: bytes === others ? 'content' : 'bytes', before: bytes, after: others, first };
}

function differenceOf(before: readonly HeardAnswer[], after: readonly HeardAnswer[]): Difference | null {
  const all = [...before, ...after];
  const times = all.map(({ atMs }) => atMs);
  const around = { fromMs: Math.min(...times), toMs: Math.max(...times), ignored: all.flatMap(({ ignored }) => ignored) };
  for (const name of comparedHeaders) {
    const [had, has] = [before, after].map((answers) => answers.map((answer) => [wordsOfHeader(name, answer)]));
    const found = firstDifference(had ?? [], has ?? [], { ...around, kind: 'text' });
    if (found !== null) return { ...found, place: name };
  }
  if (all.some(({ cut }) => cut)) return null;
  const [these, those] = [before, after].map((answers) => answers.map(({ bytes, headers, port }) => answerContent(bytes, headers, port)));
  const kinds = [these, those].map((contents) => [...new Set(contents?.map(({ kind }) => kind))]);
  const [[kind, another] = [], [other, further] = []] = kinds;
  if (kind === undefined || other === undefined || another !== undefined || further !== undefined) return null;
  if (kind !== other) return { place: 'body', before: kind, after: other };
  const values = (contents: typeof these): unknown[] => (contents ?? []).map((content) => content.value);
  return firstDifference(values(these), values(those), { ...around, kind });
}

/** Case and blanks of these headers mean nothing, but for an address. */
function wordsOfHeader(name: string, { headers, port }: HeardAnswer): string[] {
  const value = headers[name] ?? '';
  if (name === 'location') return [value.replace(new RegExp(`(?:127\\.0\\.0\\.1|localhost|\\[::1\\]):${port}\\b`), 'localhost')];
  return [value.toLowerCase().replaceAll(' ', '')];
}

import { performance } from 'node:perf_hooks';
import { type AnswerError, answerError } from './answerError.ts';
import { type ExpectedAnswer, expectedAnswer } from './expectedAnswer.ts';
import type { MixRequest } from './loadProtocol.ts';

/** Bodies are read as long as that used no more than this share of the time: a generator that reads them all would be measured itself. */
const readingShare = 0.02;
/** And this much from the first, so that the first ones are read. */
const readingAheadMs = 5;

/**
 * Holds answers under load against what is expected of them: the status of each, and the bodies of as many as there is time for. From the first wrong one of a
 * request on all its bodies are read: then the share of errors is what matters, and no longer the generator's own time.
 */
export class AnswerChecks {
  readonly #wrong: boolean[];
  readonly #startedAt = performance.now();
  #readingMs = -readingAheadMs;

  private constructor(private readonly good: readonly (ExpectedAnswer | null)[]) {
    this.#wrong = good.map(() => false);
  }

  /** Null where nothing is expected of any answer beyond 2xx or 3xx. */
  static of(mix: readonly MixRequest[]): AnswerChecks | null {
    const good = mix.map(expectedAnswer);
    return good.every((one) => one === null) ? null : new AnswerChecks(good);
  }

  /** Whether the body of the next answer to this entry of the mix is to be kept for {@link judge}. */
  readsBody(entry: number): boolean {
    if (this.good[entry]?.wrongBody === undefined) return false;
    return this.#wrong[entry] === true || this.#readingMs <= readingShare * (performance.now() - this.#startedAt);
  }

  /** What an answer to this entry of the mix counts as. `body` is null where it was not kept. */
  judge(entry: number, status: number, body: string | null): AnswerError {
    const good = this.good[entry] ?? null;
    if (good === null) return answerError(status);
    // A status that is none of an error, and not what is expected, is an error of its own.
    if (!good.isStatus(status)) return answerError(status) || 'unexpected';
    if (good.wrongBody === undefined || body === null) return '';
    const beganAt = performance.now();
    const wrong = good.wrongBody(body) !== null;
    this.#readingMs += performance.now() - beganAt;
    if (wrong) this.#wrong[entry] = true;
    return wrong ? 'unexpected' : '';
  }
}

import { wholeNumber } from './format.ts';
import type { ErrorCounts, Trial } from './run.ts';

const errorWords: Readonly<Record<Exclude<keyof ErrorCounts, 'total'>, string>> = {
  refused: 'refused',
  reset: 'reset',
  timeout: 'timed out',
  status4xx: 'status 4xx',
  limited: 'status 429 (a rate limit)',
  status5xx: 'status 5xx',
  unanswered: 'never answered',
  unexpected: 'answered otherwise than expected',
  other: 'other',
};

/** Of a discarded trial: from this share of errors on they are what it is discarded for, whatever else was seen. */
const noticeableShare = 0.001;

/** "12 timed out, 3 status 5xx"; empty without errors. */
export function errorsPhrase(errors: ErrorCounts): string {
  return Object.entries(errorWords)
    .flatMap(([kind, word]) => {
      const count = errors[kind as keyof typeof errorWords];
      return count > 0 ? [`${wholeNumber(count)} ${word}`] : [];
    })
    .join(', ');
}

type Asked = Pick<Trial, 'valid' | 'blocks' | 'requests' | 'errors'>;

/** All that was asked of a trial, in blocks that count and in those that do not: errors may be why they do not. */
function askedOf({ blocks, requests, errors }: Asked): { attempts: number; errors: readonly ErrorCounts[] } {
  const counted = blocks.length > 0 ? blocks : [{ requests, errors }];
  return { attempts: counted.reduce((sum, one) => sum + one.requests + one.errors.total, 0), errors: counted.map((one) => one.errors) };
}

/** Whether a trial is discarded and its requests failed: then only that is reported of it, and not what else happened at that time. */
export function isErroneous(trial: Asked): boolean {
  if (trial.valid) return false;
  const { attempts, errors } = askedOf(trial);
  return errors.reduce((sum, one) => sum + one.total, 0) > noticeableShare * attempts;
}

/** "all 35,486 requests failed (35,486 status 5xx)", of the trials that are discarded for it; empty where none is. */
export function failedRequestsPhrase(trials: readonly Asked[]): string {
  const asked = trials.filter(isErroneous).map(askedOf);
  const attempts = asked.reduce((sum, one) => sum + one.attempts, 0);
  const all = asked.flatMap((one) => one.errors);
  if (all.length === 0) return '';
  const sum = Object.fromEntries(
    ['total', ...Object.keys(errorWords)].map((kind) => [kind, all.reduce((total, one) => total + one[kind as keyof ErrorCounts], 0)]),
  ) as ErrorCounts;
  const share = sum.total >= attempts ? `all ${wholeNumber(attempts)}` : `${wholeNumber(sum.total)} of ${wholeNumber(attempts)}`;
  return `${share} requests failed (${errorsPhrase(sum)})`;
}

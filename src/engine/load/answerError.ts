import type { ErrorCounts } from '../../model/domain/run.ts';

/** The kind of error that an answer is, as a block counts it; '' of a right one. */
export type AnswerError = '' | Extract<keyof ErrorCounts, 'status4xx' | 'limited' | 'status5xx' | 'unexpected' | 'other'>;

/** The kind of error that a status is where nothing else is expected: 2xx and 3xx are right. */
export function answerError(status: number): Exclude<AnswerError, 'unexpected'> {
  if (status >= 200 && status < 400) return '';
  if (status === 429) return 'limited';
  if (status >= 500 && status < 600) return 'status5xx';
  return status >= 400 && status < 500 ? 'status4xx' : 'other';
}

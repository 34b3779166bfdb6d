import { shortened } from '../../model/domain/plainText.ts';
import { parsedJson } from '../files/parsedJson.ts';
import type { MixRequest } from '../load/loadProtocol.ts';
import type { FirstAnswer } from './firstAnswer.ts';

/** An answer that is none with an error. */
type GoodAnswer = Pick<FirstAnswer, 'status' | 'headers' | 'body'> & Partial<Pick<FirstAnswer, 'cut'>>;

/** Answers that have no body. */
const bodiless = [204, 205];
const longestPlace = 120;

export function isJson(headers: GoodAnswer['headers']): boolean {
  return /\bjson\b/i.test(headers['content-type'] ?? '');
}

/**
 * What may be unintended in an answer, though it is none with an error, each as the words after the route’s name: a redirect, “not modified”, nothing at all, a
 * page to log in, HTML where JSON was `wanted` or all others are JSON, or an answer that says it is JSON and is not.
 */
export function answerHints(
  { status, headers, body, cut = false }: GoodAnswer,
  { wanted, othersAreJson }: { wanted: MixRequest['headers']; othersAreJson: boolean },
): string[] {
  if (status === 304) return ['answers that nothing has changed (304), without a body: that check is what would be measured'];
  if (status !== null && status >= 300 && status < 400) {
    const place = shortened(headers['location'] ?? '', longestPlace);
    const login = /log-?in|sign-?in|auth|sso/i.test(place);
    return [
      place === ''
        ? `is redirected (${status}): the redirect is what would be measured`
        : `is redirected to ${place} (${status})${login ? ', which looks like a login' : ''}: the redirect is what would be measured`,
    ];
  }
  if (body === '') return status !== null && bodiless.includes(status) ? [] : [`answers with nothing (${status ?? ''}, 0 bytes)`];
  if (/<input[^>]*type=["']?password/i.test(body)) return ['answers with a page to log in'];
  const html = /\bhtml\b/i.test(headers['content-type'] ?? '');
  const accept = Object.entries(wanted).find(([name]) => name.toLowerCase() === 'accept')?.[1] ?? '';
  if (html && /json/i.test(accept)) return ['answers with HTML where JSON was asked for'];
  if (html && othersAreJson) return ['answers with HTML where the other routes answer with JSON'];
  const isCoded = !/^(?:identity)?$/i.test(headers['content-encoding'] ?? '');
  if (isJson(headers) && !cut && !isCoded && parsedJson(body) === undefined) return ['says that its answer is JSON, which it is not'];
  return [];
}

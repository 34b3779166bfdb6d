import { type Expectation, stepsOf } from '../../model/domain/expectation.ts';
import { parsedJson } from '../files/parsedJson.ts';
import { isGraphqlQuery } from './graphqlRequest.ts';
import type { MixRequest } from './loadProtocol.ts';

/** What a good answer to one request is, ready to be asked of each. */
export interface ExpectedAnswer {
  isStatus: (status: number) => boolean;
  /** What is wrong with a body, as words that continue from "its body"; null: nothing. Absent where bodies say nothing. */
  wrongBody?: (body: string) => string | null;
}

/** What is expected of the answer to a request beyond 2xx or 3xx; null: nothing. A GraphQL query is expected to have no errors. */
export function expectedAnswer(request: Pick<MixRequest, 'method' | 'body' | 'parameters' | 'expect'>): ExpectedAnswer | null {
  const { expect } = request;
  const wrongBody = expect?.body !== undefined ? bodyCheck(expect.body) : isGraphqlQuery(request) ? graphqlErrors : null;
  if (expect?.status === undefined && wrongBody === null) return null;
  const statuses = expect?.status === undefined ? null : new Set(expect.status);
  return {
    isStatus: (status) => (statuses === null ? status >= 200 && status < 400 : statuses.has(status)),
    ...(wrongBody === null ? {} : { wrongBody }),
  };
}

/** "200 or 304", "2xx or 3xx". */
export function statusPhrase({ expect }: Pick<MixRequest, 'expect'>): string {
  return expect?.status?.join(' or ') ?? '2xx or 3xx';
}

/** An answer in another form than JSON (parts that come one after the other, say) reports no errors. */
function graphqlErrors(body: string): string | null {
  const found = valueAt(parsedJson(body), ['errors']);
  return Array.isArray(found) && found.length > 0 ? 'has $.errors' : null;
}

function bodyCheck({ json, not }: NonNullable<Expectation['body']>): ((body: string) => string | null) | null {
  if (json === undefined && not === undefined) return null;
  const [wanted, unwanted] = [json, not].map((place) => (place === undefined ? null : stepsOf(place)));
  return (body) => {
    const document = parsedJson(body);
    if (document === undefined) return 'is not JSON';
    if (wanted != null && isNothing(valueAt(document, wanted))) return `has no ${json ?? ''}`;
    if (unwanted == null) return null;
    const found = valueAt(document, unwanted);
    return isNothing(found) || found === false || (Array.isArray(found) && found.length === 0) ? null : `has ${not ?? ''}`;
  };
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null;
}

function valueAt(document: unknown, steps: readonly string[]): unknown {
  let value = document;
  for (const step of steps) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
    value = (value as Record<string, unknown>)[step];
  }
  return value;
}

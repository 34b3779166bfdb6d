import * as z from 'zod';
import type { MixRequest } from './loadProtocol.ts';

const requestSchema = z.object({ query: z.string().includes('{') });
const answerSchema = z.object({ errors: z.array(z.unknown()).min(1) });

/** Whether a request is a GraphQL operation that changes nothing: a POST whose JSON body has a document under `query`, without a mutation or a subscription. */
export function isGraphqlQuery({ method, body, parameters }: Pick<MixRequest, 'method' | 'body' | 'parameters'>): boolean {
  if (method !== 'POST' || body === undefined) return false;
  // A parameter may stand where JSON wants a number.
  const filled = body.replace(/:([A-Za-z_]\w*)/g, (whole, name: string) => (Object.hasOwn(parameters, name) ? '1' : whole));
  const read = requestSchema.safeParse(parsed(filled));
  return read.success && !/\b(?:mutation|subscription)\b/.test(read.data.query);
}

/** Whether an answer, in JSON, tells of GraphQL errors, which come with status 200. One that cannot be read tells of none. */
export function hasGraphqlErrors(body: string): boolean {
  return answerSchema.safeParse(parsed(body)).success;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

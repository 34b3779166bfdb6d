import * as z from 'zod';
import { parsedJson } from '../files/parsedJson.ts';
import type { MixRequest } from './loadProtocol.ts';

const requestSchema = z.object({ query: z.string().includes('{') });

/** Whether a request is a GraphQL operation that changes nothing: a POST whose JSON body has a document under `query`, without a mutation or a subscription. */
export function isGraphqlQuery({ method, body, parameters }: Pick<MixRequest, 'method' | 'body' | 'parameters'>): boolean {
  if (method !== 'POST' || body === undefined) return false;
  // A parameter may be where JSON needs a number.
  const filled = body.replace(/:([A-Za-z_]\w*)/g, (whole, name: string) => (Object.hasOwn(parameters, name) ? '1' : whole));
  const read = requestSchema.safeParse(parsedJson(filled));
  return read.success && !/\b(?:mutation|subscription)\b/.test(read.data.query);
}

import * as z from 'zod';
import { type TrafficSource, headersOf, targetOf } from '../trafficSource.ts';
import { pathOfAddress, withKnown } from './variables.ts';

const pair = z.object({ key: z.string().nullish(), value: z.unknown(), disabled: z.boolean().nullish() });
const requestSchema = z.object({
  method: z.string().default('GET'),
  url: z.union([z.string(), z.object({ raw: z.string() })]),
  header: z.array(pair).nullish().catch(null),
  body: z
    .object({ mode: z.string().optional(), raw: z.string().optional(), urlencoded: z.array(pair).optional() })
    .nullish()
    .catch(null),
});
const collectionSchema = z.object({ item: z.array(z.unknown()), variable: z.array(pair).nullish().catch(null) });
const deepest = 50;

/** A collection of Postman (2.0 and 2.1): its requests, in their order, are one session. */
export const postman: TrafficSource = {
  name: 'Postman collection',
  sniff: (head) => /^\s*\{/.test(head) && /schema\.getpostman\.com|"_postman_id"/.test(head),
  read({ text }, sink) {
    const { item, variable } = collectionSchema.parse(JSON.parse(text()));
    const known = new Map((variable ?? []).flatMap(({ key, value }) => (typeof value === 'string' && key ? [[key, value] as const] : [])));
    const walk = (items: readonly unknown[], depth: number): void => {
      for (const one of items) {
        if (typeof one !== 'object' || one === null) continue;
        if ('item' in one && Array.isArray(one.item) && depth < deepest) walk(one.item, depth + 1);
        if (!('request' in one)) continue;
        const request = requestSchema.safeParse(typeof one.request === 'string' ? { url: one.request } : one.request);
        if (!request.success) {
          sink.pass();
          continue;
        }
        const { url, method, header, body } = request.data;
        const address = withKnown(typeof url === 'string' ? url : url.raw, known);
        // A part of the path that is a variable, `:id`, is one of which nothing is known.
        const target = targetOf(pathOfAddress(address).replace(/\/:(\w+)(?=[/?]|$)/g, '/{$1}'))?.target;
        const headers = headersOf(
          (header ?? []).flatMap(({ key, value, disabled }) =>
            disabled !== true && key && typeof value === 'string' ? [[key, withKnown(value, known)] as const] : [],
          ),
        );
        const form = (body?.urlencoded ?? []).flatMap(({ key, value }) => (key ? [[key, withKnown(String(value), known)]] : []));
        if (form.length > 0) headers['content-type'] ??= 'application/x-www-form-urlencoded';
        sink.add({
          method: method.toUpperCase(),
          target,
          session: 'collection',
          details: {
            headers,
            body: body?.raw !== undefined ? withKnown(body.raw, known) : form.length > 0 ? new URLSearchParams(form).toString() : null,
            answer: null,
          },
        });
      }
    };
    walk(item, 0);
  },
};

import * as z from 'zod';
import { type TrafficSource, headersOf, targetOf } from '../trafficSource.ts';

const pairs = z.array(z.object({ name: z.string(), value: z.string() })).default([]);
const entrySchema = z.object({
  startedDateTime: z.string().optional(),
  connection: z.string().optional(),
  request: z.object({
    method: z.string(),
    url: z.string(),
    headers: pairs,
    postData: z.object({ text: z.string().optional(), mimeType: z.string().optional(), params: pairs.optional() }).nullish(),
  }),
  response: z
    .object({
      status: z.number(),
      headers: pairs,
      content: z.object({ mimeType: z.string().optional(), text: z.string().optional(), encoding: z.string().optional() }).nullish(),
    })
    .nullish(),
});
/** An entry of an HTTP Archive 1.2, with the parts that are read. */
export type HarEntry = z.input<typeof entrySchema>;
const harSchema = z.object({ log: z.object({ entries: z.array(z.unknown()) }) });

/** What a page consists of apart from what its service says. */
const assetType = /^(?:image|font|video|audio)\/|^text\/css|javascript/i;

/** A recording of a browser’s network panel (HTTP Archive 1.2). It is of one user; of several hosts the one that answered most is the service. */
export const har: TrafficSource = {
  name: 'HAR file',
  sniff: (head) => /^\s*\{/.test(head) && /"log"\s*:\s*\{/.test(head) && /"(?:entries|creator|pages)"\s*:/.test(head),
  read({ text }, sink) {
    const entries = harSchema.parse(JSON.parse(text())).log.entries.flatMap((one) => {
      const entry = entrySchema.safeParse(one);
      const target = entry.success ? targetOf(entry.data.request.url) : null;
      if (entry.success && target !== null) return [{ ...entry.data, ...target }];
      sink.pass();
      return [];
    });
    const asked = entries.filter(({ response }) => !assetType.test(response?.content?.mimeType ?? ''));
    const counts = new Map<string | null, number>();
    for (const { host } of asked) counts.set(host, (counts.get(host) ?? 0) + 1);
    const service = [...counts].sort((a, b) => b[1] - a[1])[0]?.[0];
    for (const { request, response, startedDateTime, host, target } of entries) {
      if (host !== service || assetType.test(response?.content?.mimeType ?? '')) {
        sink.pass();
        continue;
      }
      const at = Date.parse(startedDateTime ?? '');
      sink.add({
        method: request.method.toUpperCase(),
        target,
        atMs: Number.isNaN(at) ? null : at,
        status: response === undefined || response === null || response.status === 0 ? null : response.status,
        session: 'browser',
        details: {
          headers: headersOf(request.headers.map(({ name, value }) => [name, value] as const)),
          body: bodyOf(request.postData),
          answer:
            response === undefined || response === null
              ? null
              : {
                  headers: headersOf(response.headers.map(({ name, value }) => [name, value] as const)),
                  // Some browsers join several into one, a line each.
                  setCookies: response.headers
                    .filter(({ name }) => name.toLowerCase() === 'set-cookie')
                    .flatMap(({ value }) => value.split('\n')),
                  body: answerText(response.content),
                },
        },
      });
    }
  },
};

function bodyOf(postData: z.infer<typeof entrySchema>['request']['postData']): string | null {
  if (postData === undefined || postData === null) return null;
  if (postData.text !== undefined && postData.text !== '') return postData.text;
  const form = new URLSearchParams((postData.params ?? []).map(({ name, value }) => [name, value]));
  return form.size === 0 ? null : form.toString();
}

function answerText(content: NonNullable<z.infer<typeof entrySchema>['response']>['content']): string | null {
  if (content?.text === undefined) return null;
  return content.encoding === 'base64' ? Buffer.from(content.text, 'base64').toString() : content.text;
}

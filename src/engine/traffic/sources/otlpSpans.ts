import * as z from 'zod';
import { type TrafficSink, type TrafficSource, targetOf } from '../trafficSource.ts';
import { parsedJson } from '../../files/parsedJson.ts';

const valueSchema = z.object({ stringValue: z.string().optional(), intValue: z.union([z.string(), z.number()]).optional() });
const spanSchema = z.object({
  kind: z.union([z.number(), z.string()]).optional(),
  startTimeUnixNano: z.union([z.string(), z.number()]).optional(),
  attributes: z.array(z.object({ key: z.string(), value: valueSchema.catch({}) })).default([]),
});
const list = z.array(z.unknown()).default([]);
const serverKinds: readonly unknown[] = [2, 'SPAN_KIND_SERVER'];

/** Traces of OpenTelemetry as JSON, whole or one export a line: the spans of a server, by its semantic conventions of HTTP (before and since 1.20). */
export const otlpSpans: TrafficSource = {
  name: 'OTLP spans',
  sniff: (head) => /^\s*\{/.test(head) && /"resource_?[sS]pans"\s*:/.test(head),
  read({ lines, text }, sink) {
    let read = 0;
    for (const line of lines()) {
      if (line.trim() === '') continue;
      const document = parsedJson(line);
      if (document === undefined) break;
      takeAll(document, sink);
      read += 1;
    }
    if (read === 0) takeAll(parsedJson(text()), sink);
  },
};

function takeAll(document: unknown, sink: TrafficSink): void {
  for (const resource of under(document, 'resourceSpans'))
    for (const scope of [...under(resource, 'scopeSpans'), ...under(resource, 'instrumentationLibrarySpans')])
      for (const one of under(scope, 'spans')) {
        const span = spanSchema.safeParse(one);
        if (!span.success) sink.pass();
        else if (serverKinds.includes(span.data.kind)) take(span.data, sink);
      }
}

function under(value: unknown, name: string): readonly unknown[] {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return [];
  const found = list.safeParse((value as Record<string, unknown>)[name]);
  return found.success ? found.data : [];
}

function take({ attributes, startTimeUnixNano }: z.infer<typeof spanSchema>, sink: TrafficSink): void {
  const said = new Map(attributes.map(({ key, value }) => [key, String(value.stringValue ?? value.intValue ?? '')]));
  const query = said.get('url.query') ?? '';
  const path = said.get('url.path');
  const address =
    path === undefined
      ? (said.get('http.target') ?? said.get('url.full') ?? said.get('http.url') ?? '')
      : `${path}${query === '' ? '' : `?${query}`}`;
  const status = Number(said.get('http.response.status_code') ?? said.get('http.status_code') ?? 0);
  const at = Number(startTimeUnixNano ?? 0) / 1e6;
  sink.add({
    method: said.get('http.request.method') ?? said.get('http.method'),
    target: targetOf(address)?.target,
    atMs: at > 0 ? at : null,
    status: status === 0 ? null : status,
    session: said.get('session.id') ?? said.get('enduser.id') ?? said.get('client.address') ?? said.get('http.client_ip') ?? '',
  });
}

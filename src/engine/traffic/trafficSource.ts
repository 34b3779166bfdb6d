import type { ObservedRequest } from './observed.ts';

/** A file of traffic, read once from its beginning to its end. */
export interface TrafficInput {
  /** Line by line, however large the file is; a line longer than 64 KB is cut. */
  lines: () => Iterable<string>;
  /** The whole, of a document that is read as one. Fails with `traffic-too-large`. */
  text: () => string;
}

export interface TrafficSink {
  add: (request: ObservedRequest) => void;
  /** Something that is no request. */
  pass: () => void;
}

export interface TrafficSource {
  name: string;
  /** A session goes on in the next file; of any other form each file is a source of its own. */
  continues?: true;
  /** Whether a file that begins so is one. `head`: its first 64 KB. */
  sniff: (head: string) => boolean;
  read: (input: TrafficInput, sink: TrafficSink) => void;
}

/** Path and query of an address or of a request’s first line; null where it is none. */
export function targetOf(url: string): { host: string | null; target: string } | null {
  if (url.startsWith('/')) return { host: null, target: url.split('#', 1)[0] ?? url };
  const match = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)([^#]*)/i.exec(url);
  if (match === null) return null;
  const rest = match[2] ?? '';
  const host = (match[1] ?? '').replace(/^.*@/, '');
  return { host, target: rest.startsWith('/') ? rest : `/${rest}` };
}

/** Headers by lower-case names, without those that are HTTP/2’s own. */
export function headersOf(pairs: Iterable<readonly [name: string, value: string]>): Record<string, string> {
  const headers: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const [name, value] of pairs) if (/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) headers[name.toLowerCase()] = value;
  return headers;
}

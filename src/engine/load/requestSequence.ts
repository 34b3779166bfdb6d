import type { MixRequest } from './loadProtocol.ts';
import { SeededRandom } from './seededRandom.ts';

/** A request with holes: `literals[0] value literals[1] value …`; `draws[i]` says which drawn parameter fills hole i. */
interface Template {
  literals: readonly string[];
  holes: readonly number[];
}

interface CompiledRequest {
  /** Draw below which this entry is chosen, as a share of all weights. */
  upTo: number;
  ranges: readonly { min: number; max: number }[];
  startLine: Template;
  headers: string;
  body: (Template & { literalBytes: number }) | null;
}

/**
 * The requests of one block in seeded order, as HTTP/1.1 text. Every connection takes its next request from this one sequence, so the
 * order in which requests are sent is the same for the same seed, whatever the connections do, and ids never repeat in a cycle:
 * a short list sent again and again would be answered from caches. Making one costs about 0.2 µs, a hundredth of sending it.
 */
export class RequestSequence {
  readonly #random: SeededRandom;
  readonly #requests: readonly CompiledRequest[];
  readonly #drawn: number[] = [];

  constructor(mix: readonly MixRequest[], seed: number, authority: string) {
    this.#random = new SeededRandom(seed);
    const total = mix.reduce((sum, request) => sum + request.weight, 0);
    let reached = 0;
    this.#requests = mix.map((request) => {
      reached += request.weight / total;
      return compile(request, reached, authority);
    });
  }

  /** The next request, complete with headers and body. */
  next(): string {
    const request = this.#choose();
    const drawn = this.#drawn;
    for (let i = 0; i < request.ranges.length; i++) {
      const range = request.ranges[i];
      if (range !== undefined) drawn[i] = this.#random.nextInteger(range.min, range.max);
    }
    if (request.body === null) return fill(request.startLine, drawn) + request.headers;
    let bytes = request.body.literalBytes;
    for (const hole of request.body.holes) bytes += String(drawn[hole]).length;
    return `${fill(request.startLine, drawn)}${request.headers}${bytes}\r\n\r\n${fill(request.body, drawn)}`;
  }

  #choose(): CompiledRequest {
    const requests = this.#requests;
    const last = requests[requests.length - 1];
    if (last === undefined) throw new RangeError('a request mix has at least one request');
    if (requests.length === 1) return last;
    const draw = this.#random.nextFraction();
    for (const request of requests) if (draw < request.upTo) return request;
    return last;
  }
}

function fill(template: Template, drawn: readonly number[]): string {
  let text = template.literals[0] ?? '';
  for (let i = 0; i < template.holes.length; i++) text += String(drawn[template.holes[i] ?? 0]) + (template.literals[i + 1] ?? '');
  return text;
}

function compile(request: MixRequest, upTo: number, authority: string): CompiledRequest {
  const names = Object.keys(request.parameters).sort();
  const ranges = names.map((name) => request.parameters[name] ?? { min: 1, max: 1 });
  const startLine = template(`${request.method} ${request.path} HTTP/1.1\r\n`, names);
  const given = new Set(Object.keys(request.headers).map((name) => name.toLowerCase()));
  const lines = Object.entries(request.headers)
    // The length is computed, since parameters change it.
    .filter(([name]) => !/^(content-length|transfer-encoding)$/i.test(name))
    .map(([name, value]) => `${name}: ${value}\r\n`);
  if (!given.has('host')) lines.unshift(`Host: ${authority}\r\n`);
  if (!given.has('connection')) lines.push('Connection: keep-alive\r\n');
  if (request.body === undefined) {
    // A POST without a body still has a length, or the server waits for one.
    if (request.method === 'POST' || request.method === 'PUT' || request.method === 'PATCH') lines.push('Content-Length: 0\r\n');
    return { upTo, ranges, startLine, headers: `${lines.join('')}\r\n`, body: null };
  }
  if (!given.has('content-type') && /^\s*[[{]/.test(request.body)) lines.push('Content-Type: application/json\r\n');
  const body = template(request.body, names);
  const literalBytes = body.literals.reduce((sum, literal) => sum + Buffer.byteLength(literal), 0);
  return { upTo, ranges, startLine, headers: `${lines.join('')}Content-Length: `, body: { ...body, literalBytes } };
}

function template(text: string, names: readonly string[]): Template {
  if (names.length === 0) return { literals: [text], holes: [] };
  const alternatives = [...names].sort((a, b) => b.length - a.length).map(escapeForRegExp);
  // `:id` is not the beginning of `:idea`.
  const parameter = new RegExp(`:(${alternatives.join('|')})(?![A-Za-z0-9_])`, 'g');
  const literals: string[] = [];
  const holes: number[] = [];
  let from = 0;
  for (const match of text.matchAll(parameter)) {
    literals.push(text.slice(from, match.index));
    holes.push(names.indexOf(match[1] ?? ''));
    from = match.index + match[0].length;
  }
  literals.push(text.slice(from));
  return { literals, holes };
}

function escapeForRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

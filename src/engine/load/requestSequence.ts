import { literalPattern } from '../../model/domain/plainText.ts';
import type { MixRequest } from './loadProtocol.ts';
import { SeededRandom } from '../statistics/seededRandom.ts';
import { type ParameterDraw, drawsOf, looksLikeJson } from './parameterDraw.ts';

/** A request with holes: `literals[0] value literals[1] value …`; `holes[i]` says which drawn parameter fills hole i. */
export interface DrawnTemplate {
  literals: readonly string[];
  holes: readonly number[];
}

interface CompiledRequest {
  /** Draw below which this entry is chosen, as a share of all weights. */
  upTo: number;
  draws: readonly ParameterDraw[];
  /** No parameter is a text, so that a body is as long as its digits. */
  isNumbers: boolean;
  method: MixRequest['method'];
  path: DrawnTemplate;
  startLine: DrawnTemplate;
  /** By authority: what follows the start line, up to the body's length. */
  headers: readonly string[];
  /** By authority: the same as names and values in turn, without those that say how the request is carried. */
  headerLists: readonly string[][];
  body: (DrawnTemplate & { literalBytes: number }) | null;
}

/** One request for a client that writes HTTP itself and sets connection and length. */
export interface RequestParts {
  method: MixRequest['method'];
  path: string;
  /** Names and values in turn. */
  headers: string[];
  body: string | null;
}

/** So many consecutive requests have the mix as exactly as whole requests can. */
const inARow = 16;
/** Fractional part of the golden ratio: its multiples are spread over 0 … 1 more evenly than those of any other number. */
const golden = 0.618_033_988_749_894_9;
/** Requests seek from 0 on. */
const before = -2;

/**
 * Numbers from 0 to 1 that choose the entries of a mix: each is uniform, and any {@link inARow} that begin at a multiple of it have one number in each
 * sixteenth of the range, in a drawn order (systematic sampling: Cochran, Sampling Techniques, ch. 8). Of independent draws a slice of 300 requests of two
 * routes holds 150 ± 9 of each, so that its throughput says ± 6 % of the routes where one of them costs far more than the other, and nothing of the server. The
 * number of an index follows from the seed and from the index alone; profiles/k6/script.js draws the same.
 */
class EvenDraws {
  readonly #random: SeededRandom;
  readonly #first: number;
  #row = -1;
  #places: number[] = [];

  constructor(seed: number) {
    this.#random = new SeededRandom(seed);
    this.#random.seek(before + 1);
    this.#first = this.#random.nextFraction();
  }

  at(index: number): number {
    const row = Math.floor(index / inARow);
    if (row !== this.#row) {
      this.#row = row;
      this.#random.seek(before - row);
      this.#places = this.#random.shuffled(Array.from({ length: inARow }, (_, place) => place));
    }
    const offset = (this.#first + row * golden) % 1;
    return ((this.#places[index % inARow] ?? 0) + offset) / inARow;
  }
}

/**
 * The requests of one block in seeded order, as HTTP/1.1 text; what the nth one is follows from the seed and from n alone. Every connection takes its next
 * request from this one sequence, so the order in which requests are sent is the same for the same seed, whatever the connections do, and ids never repeat in a
 * cycle: a short list sent again and again would be answered from caches. Making one costs about 0.2 µs, a hundredth of sending it.
 *
 * Several authorities (`host:port`) share the one sequence; `to` is the index of the one that the next request goes to, and changes only its Host header.
 */
export class RequestSequence {
  readonly #random: SeededRandom;
  readonly #entries: EvenDraws;
  readonly #requests: readonly CompiledRequest[];
  readonly #drawn: number[] = [];
  #chosen = 0;
  #index = 0;

  constructor(mix: readonly MixRequest[], seed: number, ...authorities: readonly string[]) {
    this.#random = new SeededRandom(seed);
    this.#entries = new EvenDraws(seed);
    const total = mix.reduce((sum, request) => sum + request.weight, 0);
    let reached = 0;
    this.#requests = mix.map((request) => {
      reached += request.weight / total;
      return compile(request, reached, authorities);
    });
  }

  /** The next request, complete with headers and body. `more` are headers of its own by the index of its entry in the mix, each with its line's end. */
  next(to = 0, more?: (entry: number) => string): string {
    const request = this.#draw();
    const drawn = this.#drawn;
    const headers = (more === undefined ? '' : more(this.#chosen)) + (request.headers[to] ?? '');
    const startLine = fill(request.startLine, drawn, request.draws, 'path');
    if (request.body === null) return startLine + headers;
    const body = fill(request.body, drawn, request.draws, 'body');
    let bytes = request.body.literalBytes;
    if (request.isNumbers) for (const hole of request.body.holes) bytes += String(drawn[hole]).length;
    else bytes = Buffer.byteLength(body);
    return `${startLine}${headers}${bytes}\r\n\r\n${body}`;
  }

  /** The index in the mix of the request that was given last. */
  get entry(): number {
    return this.#chosen;
  }

  /** The next request in parts: the one that {@link next} would have given. */
  nextParts(to = 0, more?: (entry: number) => string[]): RequestParts {
    const request = this.#draw();
    const headers = request.headerLists[to] ?? [];
    return {
      method: request.method,
      path: fill(request.path, this.#drawn, request.draws, 'path'),
      headers: more === undefined ? headers : [...headers, ...more(this.#chosen)],
      body: request.body === null ? null : fill(request.body, this.#drawn, request.draws, 'body'),
    };
  }

  /** Goes by one request, as if it had been sent. */
  skip(): void {
    this.#draw();
  }

  #draw(): CompiledRequest {
    const index = this.#index++;
    this.#random.seek(index);
    const request = this.#choose(index);
    for (let i = 0; i < request.draws.length; i++) {
      const draw = request.draws[i];
      if (draw !== undefined) this.#drawn[i] = this.#random.nextInteger(draw.min, draw.max);
    }
    return request;
  }

  #choose(index: number): CompiledRequest {
    const requests = this.#requests;
    const last = requests[requests.length - 1];
    if (last === undefined) throw new RangeError('a request mix has at least one request');
    this.#chosen = requests.length - 1;
    if (requests.length === 1) return last;
    const draw = this.#entries.at(index);
    const entry = requests.findIndex((request) => draw < request.upTo);
    if (entry >= 0) this.#chosen = entry;
    return requests[this.#chosen] ?? last;
  }
}

function fill(template: DrawnTemplate, drawn: readonly number[], draws: readonly ParameterDraw[], of: 'path' | 'body'): string {
  let text = template.literals[0] ?? '';
  for (let i = 0; i < template.holes.length; i++) {
    const hole = template.holes[i] ?? 0;
    const number = drawn[hole] ?? 0;
    text += (draws[hole]?.texts?.[of][number] ?? String(number)) + (template.literals[i + 1] ?? '');
  }
  return text;
}

function compile(request: MixRequest, upTo: number, authorities: readonly string[]): CompiledRequest {
  const names = Object.keys(request.parameters).sort();
  const draws = drawsOf(request, names);
  const isNumbers = draws.every(({ texts }) => texts === null);
  const { method } = request;
  const path = drawnTemplate(request.path, names);
  const startLine = drawnTemplate(`${method} ${request.path} HTTP/1.1\r\n`, names);
  const given = new Set(Object.keys(request.headers).map((name) => name.toLowerCase()));
  // The length is computed, since parameters change it.
  const fields = Object.entries(request.headers).filter(([name]) => !/^(content-length|transfer-encoding)$/i.test(name));
  const bodyFields: [string, string][] =
    request.body !== undefined && !given.has('content-type') && looksLikeJson(request.body) ? [['Content-Type', 'application/json']] : [];
  const headerLists = authorities.map((authority) => {
    const host: [string, string][] = given.has('host') ? [] : [['Host', authority]];
    return [...host, ...fields.filter(([name, value]) => isForPartsClient(name, value)), ...bodyFields].flat();
  });
  const headers = authorities.map((authority) => {
    const lines = fields.map(([name, value]) => `${name}: ${value}\r\n`);
    if (!given.has('host')) lines.unshift(`Host: ${authority}\r\n`);
    if (!given.has('connection')) lines.push('Connection: keep-alive\r\n');
    if (request.body !== undefined)
      return `${[...lines, ...bodyFields.map(([name, value]) => `${name}: ${value}\r\n`)].join('')}Content-Length: `;
    // A POST without a body still has a length, or the server waits for one.
    if (method === 'POST' || method === 'PUT' || method === 'PATCH') lines.push('Content-Length: 0\r\n');
    return `${lines.join('')}\r\n`;
  });
  if (request.body === undefined) return { upTo, draws, isNumbers, method, path, startLine, headers, headerLists, body: null };
  const body = drawnTemplate(request.body, names);
  const literalBytes = body.literals.reduce((sum, literal) => sum + Buffer.byteLength(literal), 0);
  return { upTo, draws, isNumbers, method, path, startLine, headers, headerLists, body: { ...body, literalBytes } };
}

/** undici refuses these, or gives them itself; only a wish to close is the route's decision. */
function isForPartsClient(name: string, value: string): boolean {
  if (/^connection$/i.test(name)) return /^close$/i.test(value.trim());
  return !/^(keep-alive|upgrade|expect)$/i.test(name);
}

/** The text with a hole for each `:name` of these. */
export function drawnTemplate(text: string, names: readonly string[]): DrawnTemplate {
  if (names.length === 0) return { literals: [text], holes: [] };
  const alternatives = [...names].sort((a, b) => b.length - a.length).map(literalPattern);
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

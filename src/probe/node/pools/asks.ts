import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { nowUs } from '../clock.ts';
import { shortText } from '../objects.ts';
import { type ServedRequest, servedNow } from '../servedRequests.ts';

/** What was recorded when a caller asked for a connection. */
export interface Ask {
  /** It becomes text when it is read, which costs more than keeping it. Absent where the stack was not captured. */
  stack?: unknown;
  /** The request of the caller; absent where that is not known. */
  request?: ServedRequest | undefined;
}

/**
 * The number of stacks that are captured in any case; then at most one in each interval, whatever the load is; ten times as many for a while after a
 * connection was lost.
 */
const firstLooks = 64;
const everyUs = 10_000;
const suspiciousEveryUs = 1_000;
const suspiciousForUs = 10_000_000;
const frames = 30;
/** An app often has a function of its own before its pool: the callers of that function distinguish the places. */
const mostOwn = 3;
/** Callers that have not got their connection yet. */
const keptAsks = 256;

const asks = new Map<number, Ask>();
let looks = 0;
let lookedUs = 0;
let suspiciousUntilUs = 0;

/** The time, in µs, at which a caller asks for a connection: now. It is the key to the request and the place of the caller, as far as they are known. */
export function askedNowUs(): number {
  const timeUs = nowUs();
  const request = servedNow();
  if (looks < firstLooks || timeUs - lookedUs >= (timeUs < suspiciousUntilUs ? suspiciousEveryUs : everyUs)) look(timeUs, { request });
  else if (request !== undefined) keep(timeUs, { request });
  return timeUs;
}

function keep(timeUs: number, ask: Ask): void {
  asks.set(timeUs, ask);
  if (asks.size > keptAsks) asks.delete(asks.keys().next().value ?? timeUs);
}

/** Some lent connections are lost: more may follow. */
export function suspect(): void {
  suspiciousUntilUs = nowUs() + suspiciousForUs;
}

function look(timeUs: number, ask: Ask): void {
  looks += 1;
  lookedUs = timeUs;
  captureStack(ask, askedNowUs);
  keep(timeUs, ask);
}

/** The stack that called `below`. */
function captureStack(ask: Ask, below: (this: never, ...given: never[]) => unknown): void {
  const usual = Error.stackTraceLimit;
  try {
    Error.stackTraceLimit = frames;
    Error.captureStackTrace(ask, below);
  } catch {
    // An app may have frozen it: then no place is known.
  } finally {
    try {
      Error.stackTraceLimit = usual;
    } catch {
      // As above.
    }
  }
}

/** The app’s own code that is nearest among the callers of `below`, as {@link placeOf} writes it. */
export function placeNow(below: (this: never, ...given: never[]) => unknown): string | null {
  const ask: Ask = {};
  captureStack(ask, below);
  return placeOf(ask);
}

/** Gives it once. */
export function takeAsk(askedUs: number): Ask | undefined {
  const ask = asks.get(askedUs);
  asks.delete(askedUs);
  return ask;
}

/** The app’s own code that is nearest, such as `read (src/orders.js:42)`, with its callers, else that of a package; null where neither is on the stack. */
export function placeOf(ask: Ask): string | null {
  try {
    const { stack } = ask;
    if (typeof stack !== 'string') return null;
    const places = stack.split('\n').flatMap((line) => placeIn(line) ?? []);
    const isOwn = ({ file }: Place): boolean => !/[/\\]node_modules[/\\]/.test(file);
    const from = places.slice(Math.max(0, places.findIndex(isOwn)));
    const end = from.findIndex((place) => !isOwn(place));
    const nearest = from.slice(0, end < 0 ? mostOwn : Math.min(mostOwn, Math.max(1, end)));
    return nearest.length === 0 ? null : shortText(nearest.map(({ text }) => text).join(', called by '));
  } catch {
    // What an app puts in place of the text of a stack may do anything.
    return null;
  }
}

interface Place {
  file: string;
  text: string;
}

/** A frame’s file, and how it is written; null of a frame of Node or of the probe, and of what is no frame. */
function placeIn(frame: string): Place | null {
  const [, name = '', url = '', line = ''] = /^\s+at (?:async )?(?:(.+?) \()?([^()]+):(\d+):\d+\)?$/.exec(frame) ?? [];
  if (url === '' || url.startsWith('node:') || url.endsWith('nodeProbe.cjs')) return null;
  const file = url.startsWith('file:') ? fileURLToPath(url) : url;
  const fromHere = path.relative(process.cwd(), file);
  const shown = fromHere.startsWith('..') || path.isAbsolute(fromHere) ? path.basename(file) : fromHere;
  return { file, text: name === '' ? `${shown}:${line}` : `${name} (${shown}:${line})` };
}

import { AsyncLocalStorage } from 'node:async_hooks';

/** A request of this process, for those that have to know when it is over. */
export interface ServedRequest {
  /** When its response was complete, on the probe’s clock; null: it is under way. */
  endedUs: number | null;
}

/**
 * So many requests are followed through what is called for them, and no more: following one costs time at each promise of the app. A pool that is emptied by
 * requests which all leave a connection behind at once is empty within its first; a later loss is recognised by the time at which it was asked for.
 */
const followed = 256;
/** Ends of requests that are kept in mind. */
const keptEnds = 64;

const calls = new AsyncLocalStorage<ServedRequest | null>();
const ends = new Float64Array(keptEnds).fill(Number.NEGATIVE_INFINITY);
let begun = 0;
let ended = 0;

/** To be called where a request comes in, before the app gets it. */
export function requestBegins(): ServedRequest {
  const request: ServedRequest = { endedUs: null };
  begun += 1;
  if (begun <= followed) calls.enterWith(request);
  else if (begun === followed + 1) calls.disable();
  return request;
}

export function requestEnds(request: ServedRequest, timeUs: number): void {
  request.endedUs = timeUs;
  ends[ended % keptEnds] = timeUs;
  ended += 1;
}

/** How many requests have ended since then, among the last {@link keptEnds}. */
export function endedSince(timeUs: number): number {
  let count = 0;
  for (const endUs of ends) if (endUs >= timeUs) count += 1;
  return count;
}

/**
 * For which request the present call is made; undefined where that is not known. What is called when its request has ended may be called for another one: a queue of
 * the app’s own goes on from within the call of the request served before.
 */
export function servedNow(): ServedRequest | undefined {
  const request = begun > followed ? null : calls.getStore();
  return request == null || request.endedUs !== null ? undefined : request;
}

/** Calls from here on may be for another request than `servedNow` returns: it is unknown then, unless they are for this one. */
export function goesOnFor(request: ServedRequest | undefined): void {
  if (begun > 0 && begun <= followed && calls.getStore() !== request) calls.enterWith(null);
}

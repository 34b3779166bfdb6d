import { setTimeout as pause } from 'node:timers/promises';
import { sendJson } from '../../../node/answers.mjs';
import { numberIn, parameter } from '../../../node/parameters.mjs';

let lastHolder = Promise.resolve();

/** Waits while it holds the one lock of the whole app: no more than 1000 / ms requests a second, whatever the machine. With `lock=own`, one that nobody else wants. */
export async function waitLocked({ response, query }) {
  const ms = numberIn(query, 'ms', 0, 1000, 5);
  await (parameter(query, 'lock') === 'own' ? pause(ms) : holdLock(ms));
  sendJson(response, 200, { waitedMs: ms });
}

/** Waits for the lock of the whole app, and holds it for so long: whoever comes meanwhile goes after it. */
export function holdLock(ms) {
  lastHolder = lastHolder.then(() => pause(ms));
  return lastHolder;
}

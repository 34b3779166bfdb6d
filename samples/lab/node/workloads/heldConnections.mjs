import { setTimeout as pause } from 'node:timers/promises';
import { sendJson } from '../../../node/answers.mjs';
import { numberIn, parameter } from '../../../node/parameters.mjs';
import { RequestError } from '../../../node/requestError.mjs';
import { holdLock } from './lock.mjs';

const idOfAd = { name: 'ad-to-check-out', text: 'SELECT id FROM ads WHERE id = $1' };
const categoryOfAd = { name: 'category-of-ad', text: 'SELECT category_id AS "categoryId" FROM ads WHERE id = $1' };
const countInCategory = { name: 'count-in-category', text: 'SELECT count(*)::integer AS "inCategory" FROM ads WHERE category_id = $1' };

let checkouts = 0;

/** Keeps its connection while it does something else: what a pool is exhausted by although the database has nothing to do. */
export async function checkOut({ response, database, query }) {
  const ms = numberIn(query, 'ms', 0, 1000, 10);
  const work = parameter(query, 'work') || 'wait';
  if (!['wait', 'compute', 'lock'].includes(work)) throw new RequestError(400, 'work must be wait, compute or lock');
  const wanted = 1 + (checkouts++ % 1000);
  const [ad] = await database.transaction(async (ask) => {
    const rows = await ask(idOfAd, [wanted]);
    if (work === 'wait') await pause(ms);
    else if (work === 'lock') await holdLock(ms);
    else computeUntil(performance.now() + ms);
    return rows;
  });
  sendJson(response, 200, { id: ad.id, ms, work });
}

/** By the clock, so that the connection is held for as long on every machine. */
function computeUntil(end) {
  while (performance.now() < end);
}

/**
 * Takes a second connection while it holds one. When as many requests as there are connections hold their first, all of them wait in vain: n
 * requests that need m connections each need a pool of n·(m − 1) + 1.
 */
export async function nested({ response, database, query }) {
  const id = numberIn(query, 'id', 1, 100_000, 1);
  const answer = await database.hold(async (ask) => {
    const [{ categoryId }] = await ask(categoryOfAd, [id]);
    const [{ inCategory }] = await database.query(countInCategory, [categoryId]);
    return { id, categoryId, inCategory };
  });
  sendJson(response, 200, answer);
}

let answered = 0;

/**
 * Of every so many requests one is answered, or fails, while its connection is never given back: a pool runs dry, whatever its size. `after`: something else comes
 * first, for so many ms.
 */
export async function leave({ response, database, query }) {
  const every = numberIn(query, 'every', 1, 1_000_000, 50);
  const way = parameter(query, 'way') || 'answer';
  if (!['answer', 'error'].includes(way)) throw new RequestError(400, 'way must be answer or error');
  const after = numberIn(query, 'after', 0, 1000, 0);
  if (after > 0) await pause(after);
  const isLeft = (answered += 1) % every === 0;
  const ad = await new Promise((resolve, reject) => {
    const held = database.hold(async (ask) => {
      const [row] = await ask(categoryOfAd, [1 + (answered % 1000)]);
      resolve(row);
      if (isLeft) await new Promise(() => undefined);
    });
    held.catch(reject);
  });
  if (isLeft && way === 'error') throw new RequestError(409, 'left behind');
  sendJson(response, 200, ad);
}

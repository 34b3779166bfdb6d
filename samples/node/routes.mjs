import { send, sendJson } from './answers.mjs';
import { readNewAd } from './newAd.mjs';
import { MAX_ID, idOf, numberIn } from './parameters.mjs';
import { RequestError } from './requestError.mjs';

/** The segment that a pattern finds may be any text; what it may be is the handler's business. */
export const routes = [
  { pattern: /^\/ads\/([^/]+)$/, methods: { GET: getAd } },
  { pattern: /^\/ads$/, methods: { GET: listAds, POST: postAd } },
  { pattern: /^\/ads\/([^/]+)\/similar$/, methods: { GET: listSimilarAds } },
  { pattern: /^\/wait$/, methods: { GET: wait } },
  { pattern: /^\/hello$/, methods: { GET: hello } },
  { pattern: /^\/health$/, methods: { GET: health } },
];

async function health({ response, database }) {
  await database.ping();
  sendJson(response, 200, { status: 'ok' });
}

function hello({ response }) {
  send(response, 200, 'text/plain', 'Hello, world!');
}

async function getAd({ response, database, segment }) {
  const ad = await database.adById(idOf(segment));
  if (ad === undefined) throw new RequestError(404, 'no such ad');
  sendJson(response, 200, ad);
}

async function listAds({ response, database, query }) {
  const category = numberIn(query, 'category', 1, MAX_ID, undefined);
  const limit = numberIn(query, 'limit', 1, 100, 20);
  sendJson(response, 200, await database.newestAds(category, limit));
}

async function listSimilarAds({ response, database, segment }) {
  const id = idOf(segment);
  const ads = await database.similarAds(id);
  // nothing similar, or nothing at all: only then is it worth a second statement
  if (ads.length === 0 && (await database.adById(id)) === undefined) throw new RequestError(404, 'no such ad');
  sendJson(response, 200, ads);
}

async function postAd({ request, response, database }) {
  const ad = await database.insertAd(await readNewAd(request));
  sendJson(response, 201, ad, { Location: `/ads/${ad.id}` });
}

async function wait({ response, database, query }) {
  const ms = numberIn(query, 'ms', 0, 10_000, undefined);
  if (ms === undefined) throw new RequestError(400, 'ms must be a whole number from 0 to 10000');
  await database.wait(ms);
  sendJson(response, 200, { waitedMs: ms });
}

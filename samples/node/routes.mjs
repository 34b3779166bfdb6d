import { send, sendJson } from './answers.mjs';
import { DatabaseUnavailable, UnknownReference } from './databaseErrors.mjs';
import { readNewAd } from './newAd.mjs';
import { MAX_ID, idOf, numberIn } from './parameters.mjs';
import { RequestError } from './requestError.mjs';
import { startTiming, wantsTiming } from './serverTiming.mjs';
import { endSession, getAccount, postAccount, postSession } from './workloads/accounts.mjs';
import { compute } from './workloads/compute.mjs';
import { postCounter } from './workloads/counters.mjs';
import { getDocument } from './workloads/documents.mjs';
import { checkOut, nested } from './workloads/heldConnections.mjs';
import { waitLocked } from './workloads/lock.mjs';
import { allocate } from './workloads/memory.mjs';
import { getReport } from './workloads/report.mjs';
import { listReviews, postReview } from './workloads/reviews.mjs';
import { getSearch } from './workloads/search.mjs';
import { getPage, getStaticFile } from './workloads/staticFiles.mjs';
import { postUpload } from './workloads/uploads.mjs';

/** `:id` is a path segment of any text; what it may be is the handler's business. */
const routes = [
  { pattern: /^\/ads\/([^/]+)$/, methods: { GET: getAd } },
  { pattern: /^\/ads$/, methods: { GET: listAds, POST: postAd } },
  { pattern: /^\/ads\/([^/]+)\/similar$/, methods: { GET: listSimilarAds } },
  { pattern: /^\/wait$/, methods: { GET: wait } },
  { pattern: /^\/hello$/, methods: { GET: hello } },
  { pattern: /^\/health$/, methods: { GET: health } },
  { pattern: /^\/static\/(.*)$/s, methods: { GET: getStaticFile } },
  { pattern: /^\/page$/, methods: { GET: getPage } },
  { pattern: /^\/search$/, methods: { GET: getSearch } },
  { pattern: /^\/report$/, methods: { GET: getReport } },
  { pattern: /^\/reviews$/, methods: { GET: listReviews, POST: postReview } },
  { pattern: /^\/documents\/([^/]+)$/, methods: { GET: getDocument } },
  { pattern: /^\/counters\/([^/]+)$/, methods: { POST: postCounter } },
  { pattern: /^\/checkout$/, methods: { GET: checkOut } },
  { pattern: /^\/nested$/, methods: { GET: nested } },
  { pattern: /^\/allocate$/, methods: { GET: allocate } },
  { pattern: /^\/locked$/, methods: { GET: waitLocked } },
  { pattern: /^\/compute$/, methods: { GET: compute } },
  { pattern: /^\/accounts$/, methods: { POST: postAccount } },
  { pattern: /^\/account$/, methods: { GET: getAccount } },
  { pattern: /^\/session$/, methods: { POST: postSession, DELETE: endSession } },
  { pattern: /^\/uploads$/, methods: { POST: postUpload } },
];

/**
 * Answers requests of the bulletin board; nothing that goes wrong in one leaves this function as an exception.
 * @param services what handlers use: `database`, `search`, `documents` and `staticDir`
 */
export function createRequestListener(services, log) {
  return async (request, response) => {
    try {
      await answer(request, response, wantsTiming(request) ? startTiming(request, response, services) : services);
    } catch (error) {
      sendError(request, response, error, log);
    }
  };
}

async function answer(request, response, services) {
  const [path, query] = splitUrl(request.url);
  for (const { pattern, methods } of routes) {
    const match = pattern.exec(path);
    if (match === null) continue;
    const handler = Object.hasOwn(methods, request.method) ? methods[request.method] : undefined;
    if (handler === undefined) {
      throw new RequestError(405, 'method not allowed', { Allow: Object.keys(methods).join(', ') });
    }
    return handler({ request, response, database: services.database, services, query, segment: match[1] });
  }
  throw new RequestError(404, 'not found');
}

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

function splitUrl(url) {
  const mark = url.indexOf('?');
  return mark === -1 ? [url, ''] : [url.slice(0, mark), url.slice(mark + 1)];
}

function sendError(request, response, error, log) {
  if (response.headersSent) {
    log.error(`${request.method} ${request.url} failed after its answer had begun`, error);
    response.destroy();
  } else if (error instanceof RequestError) {
    sendJson(response, error.status, { error: error.message }, error.headers);
  } else if (error instanceof UnknownReference) {
    sendJson(response, 400, { error: 'categoryId or sellerId is unknown' });
  } else if (error instanceof DatabaseUnavailable) {
    log.warnSometimes(`the database is not available: ${error.message}`);
    sendJson(response, 503, { error: 'the database is not available' });
  } else {
    log.error(`${request.method} ${request.url} failed`, error);
    sendJson(response, 500, { error: 'internal error' });
  }
}

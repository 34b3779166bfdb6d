import { DatabaseUnavailable, UnknownReference } from './database.mjs';
import { readNewAd } from './newAd.mjs';
import { RequestError } from './requestError.mjs';

const MAX_ID = 2_147_483_647;

/** `:id` is a path segment of any text; what it may be is the handler's business. */
const routes = [
  { pattern: /^\/ads\/([^/]+)$/, methods: { GET: getAd } },
  { pattern: /^\/ads$/, methods: { GET: listAds, POST: postAd } },
  { pattern: /^\/ads\/([^/]+)\/similar$/, methods: { GET: listSimilarAds } },
  { pattern: /^\/wait$/, methods: { GET: wait } },
  { pattern: /^\/hello$/, methods: { GET: hello } },
  { pattern: /^\/health$/, methods: { GET: health } },
];

/** Answers requests of the bulletin board; nothing that goes wrong in one leaves this function as an exception. */
export function createRequestListener(database, log) {
  return async (request, response) => {
    try {
      await answer(request, response, database);
    } catch (error) {
      sendError(request, response, error, log);
    }
  };
}

async function answer(request, response, database) {
  const [path, query] = splitUrl(request.url);
  for (const { pattern, methods } of routes) {
    const match = pattern.exec(path);
    if (match === null) continue;
    const handler = Object.hasOwn(methods, request.method) ? methods[request.method] : undefined;
    if (handler === undefined) {
      throw new RequestError(405, 'method not allowed', { Allow: Object.keys(methods).join(', ') });
    }
    return handler({ request, response, database, query, segment: match[1] });
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

function idOf(segment) {
  const id = wholeNumber(segment, 1, MAX_ID);
  if (id === undefined) throw new RequestError(400, `id must be a whole number from 1 to ${MAX_ID}`);
  return id;
}

/** The number that a query parameter carries, or `preset` when it is absent or empty. */
function numberIn(query, name, min, max, preset) {
  const text = parameter(query, name);
  if (text === undefined || text === '') return preset;
  const value = wholeNumber(text, min, max);
  if (value === undefined) throw new RequestError(400, `${name} must be a whole number from ${min} to ${max}`);
  return value;
}

/** The first value of a query parameter as it stands: all of them are plain numbers, so nothing is decoded. */
function parameter(query, name) {
  for (const part of query.split('&')) {
    if (part === name) return '';
    if (part.startsWith(name) && part[name.length] === '=') return part.slice(name.length + 1);
  }
  return undefined;
}

function wholeNumber(text, min, max) {
  if (!/^(0|[1-9][0-9]{0,9})$/.test(text)) return undefined;
  const value = Number(text);
  return value >= min && value <= max ? value : undefined;
}

function splitUrl(url) {
  const mark = url.indexOf('?');
  return mark === -1 ? [url, ''] : [url.slice(0, mark), url.slice(mark + 1)];
}

function sendError(request, response, error, log) {
  if (error instanceof RequestError) {
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

function sendJson(response, status, value, headers) {
  send(response, status, 'application/json', JSON.stringify(value), headers);
}

function send(response, status, contentType, body, headers) {
  response.writeHead(status, { 'Content-Type': contentType, 'Content-Length': Buffer.byteLength(body), ...headers });
  response.end(body);
}

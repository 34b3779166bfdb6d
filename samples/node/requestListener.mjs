import { sendJson } from './answers.mjs';
import { DatabaseUnavailable, UnknownReference } from './databaseErrors.mjs';
import { RequestError } from './requestError.mjs';
import { startTiming, wantsTiming } from './serverTiming.mjs';

/**
 * Answers requests; nothing that goes wrong in one leaves this function as an exception.
 * @param services what the handlers use: `database`, and what else is theirs
 * @param routes each a `pattern` of the path and its `methods`; the first that fits answers
 */
export function createRequestListener(services, routes, log) {
  return async (request, response) => {
    try {
      await answer(routes, request, response, wantsTiming(request) ? startTiming(request, response, services) : services);
    } catch (error) {
      sendError(request, response, error, log);
    }
  };
}

async function answer(routes, request, response, services) {
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

import { sendJson } from '../../../node/answers.mjs';
import { idOf } from '../../../node/parameters.mjs';
import { RequestError } from '../../../node/requestError.mjs';

/** How long a document may take, the wait for a connection to the store included. */
const TIMEOUT_MS = 10_000;
const DOCUMENTS = 1000;

export async function getDocument({ response, services, segment }) {
  const id = idOf(segment, DOCUMENTS);
  const document = await services.documents.get(id).catch((error) => {
    throw new RequestError(503, 'document store unavailable', {}, { cause: error });
  });
  if (document === undefined) throw new RequestError(404, 'no such document');
  sendJson(response, 200, { id: document.id, title: document.title, body: document.body });
}

/**
 * The document store behind a pool of HTTP connections, of which each carries one request at a time.
 * @returns an object with `get(id)`: the document, undefined when there is none, rejected when the store cannot be reached; and `close()`
 */
export async function openDocuments({ documentStoreUrl, documentStoreDb, documentPoolSize }) {
  if (documentStoreUrl === undefined) {
    return { get: () => Promise.reject(new Error('DOCUMENT_STORE_URL is not set')), close() {} };
  }
  const { Pool } = await import('undici');
  const { origin, pathname } = new URL(documentStoreUrl);
  const folder = `${pathname.replace(/\/+$/, '')}/${documentStoreDb}`;
  const pool = new Pool(origin, { connections: documentPoolSize, pipelining: 1, connect: { timeout: TIMEOUT_MS } });
  return {
    async get(id) {
      const late = new AbortController();
      const timer = setTimeout(() => late.abort(new Error(`no answer within ${TIMEOUT_MS} ms`)), TIMEOUT_MS);
      try {
        const { statusCode, body } = await pool.request({ method: 'GET', path: `${folder}/doc-${id}`, signal: late.signal });
        if (statusCode === 200) return await body.json();
        await body.dump();
        if (statusCode === 404) return undefined;
        throw new Error(`the store answered ${statusCode}`);
      } finally {
        clearTimeout(timer);
      }
    },
    close: () => pool.destroy(),
  };
}

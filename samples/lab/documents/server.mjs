// A document store for the samples: the part of CouchDB's protocol that reads and writes single documents, in memory.
//
//     node server.mjs [--port 5984] [--database documents] [--documents 1000] [--latency-ms 20]
//
// It answers GET of a document only after `--latency-ms`, always the same time: a store that answers at once would hide the queue that
// forms in front of a pool of too few connections. Port 0 lets the system choose one; the first line of output says which it is.
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';

const VERSION = '3.3.3';
const MAX_BODY_BYTES = 1024 * 1024;
const MAX_DOCUMENTS = 100_000;
/** Longer than clients keep an idle connection, so that it is never closed under a request that is on its way. */
const KEEP_ALIVE_MS = 75_000;
/** How long requests that are being answered may take when the store has to stop. */
const STOP_GRACE_MS = 1_000;

class Refusal extends Error {
  constructor(status, error, reason, headers = {}) {
    super(reason);
    this.status = status;
    this.error = error;
    this.headers = headers;
  }
}

const noDocument = () => new Refusal(404, 'not_found', 'missing');
const noDatabase = () => new Refusal(404, 'not_found', 'Database does not exist.');

const options = optionsOrExit(process.argv.slice(2));
/** Databases by name: documents by id, each as `{ rev, json }` with `json` ready to be sent. */
const databases = new Map([[options.database, seeded(options.documents)]]);

const server = createServer((request, response) => {
  answer(request, response).catch((error) => {
    if (!(error instanceof Refusal)) process.stderr.write(`documents: ${request.method} ${request.url} failed: ${error.stack}\n`);
    const { status, headers } = error instanceof Refusal ? error : { status: 500, headers: {} };
    const body = error instanceof Refusal ? { error: error.error, reason: error.message } : { error: 'internal', reason: 'unknown' };
    send(response, status, JSON.stringify(body), headers);
  });
});
server.keepAliveTimeout = KEEP_ALIVE_MS;
server.once('error', (error) => fail(`cannot listen on 127.0.0.1:${options.port}: ${error.message}`));
server.listen({ port: options.port, host: '127.0.0.1', backlog: 16_384 }, () => {
  process.stdout.write(`documents: listening on http://127.0.0.1:${server.address().port}\n`);
});
process.on('SIGTERM', stop);
process.on('SIGINT', stop);

async function answer(request, response) {
  const [path] = request.url.split('?', 1);
  const [, database, id, more] = path.split('/').map(decoded);
  if (more !== undefined) throw noDocument();
  const { method } = request;
  if (database === '') return only(method, ['GET']) && welcome(response);
  if (id === undefined || id === '') {
    only(method, ['GET', 'PUT', 'DELETE']);
    if (method === 'PUT') return makeDatabase(response, database);
    if (method === 'DELETE') return deleteDatabase(response, database);
    return describeDatabase(response, database);
  }
  only(method, ['GET', 'PUT', 'DELETE']);
  if (method === 'PUT') return putDocument(request, response, database, id);
  if (method === 'DELETE') return deleteDocument(request, response, database, id);
  return getDocument(response, database, id);
}

function welcome(response) {
  send(response, 200, JSON.stringify({ couchdb: 'Welcome', version: VERSION, vendor: { name: 'Benchside samples' } }));
}

function makeDatabase(response, name) {
  if (databases.has(name)) throw new Refusal(412, 'file_exists', 'The database could not be created, the file already exists.');
  if (!/^[a-z][a-z0-9_$()+/-]{0,237}$/.test(name))
    throw new Refusal(400, 'illegal_database_name', 'Only lower-case letters, digits and _$()+-/ are allowed.');
  databases.set(name, new Map());
  send(response, 201, '{"ok":true}');
}

function describeDatabase(response, name) {
  send(response, 200, JSON.stringify({ db_name: name, doc_count: documentsOf(name).size }));
}

function deleteDatabase(response, name) {
  documentsOf(name);
  databases.delete(name);
  send(response, 200, '{"ok":true}');
}

async function getDocument(response, database, id) {
  if (options.latencyMs > 0) await new Promise((resolve) => setTimeout(resolve, options.latencyMs));
  const found = documentsOf(database).get(id);
  if (found === undefined) throw noDocument();
  send(response, 200, found.json, { ETag: `"${found.rev}"` });
}

async function putDocument(request, response, database, id) {
  const body = parsed(await readBody(request));
  const documents = documentsOf(database);
  const before = documents.get(id);
  const given = revisionGiven(request) ?? body._rev;
  if (before?.rev !== given) throw new Refusal(409, 'conflict', 'Document update conflict.');
  if (before === undefined && documents.size >= MAX_DOCUMENTS)
    throw new Refusal(413, 'too_large', `More than ${MAX_DOCUMENTS} documents are not kept.`);
  const made = stored(id, body, before?.rev);
  documents.set(id, made);
  send(response, 201, JSON.stringify({ ok: true, id, rev: made.rev }), { ETag: `"${made.rev}"` });
}

function deleteDocument(request, response, database, id) {
  const documents = documentsOf(database);
  const before = documents.get(id);
  if (before === undefined) throw noDocument();
  if (before.rev !== revisionGiven(request)) throw new Refusal(409, 'conflict', 'Document update conflict.');
  documents.delete(id);
  send(response, 200, JSON.stringify({ ok: true, id, rev: nextRevision(before.rev, '') }));
}

function documentsOf(database) {
  const documents = databases.get(database);
  if (documents === undefined) throw noDatabase();
  return documents;
}

/** The revision that a request names outside of its body: `?rev=` or `If-Match`. */
function revisionGiven(request) {
  return /[?&]rev=([^&]+)/.exec(request.url)?.[1] ?? request.headers['if-match']?.replaceAll('"', '');
}

function stored(id, body, previous) {
  const fields = { ...body };
  delete fields._id;
  delete fields._rev;
  const rev = nextRevision(previous, JSON.stringify(fields));
  return { rev, json: JSON.stringify({ _id: id, _rev: rev, ...fields }) };
}

/** As CouchDB's revisions look: how many there were, and a hash of the content. */
function nextRevision(previous, content) {
  const number = previous === undefined ? 1 : Number(previous.split('-', 1)[0]) + 1;
  return `${number}-${createHash('md5')
    .update(`${previous ?? ''} ${content}`)
    .digest('hex')}`;
}

/** `doc-1` … `doc-<count>`, each with a body of 1 KiB, the same on every machine. */
function seeded(count) {
  const documents = new Map();
  for (let id = 1; id <= count; id += 1) {
    const sentence = `Document ${id} of the bulletin board lies in a store of its own. `;
    const fields = { id, title: `Document no. ${id}`, body: sentence.repeat(Math.ceil(1024 / sentence.length)).slice(0, 1024) };
    documents.set(`doc-${id}`, stored(`doc-${id}`, fields, undefined));
  }
  return documents;
}

async function readBody(request) {
  const chunks = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES)
      throw new Refusal(413, 'document_too_large', `A document is at most ${MAX_BODY_BYTES} bytes.`, { Connection: 'close' });
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parsed(text) {
  let value;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Refusal(400, 'bad_request', 'invalid UTF-8 JSON');
  }
  if (value === null || typeof value !== 'object' || Array.isArray(value))
    throw new Refusal(400, 'bad_request', 'Document must be a JSON object');
  return value;
}

function decoded(segment) {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new Refusal(400, 'bad_request', 'The address is not percent-encoded UTF-8.');
  }
}

function only(method, allowed) {
  if (allowed.includes(method)) return true;
  throw new Refusal(405, 'method_not_allowed', `Only ${allowed.join(',')} allowed`, { Allow: allowed.join(', ') });
}

function send(response, status, json, headers) {
  response.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(json), ...headers });
  response.end(json);
}

function stop() {
  const idle = setInterval(() => server.closeIdleConnections(), 20);
  setTimeout(() => server.closeAllConnections(), STOP_GRACE_MS).unref();
  server.close(() => {
    clearInterval(idle);
    process.exit(0);
  });
}

function optionsOrExit(words) {
  const values = { port: 5984, database: 'documents', documents: 1000, 'latency-ms': 20 };
  const most = { port: 65_535, documents: MAX_DOCUMENTS, 'latency-ms': 10_000 };
  for (let i = 0; i < words.length; i += 2) {
    const name = words[i].replace(/^--/, '');
    const text = words[i + 1] ?? '';
    if (!Object.hasOwn(values, name))
      fail(
        `there is no option ${words[i]}; it knows ${Object.keys(values)
          .map((known) => `--${known}`)
          .join(', ')}`,
      );
    const number = /^[0-9]{1,6}$/.test(text) ? Number(text) : NaN;
    if (name !== 'database' && !(number <= most[name]))
      fail(`--${name} must be a whole number from 0 to ${most[name]}, but it is ${JSON.stringify(text)}`);
    if (name === 'database' && !/^[a-z][a-z0-9_-]{0,60}$/.test(text)) fail('--database must be lower-case letters, digits, _ and -');
    values[name] = name === 'database' ? text : number;
  }
  return { port: values.port, database: values.database, documents: values.documents, latencyMs: values['latency-ms'] };
}

function fail(text) {
  process.stderr.write(`documents: ${text}\n`);
  process.exit(1);
}

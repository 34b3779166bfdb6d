// A service with pairs of answers: SIDE=a gives the first of each, SIDE=b the second. “service.cjs --list” prints what the pairs are.
const http = require('node:http');
const zlib = require('node:zlib');
const { randomBytes, randomUUID } = require('node:crypto');

const side = process.env.SIDE ?? 'a';
const isB = side === 'b';
const startedAt = new Date();
const instance = randomUUID();
/** The order of this process, as that of a table of hashes with a seed of its own. */
const seeds = Array.from({ length: 12 }, () => Math.random());
let requests = 0;

const rows = Array.from({ length: 500 }, (_, index) => ({ id: index + 1, name: `item ${index + 1}`, price: (index % 37) + 0.25 }));
const some = rows.slice(0, 20);
const json = (value) => ({ type: 'application/json', body: JSON.stringify(value) });
const plain = (body, type = 'application/json') => ({ type, body });
const drawn = (words) => words[Math.floor(Math.random() * words.length)];
const shuffled = (list) =>
  list
    .map((value) => [Math.random(), value])
    .sort(([a], [b]) => a - b)
    .map(([, value]) => value);

/** Each: what it is, and the answer of this side to a request. */
const differing = {
  field: ['a field is missing', () => json(isB ? { id: 1 } : { id: 1, name: 'a' })],
  value: ['a price is a cent more', () => json({ id: 1, price: isB ? 12.26 : 12.25 })],
  'number-format': ['12.50 is written as 12.5', () => plain(`{"price":${isB ? '12.5' : '12.50'}}`)],
  'number-as-text': ['a number is a text', () => json({ count: isB ? '12' : 12 })],
  'long-integer': ['a whole number beyond 2^53 is rounded', () => plain(`{"id":${isB ? '9007199254740992' : '9007199254740993'}}`)],
  'null-left-out': ['a null is left out', () => json(isB ? { id: 1 } : { id: 1, note: null })],
  order: ['rows in another order', () => json(isB ? some.toReversed() : some)],
  'row-missing': ['a row is missing', () => json({ items: isB ? some.slice(1) : some })],
  'row-twice': ['a row comes twice', () => json({ items: isB ? [...some, some[3]] : some })],
  'one-of-500': [
    'one of 500 rows has another name',
    () => json(rows.map((row) => (isB && row.id === 417 ? { ...row, name: 'item 4I7' } : row))),
  ],
  'some-ids': [
    'every second id is answered otherwise',
    (request) => json({ id: idOf(request), stock: isB && idOf(request) % 2 === 0 ? 0 : 7 }),
    '/some-ids/:id',
  ],
  'date-format': ['the time of the answer as a number in place of a text', () => json({ at: isB ? Date.now() : new Date().toISOString() })],
  'date-precision': [
    'the time of the answer without fractions of a second',
    () => json({ at: isB ? `${new Date().toISOString().slice(0, 19)}Z` : new Date().toISOString() }),
  ],
  'id-format': ['a number of each request is a text', () => json({ request: isB ? `${requests}` : requests })],
  status: ['202 in place of 200', () => ({ ...json({ id: 1 }), status: isB ? 202 : 200 })],
  'content-type': ['JSON that says it is text', () => plain('{"id":1}', isB ? 'text/plain' : 'application/json')],
  encoding: ['Latin-1 in place of UTF-8', () => ({ type: 'text/plain', body: Buffer.from('Zürich, Évora', isB ? 'latin1' : 'utf8') })],
  'accept-language': [
    'a header of the request is not looked at',
    ({ headers }) => json({ hello: !isB && headers['accept-language']?.startsWith('de') ? 'Guten Tag' : 'Good day' }),
    undefined,
    { 'Accept-Language': 'de' },
  ],
  compression: [
    'not compressed, though asked for',
    ({ headers }) =>
      isB || headers['accept-encoding'] === undefined
        ? json(some)
        : { type: 'application/json', encoding: 'gzip', body: zlib.gzipSync(JSON.stringify(some)) },
    undefined,
    { 'Accept-Encoding': 'gzip' },
  ],
  escaped: [
    'a name in a page is not escaped',
    () => plain(`<p>Salt ${isB ? '&' : '&amp;'} Pepper, token ${randomBytes(8).toString('hex')}</p>`, 'text/html'),
  ],
};
const equal = {
  'order-of-keys': ['keys of JSON in another order', () => json(isB ? { b: [{ y: 2, x: 1 }], a: 1 } : { a: 1, b: [{ x: 1, y: 2 }] })],
  blanks: ['JSON with blanks', () => plain(JSON.stringify(some, null, isB ? 2 : 0))],
  escapes: ['letters of JSON as escapes', () => plain(isB ? '{"city":"Z\\u00fcrich"}' : '{"city":"Zürich"}')],
  'id-per-request': ['an id of each request', () => json({ id: randomUUID(), name: 'a' })],
  counter: ['a count of requests', () => json({ request: requests, name: 'a' })],
  'time-iso': ['the time of the answer', () => json({ at: new Date().toISOString(), name: 'a' })],
  'time-http': ['the time of the answer in seconds, in a page', () => plain(`<p>Made ${new Date().toUTCString()}</p>`, 'text/html')],
  'time-of-start': ['the time of the start', () => json({ up: startedAt.toISOString(), name: 'a' })],
  uptime: ['the age of the process in seconds', () => json({ uptime: Math.floor(process.uptime()), name: 'a' })],
  pid: ['the number of the process', () => json({ pid: process.pid, name: 'a' })],
  instance: ['an id of each process', () => json({ instance, name: 'a' })],
  'own-links': ['links with its own address', ({ headers }) => json({ next: `http://${headers.host}/items?page=2` })],
  'drawn-word': ['one of three words', () => json({ tip: drawn(['eat', 'sleep', 'run']), name: 'a' })],
  'drawn-flag': ['a flag that is drawn', () => json({ isShown: drawn([true, false]), name: 'a' })],
  'drawn-order': ['a list in an order that is drawn', () => json({ items: shuffled(some) })],
  'order-of-process': [
    'a list in an order of each process',
    () =>
      json(
        some
          .slice(0, 12)
          .map((row, at) => [seeds[at], row])
          .sort(([a], [b]) => a - b)
          .map(([, row]) => row),
      ),
  ],
  'form-token': [
    'a token in a form',
    () => plain(`<form><input name="csrf" value="${randomBytes(16).toString('base64')}"></form>`, 'text/html'),
  ],
  rounding: ['a sum that was added in another order', () => plain(`{"sum":${isB ? '1234.5600000000002' : '1234.56'}}`)],
  'level-of-gzip': [
    'compressed at another level',
    () => ({ type: 'application/json', encoding: 'gzip', body: zlib.gzipSync(JSON.stringify(rows), { level: isB ? 9 : 1 }) }),
  ],
  'growing-list': [
    'a list to which each request adds',
    () => json({ seen: Array.from({ length: Math.min(50, requests) }, (_, at) => requests - at) }),
  ],
};

function idOf(request) {
  return Number(/\d+$/.exec(request.url)?.[0]);
}

const pairs = [
  ...Object.entries(differing).map(([name, [what, , path, headers]]) => ({
    name,
    what,
    differs: true,
    path: path ?? `/${name}`,
    headers: headers ?? {},
  })),
  ...Object.entries(equal).map(([name, [what]]) => ({ name, what, differs: false, path: `/${name}`, headers: {} })),
];

if (process.argv.includes('--list')) {
  console.log(JSON.stringify(pairs));
} else {
  const answers = { ...differing, ...equal };
  const server = http.createServer((request, response) => {
    requests += 1;
    const [, name] = request.url.split('/');
    const [, answer] = answers[name] ?? ['', () => json({})];
    const { status = 200, type, encoding, body } = answer(request);
    response.writeHead(status, { 'Content-Type': type, ...(encoding === undefined ? {} : { 'Content-Encoding': encoding }) });
    response.end(body);
  });
  server.listen(Number(process.env.PORT), '127.0.0.1');
  process.on('SIGTERM', () => process.exit(0));
}

import { describe } from 'vitest';
import { verdictRemarks } from '../../../../src/model/domain/verdict/remarks.ts';
import { type VerdictWords, expectWords } from '../../../support/verdictWords.ts';

const words: VerdictWords = [
  [
    { code: 'connects-each', all: true, perS: 2000, perRequest: 1 },
    'Each request opens a connection to PostgreSQL of its own: 2,000 a second, 1.00 for each request.',
  ],
  [
    { code: 'connects-each', all: false, perS: 600, perRequest: 0.3 },
    'Many a request opens a connection to PostgreSQL: 600 a second, 0.300 for each request.',
  ],
  [{ code: 'connects-cost', cpuMs: 0.85 }, 'PostgreSQL starts a process for each of them; it used 0.850 ms of CPU for a request.'],
  [{ code: 'connects-cost', cpuMs: null }, 'PostgreSQL starts a process for each of them.'],
  [
    { code: 'connects-elsewhere', perRequest: 2, to: 'api:443', tlsPerRequest: 2 },
    'Connections are not kept: for each request the app opens 2.00 to api:443, and makes 2.00 TLS handshakes.',
  ],
  [
    { code: 'connects-elsewhere', perRequest: 2, to: 'api:80', tlsPerRequest: null },
    'Connections are not kept: for each request the app opens 2.00 to api:80.',
  ],
  [
    { code: 'closes', share: 1 },
    'The server closes the connection after 100 % of its answers (Connection: close), so that the next request has to connect first.',
  ],
  [
    { code: 'off-the-loop', share: 0.97, busyWith: '15 PBKDF2Job' },
    'At least 97 % of the app’s CPU is used outside of its event loop: by libuv’s threads (files, names, crypto, compression), by V8’s or by workers. Under way were 15 PBKDF2Job.',
  ],
  [
    { code: 'off-the-loop', share: 0.6, busyWith: null },
    'At least 60 % of the app’s CPU is used outside of its event loop: by libuv’s threads (files, names, crypto, compression), by V8’s or by workers.',
  ],
  [
    { code: 'starts-threads', perRequest: 2.1 },
    'The app starts 2.10 threads for each request, as where a client, an executor or a timer is made for each; they cost CPU, and memory until they end.',
  ],
  [
    {
      code: 'lacks-reference-index',
      sql: 'DELETE FROM customers WHERE id = $1',
      blocks: 600.2,
      constraint: 'orders_customer_fkey',
      table: 'orders',
      column: 'customer',
      of: 'customers',
    },
    '“DELETE FROM customers WHERE id = $1” uses 600 blocks of 8 KiB: for each row of customers that is deleted, PostgreSQL looks for rows of orders that refer to it (orders_customer_fkey), and no index begins with customer.',
  ],
  [
    { code: 'spills', sql: 'SELECT id FROM events ORDER BY body', blocks: 400 },
    '“SELECT id FROM events ORDER BY body” writes 400 blocks of 8 KiB to temporary files with each call: what it sorts, hashes or keeps does not fit into work_mem.',
  ],
  [
    { code: 'reads-more', sql: 'SELECT id FROM events ORDER BY id LIMIT $1 OFFSET $2', blocks: 406.6, rows: 25, skips: true },
    '“SELECT id FROM events ORDER BY id LIMIT $1 OFFSET $2” uses 407 blocks of 8 KiB for the 25 rows that it gives: for OFFSET PostgreSQL also reads the rows of all pages before.',
  ],
  [
    { code: 'reads-more', sql: 'SELECT * FROM documents WHERE owner = $1', blocks: 196.5, rows: 20, skips: false },
    '“SELECT * FROM documents WHERE owner = $1” uses 197 blocks of 8 KiB for the 20 rows that it gives: an index leads to the rows, so that large values are stored apart from them (TOAST), or many dead rows are between them.',
  ],
  [
    { code: 'rolls-back', perRequest: 3.4 },
    'PostgreSQL rolled back 3.40 transactions for each request. Where they failed (a serialization failure, a deadlock) and the app tries them again, their work was in vain, and more connections make more of them fail; where the app ends its reads that way, it costs a round trip.',
  ],
  [
    { code: 'many-rows', sql: 'SELECT * FROM products', rows: 4012 },
    'A request reads 4,012 rows by “SELECT * FROM products”, and the app makes an object of each: what it does not need of them costs CPU in the app, in the database and between them.',
  ],
  [
    {
      code: 'hottest',
      event: 'cpu',
      parts: [
        { kind: 'code', share: 0.62, name: 'isAddress', place: 'validate.js:4', callee: '' },
        { kind: 'jit', share: 0.2, name: '', place: '', callee: '' },
        { kind: 'wait', share: 0.1, name: 'the JDK', place: '', callee: '' },
      ],
    },
    'By the recording, 62 % of the app’s CPU time is spent in isAddress (validate.js:4); 20 % is the JIT compiler at work; 10 % puts threads to sleep and wakes them in the JDK.',
  ],
  [
    { code: 'hottest', event: 'alloc', parts: [{ kind: 'library', share: 0.5, name: 'Jackson', place: '', callee: '' }] },
    'By the recording, 50 % of the memory that is allocated is allocated in Jackson, below none of the app’s functions.',
  ],
  [
    {
      code: 'bypasses-index',
      sql: 'SELECT id FROM users WHERE lower(email) = $1',
      table: 'users',
      index: 'users_email_key',
      column: 'email',
      condition: '(lower(users.email) = $1)',
      how: 'expression',
    },
    '“SELECT id FROM users WHERE lower(email) = $1” reads all rows of users: the index users_email_key is of email, and the condition (lower(users.email) = $1) compares an expression of it.',
  ],
  [
    {
      code: 'bypasses-index',
      sql: 'SELECT id FROM users WHERE id::text = $1',
      table: 'users',
      index: 'users_pkey',
      column: 'id',
      condition: '((users.id)::text = $1)',
      how: 'cast',
    },
    '“SELECT id FROM users WHERE id::text = $1” reads all rows of users: the index users_pkey is of id, and the condition ((users.id)::text = $1) compares it after a conversion.',
  ],
  [
    { code: 'in-function', name: 'count_orders', trigger: { name: 'orders_counted', table: 'orders' }, share: 0.93, meanMs: 4.2 },
    'Statements spend 93 % of their time in the database’s function count_orders, 4.20 ms each: the trigger orders_counted calls it for changes of orders.',
  ],
  [
    { code: 'in-function', name: 'price_of', trigger: null, share: 0.6, meanMs: 0.5 },
    'Statements spend 60 % of their time in the database’s function price_of, 0.500 ms each.',
  ],
  [
    { code: 'collects-much', pauseShare: 0.17, heapShare: 0.025 },
    'The garbage collector takes 17 % of the time, although only 2.5 % of the heap is in use: it collects what requests allocate and drop at once, for which a larger heap does little.',
  ],
  [
    { code: 'busiest-statement', sql: 'UPDATE stock\n  SET left = left - 1 WHERE id = $1', share: 0.93, meanMs: 21.4, perRequest: 1 },
    'Connections are held for one statement 93 % of that time, 21.4 ms each, 1 for each request: “UPDATE stock SET left = left - 1 WHERE id = $1”.',
  ],
  [
    {
      code: 'once-per-row',
      repeated: [
        { sql: 'SELECT id FROM comments WHERE post_id = $1', calls: 25 },
        { sql: 'SELECT name FROM authors WHERE id = $1', calls: 24.6 },
      ],
    },
    'A request sends the same query again and again, as where one is sent for each row of another (N+1): 25 times “SELECT id FROM comments WHERE post_id = $1”; 25 times “SELECT name FROM authors WHERE id = $1”.',
  ],
  [
    {
      code: 'slowest',
      fromMs: 377,
      by: [
        { kind: 'loop', overlapping: 0.98, byChance: 0.4, ofTheirTime: 0.95 },
        { kind: 'collector', overlapping: 0.9, byChance: 0.1, ofTheirTime: 0.5 },
      ],
    },
    'Why the slowest 1 % are slow (from 377 ms on): 98 % of them meet a blocked event loop, where chance would give 40 %, and spend 95 % of their time in it; 90 % of them meet a pause of the garbage collector, where chance would give 10 %, and spend 50 % of their time in it.',
  ],
  [
    { code: 'warms-up', compilerPercent: 45, classesPerS: 300 },
    'The JVM was still warming up while it was measured: its compiler used 45.0 % of a core, and it loaded 300 classes a second.',
  ],
  [
    { code: 'warms-up', compilerPercent: null, classesPerS: 300 },
    'The JVM was still warming up while it was measured: it loaded 300 classes a second.',
  ],
  [
    { code: 'first-queue', queue: 'pool', next: 'machine-cpu', nextShare: 0.8 },
    'First comes the connection pool, which can bring up to 25 % more at today’s CPU time of a request; then the machine’s CPU, of which 80 % is used.',
  ],
  [
    { code: 'first-full', full: 'app-cpu', poolWaitShare: 0.75 },
    'First comes the app’s CPU, of which a tenth less for each request brings about 11 % more; then the connection pool, for which a request waits 75 % of its time, as whoever has a connection waits for the first.',
  ],
  [{ code: 'explained-before' }, 'Its signs are there too, but what comes before it explains them.'],
  [
    {
      code: 'against',
      what: { code: 'sessions-for-lock', part: 0.5, whole: 2 },
      value: 0.25,
      unit: 'share',
      threshold: { is: '≥', limit: 0.3 },
    },
    'Active sessions that wait for a lock: 0.5 of 2.0, and ≥ 30 % would speak for it.',
  ],
  [{ code: 'against', what: { code: 'heap', maxMb: null }, value: 80, unit: 'count', threshold: null }, 'Heap in use: 80.0 MiB.'],
];

describe('what a verdict remarks', () => expectWords(words, Object.keys(verdictRemarks)));

/** One thing that is wrong with a service, and what mends it. */
export interface Planted {
  id: string;
  /** For the page. */
  is: string;
  cure: string;
  /** Whether a change is the cure, by its id, such as `pool=16` or `index orders (customer)`. */
  cures: RegExp;
  /**
   * What else may help a little there, by id: neither cure nor without effect. Any other change that is tried does nothing there by construction, since the
   * service does not use it.
   */
  mayHelp?: RegExp;
  /** A sample with these values, asked for one route; absent: the service of this folder. */
  sample?: { target: 'node' | 'java'; set: readonly string[]; route: string };
  /** In place of Node’s service. */
  command?: readonly string[];
  /** Of the target in benchside.json, over those of all. */
  env?: Record<string, string>;
  settings?: Record<string, unknown>;
  /** Next to the data, in a database of its own. */
  sql?: readonly string[];
  /** Of a service that uses none: left out. */
  database?: false;
  path?: string;
  connections?: number;
}

const choice = (env: string, ...choices: string[]): unknown => ({ kind: 'choice', choices, default: choices[0], env });
const mode = (...choices: string[]): Record<string, unknown> => ({ mode: choice('MODE', ...choices) });
const pool = (size: number): Record<string, unknown> => ({ pool: { min: 1, max: 64, default: size, env: 'POOL', live: 'pool' } });

/** Settings that nobody reads. */
export const unread = { greeting: choice('GREETING', 'hello', 'welcome'), logFormat: choice('LOG', 'text', 'json') };

export const planted: readonly Planted[] = [
  {
    id: 'pool',
    is: 'a pool of 1, of which each request holds a connection for 5 ms',
    cure: 'a larger pool',
    cures: /^pool=/,
    mayHelp: /^instances=/,
    settings: pool(1),
  },
  {
    id: 'index',
    is: 'no index for the filter of the only statement, on 60,000 rows',
    cure: 'the index',
    cures: /^index orders \(customer/,
    mayHelp: /^index|^postgres\.|^pool=|^instances=/,
    settings: pool(4),
  },
  {
    id: 'young-space',
    is: 'a young space of 1 MiB, and objects that live somewhat longer',
    cure: 'a larger young space',
    cures: /^node\.semi-space=/,
    mayHelp: /^(node\.heap|instances)=/,
    env: { NODE_OPTIONS: '--max-semi-space-size=1' },
    database: false,
  },
  {
    id: 'worker-threads',
    is: 'one thread of libuv for password hashes',
    cure: 'more threads',
    cures: /^uv\.threads=/,
    mayHelp: /^instances=/,
    env: { UV_THREADPOOL_SIZE: '1' },
    database: false,
  },
  {
    id: 'workers',
    is: 'one process that computes, on two cores',
    cure: 'two workers, or two instances',
    cures: /^(workers|instances)=/,
    settings: { workers: { min: 1, max: 8, default: 1, env: 'WORKERS', live: 'no' } },
    database: false,
  },
  {
    id: 'n-plus-one',
    is: 'one statement for each of 20 rows, by a setting',
    cure: 'the join',
    cures: /^mode=eager/,
    mayHelp: /^(pool|instances)=/,
    settings: { ...pool(8), ...mode('lazy', 'eager') },
  },
  {
    id: 'work-mem',
    is: 'work_mem of 64 kB for sorts and hashes of 60,000 rows',
    cure: 'more of it',
    cures: /^postgres\.work_mem=/,
    mayHelp: /^(pool|instances|postgres)|^index/,
    sql: ["DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET work_mem = ''64kB''', current_database()); END $$;"],
    settings: pool(4),
  },
  {
    id: 'fetch-size',
    is: 'a cursor of 200 rows that fetches 5 at a time',
    cure: 'more rows at a time',
    cures: /^fetchSize=/,
    mayHelp: /^(pool|instances)=/,
    settings: { ...pool(8), fetchSize: { min: 1, max: 1000, default: 5, env: 'FETCH' } },
  },
  {
    id: 'prepared-statements',
    is: 'a statement that takes long to plan is planned for each request',
    cure: 'prepared statements',
    cures: /^mode=prepared/,
    mayHelp: /^(pool|instances)=/,
    settings: { ...pool(8), ...mode('plain', 'prepared') },
  },
  {
    id: 'connection-per-request',
    is: 'a connection of its own for each request',
    cure: 'the pool',
    cures: /^mode=pooled/,
    mayHelp: /^instances=/,
    settings: { ...pool(8), ...mode('each', 'pooled') },
  },
  {
    id: 'isolation',
    is: 'serializable transactions that meet on two rows',
    cure: 'read committed',
    cures: /^mode=committed/,
    mayHelp: /^(pool|instances)=/,
    settings: { ...pool(8), ...mode('serializable', 'committed') },
  },
  {
    id: 'compression',
    is: 'answers are compressed at the highest level',
    cure: 'a lower level',
    cures: /^mode=fast/,
    mayHelp: /^instances=/,
    settings: mode('smallest', 'fast'),
    database: false,
  },
  {
    id: 'sample-node-pool',
    is: 'the Node sample with a pool of 1, on the route that waits 5 ms',
    cure: 'a larger pool',
    cures: /^pool=/,
    mayHelp: /^(workers|instances|preparedStatements)=/,
    sample: { target: 'node', set: ['pool=1'], route: '/wait?ms=5' },
  },
  {
    id: 'jvm-heap',
    is: 'a JVM with a heap of 40 MB, of which 25 MB are in use',
    cure: 'a larger heap',
    cures: /^jvm\.heap=/,
    mayHelp: /^(jvm\.gc|instances)=/,
    command: ['java', '-Xmx40m', '-Dsun.net.httpserver.nodelay=true', '-cp', '.', 'Service'],
    database: false,
  },
  {
    id: 'sample-java-pool',
    is: 'the Java sample with a pool of 1, on the route that waits 5 ms',
    cure: 'a larger pool',
    cures: /^pool=/,
    mayHelp: /^(instances|threads|poolKind)/,
    sample: { target: 'java', set: ['pool=1'], route: '/wait?ms=5' },
  },
  {
    id: 'composite-index',
    is: 'an index on the tenant alone, of which there are 4, for a filter by tenant and kind',
    cure: 'an index on both',
    cures: /^index events \((tenant, kind|kind, tenant)/,
    mayHelp: /^index|^postgres\.|^pool=|^instances=/,
    sql: [
      'CREATE TABLE events (id int PRIMARY KEY, tenant int NOT NULL, kind int NOT NULL, at int NOT NULL)',
      'INSERT INTO events SELECT n, n % 4, (n / 4) % 500, (n * 7919) % 60000 FROM generate_series(1, 60000) n',
      'CREATE INDEX events_tenant ON events (tenant)',
      'ANALYZE events',
    ],
    settings: pool(4),
  },
  {
    id: 'random-pages',
    is: 'random_page_cost of 5,000, so that whole tables are read for one row',
    cure: 'the usual cost',
    cures: /^postgres\.random_page_cost=/,
    mayHelp: /^index|^postgres\.|^pool=|^instances=/,
    sql: ["DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET random_page_cost = 5000', current_database()); END $$;"],
    settings: pool(4),
  },
  {
    id: 'node-heap',
    is: 'an old space of 76 MiB, of which most is in use, and parts of it are replaced all the time',
    cure: 'a larger old space',
    cures: /^node\.heap=/,
    mayHelp: /^(node\.semi-space|instances)=/,
    env: { NODE_OPTIONS: '--max-old-space-size=76' },
    database: false,
  },
  {
    id: 'jvm-threads',
    is: 'one request thread, which waits 5 ms in each request',
    cure: 'more threads',
    cures: /^threads=/,
    mayHelp: /^instances=/,
    command: ['java', '-Xmx128m', '-Dsun.net.httpserver.nodelay=true', '-cp', '.', 'Service'],
    settings: { threads: { min: 1, max: 64, default: 1, env: 'THREADS' } },
    database: false,
  },
  {
    id: 'jvm-collector',
    is: 'ZGC on two cores, for requests that allocate 200 kB each',
    cure: 'a collector that needs no cores of its own',
    cures: /^jvm\.gc=/,
    mayHelp: /^(jvm\.heap|instances)=/,
    command: ['java', '-XX:+UseZGC', '-Xmx96m', '-Dsun.net.httpserver.nodelay=true', '-cp', '.', 'Service'],
    database: false,
  },
];

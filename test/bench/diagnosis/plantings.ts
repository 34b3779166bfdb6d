import type { DiagnosisKind } from '../../../src/model/domain/diagnosisKind.ts';
import type { SettingValues } from '../../../src/model/domain/setting.ts';
import type { Proxy } from '../../../src/model/domain/topology.ts';

/** A bottleneck that is there on purpose: which route, settings and load bring it about, and what a right verdict names. */
export interface Planting {
  name: string;
  target: 'node' | 'java';
  kind: DiagnosisKind;
  /** Verdicts that are right as well, with the reason in `because`. */
  alsoRight?: readonly DiagnosisKind[];
  because?: string;
  route: string;
  settings?: SettingValues;
  /** Measured in the same run: other sizes of the pool. The verdict is that on `settings`. */
  otherPools?: readonly number[];
  connections: number;
  /** How long the document store takes for an answer, ms. */
  storeDelayMs?: number;
  /** Declared as a program without a probe. */
  unprobed?: boolean;
  /** How many descriptors the app may open. */
  descriptors?: number;
  /** Every commit waits for the disk. */
  durable?: boolean;
  /** nginx before the app. */
  proxy?: Partial<Proxy>;
  /** Requests a second, in an open loop; absent: a closed loop. */
  ratePerS?: number;
  /** In the app’s environment. */
  env?: Readonly<Record<string, string>>;
  /** What the verdict has to say of the cause, wherever it says it. */
  says?: string;
}

interface Both extends Omit<Planting, 'target' | 'name'> {
  name: string;
  java?: Partial<Planting>;
  node?: Partial<Planting>;
}

function both({ java = {}, node = {}, ...planting }: Both): Planting[] {
  return [
    { ...planting, target: 'node', ...node },
    { ...planting, target: 'java', ...java },
  ];
}

const roomy = { pool: 32 };

/** Made for a machine of two cores, on which app, database and load generator run side by side. */
export const plantings: readonly Planting[] = [
  ...both({ name: 'one connection only', kind: 'client-limited', route: 'GET /ads/:id', connections: 1 }),
  ...both({
    name: 'few connections, and a database that takes its time',
    kind: 'client-limited',
    route: 'GET /wait?ms=20',
    settings: roomy,
    connections: 8,
  }),
  ...both({
    name: 'a modest load',
    kind: 'healthy',
    alsoRight: ['client-limited'],
    because: 'in a closed loop, room everywhere is also a load that is too small',
    route: 'GET /wait?ms=1',
    settings: roomy,
    connections: 3,
  }),
  ...both({ name: 'two connections for sixteen', kind: 'pool-limited', route: 'GET /wait?ms=20', settings: { pool: 2 }, connections: 16 }),
  ...both({
    name: 'eight connections for thirty-two',
    kind: 'pool-limited',
    route: 'GET /wait?ms=20',
    settings: { pool: 8 },
    connections: 32,
  }),
  ...both({
    name: 'two connections for each request',
    kind: 'pool-exhausted',
    route: 'GET /nested?id=1',
    settings: { pool: 4, poolTimeoutMs: 500 },
    connections: 16,
  }),
  ...both({
    name: 'a queue longer than the time-out',
    kind: 'pool-exhausted',
    route: 'GET /wait?ms=100',
    settings: { pool: 2, poolTimeoutMs: 250 },
    connections: 16,
  }),
  ...both({
    name: 'held while waiting for something else',
    kind: 'held-connection',
    route: 'GET /checkout?ms=20&work=wait',
    settings: { pool: 4 },
    connections: 16,
  }),
  // One trial alone cannot show what is done while a connection is held; thread dumps can, and so can another size of the pool.
  ...both({
    name: 'a lock of the app, waited for in a transaction',
    kind: 'application-lock',
    route: 'GET /checkout?ms=5&work=lock',
    settings: { pool: 4 },
    otherPools: [16],
    connections: 16,
  }),
  ...both({
    name: 'the same with a connection for everybody',
    kind: 'application-lock',
    route: 'GET /checkout?ms=5&work=lock',
    settings: { pool: 16 },
    otherPools: [4],
    connections: 16,
  }),
  ...both({
    name: 'as many connections in the pool as the load has',
    kind: 'client-limited',
    route: 'GET /wait?ms=20',
    settings: { pool: 16 },
    connections: 16,
  }),
  ...both({
    name: 'two connections for each request, and no end to the wait',
    kind: 'pool-exhausted',
    route: 'GET /nested?id=1',
    settings: { pool: 4, poolTimeoutMs: 60_000 },
    connections: 16,
  }),
  ...both({
    name: 'connections that requests leave behind',
    kind: 'connection-leak',
    route: 'GET /leave?every=50',
    settings: { pool: 8, poolTimeoutMs: 500 },
    connections: 16,
  }),
  ...both({
    name: 'connections that requests leave behind, and no end to the wait',
    kind: 'connection-leak',
    route: 'GET /leave?every=200',
    settings: { pool: 8, poolTimeoutMs: 60_000 },
    connections: 16,
  }),
  ...both({
    name: 'connections that requests leave behind when they fail',
    kind: 'connection-leak',
    route: 'GET /leave?every=50&way=error',
    settings: { pool: 8, poolTimeoutMs: 60_000 },
    connections: 16,
  }),
  ...both({
    name: 'connections that all requests leave behind at once',
    kind: 'connection-leak',
    route: 'GET /leave?every=1&after=20',
    settings: { pool: 8, poolTimeoutMs: 60_000 },
    connections: 16,
    says: 'known to have been taken at',
  }),
  {
    name: 'a timer that blocks the event loop',
    target: 'node',
    kind: 'event-loop',
    route: 'GET /beside?ms=300&every=1000',
    connections: 16,
    ratePerS: 200,
    says: 'a blocked event loop, where chance would give',
  },
  {
    name: 'one thread for files, names and crypto',
    target: 'node',
    kind: 'thread-pool',
    route: 'GET /key?ms=10',
    connections: 16,
    env: { UV_THREADPOOL_SIZE: '1' },
    says: 'UV_THREADPOOL_SIZE',
  },
  {
    name: 'a pool for each request',
    target: 'node',
    kind: 'database-cpu',
    alsoRight: ['cpu'],
    because: 'a connection costs the app and PostgreSQL about as much CPU, and they share the machine',
    route: 'GET /own-pool',
    connections: 8,
    says: 'opens a connection to PostgreSQL of its own',
  },
  {
    name: 'answers in two pieces',
    target: 'node',
    kind: 'network-or-payload',
    route: 'GET /pieces',
    connections: 16,
    says: 'delayed for 40 ms',
  },
  {
    name: 'a connection for each answer',
    target: 'node',
    kind: 'event-loop',
    alsoRight: ['cpu', 'client-limited', 'invalid'],
    because: 'connecting costs whoever answers and whoever asks',
    route: 'GET /close',
    connections: 16,
    says: 'Connection: close',
  },
  {
    name: 'computing on one core, unwatched',
    target: 'node',
    kind: 'one-core',
    route: 'GET /compute?ms=5',
    connections: 16,
    unprobed: true,
  },
  ...both({ name: 'one row for all', kind: 'database-lock', route: 'POST /counters/1?ms=5', settings: { pool: 16 }, connections: 16 }),
  ...both({
    name: 'one row for all, and a small pool',
    kind: 'database-lock',
    route: 'POST /counters/1?ms=5',
    settings: { pool: 8 },
    connections: 16,
  }),
  ...both({ name: 'a heavy report', kind: 'database-cpu', route: 'GET /report?category=1', settings: { pool: 8 }, connections: 16 }),
  { name: 'computing', target: 'node', kind: 'event-loop', route: 'GET /compute?ms=5', connections: 16 },
  { name: 'searching in the event loop', target: 'node', kind: 'event-loop', route: 'GET /search?word=lantern', connections: 8 },
  { name: 'computing', target: 'java', kind: 'cpu', route: 'GET /compute?ms=5', connections: 16 },
  {
    name: 'computing in two processes',
    target: 'node',
    kind: 'cpu',
    route: 'GET /compute?ms=5',
    settings: { workers: 2 },
    connections: 16,
  },
  ...both({
    name: 'a heap that is too small',
    kind: 'gc',
    route: 'GET /allocate?kb=512&keep=60',
    settings: { heapMb: 64 },
    connections: 8,
    node: { settings: { heapMb: 96 }, route: 'GET /allocate?kb=512&keep=120' },
  }),
  {
    name: 'six threads',
    target: 'java',
    kind: 'thread-pool',
    route: 'GET /wait?ms=20',
    settings: { ...roomy, threads: 6 },
    connections: 32,
  },
  {
    name: 'ten threads, and another service',
    target: 'java',
    kind: 'thread-pool',
    route: 'GET /documents/7',
    settings: { threads: 10, documentPool: 50 },
    connections: 32,
    storeDelayMs: 20,
  },
  { name: 'one lock', target: 'java', kind: 'application-lock', route: 'GET /locked?ms=5', connections: 16 },
  { name: 'one lock that nobody can see', target: 'node', kind: 'unknown-wait', route: 'GET /locked?ms=5', connections: 16 },
  {
    name: 'four hundred threads',
    target: 'java',
    kind: 'oversubscribed',
    route: 'GET /compute?ms=2',
    settings: { threads: 400 },
    connections: 400,
  },
  ...both({
    name: 'two connections to another service',
    kind: 'outbound-pool',
    route: 'GET /documents/7',
    settings: { documentPool: 2 },
    connections: 16,
    storeDelayMs: 20,
  }),
  ...both({
    name: 'a slow service',
    kind: 'outbound-service',
    route: 'GET /documents/7',
    settings: { documentPool: 64 },
    connections: 16,
    storeDelayMs: 100,
  }),
  ...both({
    name: 'one file for each connection, and few files',
    kind: 'descriptors',
    route: 'GET /wait?ms=20',
    settings: { pool: 8 },
    connections: 64,
    descriptors: 48,
    java: { descriptors: 64 },
  }),
  ...both({
    name: 'a proxy with a twentieth of a core, and a handshake for each request',
    kind: 'proxy',
    route: 'GET /hello',
    connections: 16,
    proxy: { tls: true, clientKeepAlive: false, upstreamKeepAlive: false, cpuShare: 0.05 },
  }),
  ...both({
    name: 'a commit for each row, and a disk that is waited for',
    kind: 'database-io',
    route: 'POST /ads',
    settings: { pool: 8 },
    connections: 16,
    durable: true,
  }),
  // Not in Java: on two cores it answers faster than the load generator can read, which is then what is full (and the measurement void).
  { name: 'large files', target: 'node', kind: 'network-or-payload', route: 'GET /static/photo.jpg', connections: 4 },
  ...both({ name: 'what is not there', kind: 'invalid', route: 'GET /ads/999999999', connections: 8 }),
  ...both({
    name: 'a small file from a proxy, which answers faster than it is asked',
    kind: 'invalid',
    route: 'GET /static/assets/01.css',
    connections: 64,
    proxy: { staticFiles: true, workers: 2 },
  }),
];

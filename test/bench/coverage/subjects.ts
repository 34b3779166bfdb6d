import { fieldServices } from '../field/services/fieldServices.ts';
import { nodePackage } from '../field/services/nodePackage.ts';
import type { FieldService } from '../field/fieldService.ts';

/** What is recorded: a service in a folder of its own, or a target of the samples. */
export type Subject = { name: string; what: string } & ({ service: FieldService } | { sample: string });

const plain = {
  runtime: 'node',
  build: [],
  env: {},
  usesPostgres: false,
  pool: null,
  command: ['node', 'app.mjs'],
  routes: ['/'],
} as const;

/** Two workers of a cluster that sort. */
const cluster: FieldService = {
  ...plain,
  name: 'cluster',
  files: {
    'package.json': nodePackage('sorting', {}, { scripts: { start: 'node app.mjs' } }),
    'app.mjs': `
import cluster from 'node:cluster';
import { createServer } from 'node:http';

function sortInWorker() {
  return Array.from({ length: 20_000 }, (_, at) => (at * 7919) % 10_007).sort((a, b) => a - b)[0];
}
if (cluster.isPrimary) for (let worker = 0; worker < 2; worker += 1) cluster.fork();
else createServer((request, response) => response.end(String(sortInWorker()))).listen(process.env.PORT ?? 3000);
`,
  },
};

/** Two worker threads that compute prime numbers. */
const threads: FieldService = {
  ...plain,
  name: 'worker-threads',
  files: {
    'package.json': nodePackage('sieving', {}, { scripts: { start: 'node app.mjs' } }),
    'app.mjs': `
import { createServer } from 'node:http';
import { Worker } from 'node:worker_threads';

const workers = [0, 1].map(() => new Worker(new URL('./worker.mjs', import.meta.url)));
const waiting = new Map();
for (const worker of workers)
  worker.on('message', ({ id, primes }) => {
    waiting.get(id)?.(primes);
    waiting.delete(id);
  });
let last = 0;
createServer((request, response) => {
  last += 1;
  waiting.set(last, (primes) => response.end(String(primes)));
  workers[last % 2].postMessage({ id: last, most: 200_000 });
}).listen(process.env.PORT ?? 3000);
`,
    'worker.mjs': `
import { parentPort } from 'node:worker_threads';

function sieve(most) {
  const composite = new Uint8Array(most);
  let primes = 0;
  for (let at = 2; at < most; at += 1) {
    if (composite[at] === 1) continue;
    primes += 1;
    for (let multiple = 2 * at; multiple < most; multiple += at) composite[multiple] = 1;
  }
  return primes;
}
parentPort.on('message', ({ id, most }) => parentPort.postMessage({ id, primes: sieve(most) }));
`,
  },
};

function ofField(name: string, what: string): Subject {
  const service = fieldServices.find((one) => one.name === name);
  if (service === undefined) throw new Error(`There is no service “${name}”.`);
  return { name, what, service };
}

export const subjects: readonly Subject[] = [
  { name: 'cluster', what: 'Node, two workers of a cluster', service: cluster },
  { name: 'worker-threads', what: 'Node, two worker threads', service: threads },
  { name: 'sample-node', what: 'the sample in Node', sample: 'node' },
  { name: 'sample-java', what: 'the sample in Java', sample: 'java' },
  ofField('express-5', 'Node, Express 5'),
  ofField('pg-by-url', 'Node, Express 5 and pg'),
  ofField('fastify', 'Node, Fastify'),
  ofField('start-workspace', 'Node, a workspace of npm'),
  ofField('start-cluster', 'Node, Express 5 in a cluster'),
  ofField('javalin-hikari', 'JVM, Javalin and HikariCP'),
  ofField('spring-boot-3-mvc', 'JVM, Spring Boot 3'),
];

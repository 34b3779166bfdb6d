// What the load generator costs and adds, measured against the bare autocannon CLI and against a bare socket client: `node test/bench/loadOverhead.mjs`.
// Both sides of each ratio run in turn, in pairs whose order alternates, against the same server; about a minute. Run it alone on the machine.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'esbuild';

const root = path.resolve(import.meta.dirname, '../..');
const require = createRequire(import.meta.url);
const connections = 16;
const pairsOfThroughput = 4;
const pairsOfLatency = 6;

const fastServer = `
const server = require('node:http').createServer((request, response) => {
  response.setHeader('Content-Type', 'application/json');
  response.end('{"hello":"world"}');
});
server.listen(0, '127.0.0.1', () => console.log(server.address().port));`;

const slowServer = `
const server = require('node:net').createServer({ noDelay: true }, (socket) => {
  socket.on('error', () => undefined);
  socket.on('data', () => setTimeout(() => socket.write('HTTP/1.1 200 OK\\r\\nContent-Length: 2\\r\\n\\r\\nok'), 10));
});
server.listen(0, '127.0.0.1', () => console.log(server.address().port));`;

const bareClient = `
const [port, connections, durationMs] = process.argv.slice(1).map(Number);
let total = 0, count = 0;
for (let i = 0; i < connections; i++) {
  const socket = require('node:net').connect({ port, host: '127.0.0.1', noDelay: true });
  let sentAt = 0;
  const send = () => { sentAt = performance.now(); socket.write('GET / HTTP/1.1\\r\\nHost: 127.0.0.1\\r\\n\\r\\n'); };
  socket.on('data', () => { total += performance.now() - sentAt; count += 1; send(); });
  send();
}
setTimeout(() => { console.log(total / count); process.exit(0); }, durationMs);`;

const children = new Set();

function start(argv) {
  const child = spawn(process.execPath, argv, { stdio: ['pipe', 'pipe', 'ignore'] });
  children.add(child);
  child.once('exit', () => children.delete(child));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return { child, line: async () => (await lines.next()).value };
}

async function everything(stream) {
  let text = '';
  for await (const chunk of stream) text += chunk;
  return text;
}

let blocks = 0;
async function ourBlock(worker, port, plan) {
  const mix = [{ method: 'GET', path: '/', headers: {}, weight: 1, parameters: {} }];
  const command = { type: 'block', id: ++blocks, mode: 'measure', host: '127.0.0.1', port, timeoutMs: 10_000, seed: 1, mix, ...plan };
  worker.child.stdin.write(`${JSON.stringify(command)}\n`);
  for (;;) {
    const message = JSON.parse(await worker.line());
    if (message.type === 'failed') throw new Error(message.failure.message);
    if (message.type === 'result') return message.result;
  }
}

/** The CLI tells its CPU time when it ends; what it used until it was loaded does not count. */
const tellCpu = `
const atStart = process.cpuUsage();
process.on('exit', () => { const { user, system } = process.cpuUsage(atStart); process.stderr.write('\\nCPU ' + (user + system) + '\\n'); });`;

async function bareAutocannon(port) {
  const argv = ['--require', hookPath, require.resolve('autocannon'), '-c', String(connections), '-d', '3', '--json'];
  const child = spawn(process.execPath, [...argv, '-W', '[', '-c', String(connections), '-d', '1', ']', `http://127.0.0.1:${port}/`], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [printed, complained] = await Promise.all([everything(child.stdout), everything(child.stderr)]);
  // One document for its warm-up, one for all.
  const result = JSON.parse(printed.trim().split('\n').at(-1));
  const cpuUs = Number(/^CPU (\d+)$/m.exec(complained)?.[1]);
  return { throughput: result['2xx'] / result.duration, cpuUsPerRequest: cpuUs / (result['2xx'] + result.warmup['2xx']) };
}

async function bareMeanMs(port) {
  const child = spawn(process.execPath, ['-e', bareClient, String(port), '4', '1000'], { stdio: ['ignore', 'pipe', 'ignore'] });
  return Number(await everything(child.stdout));
}

/** Mean of log ratios and its 95 % interval by Student's t for `n` pairs. */
function ratioOf(pairs) {
  const t95 = { 4: 3.182, 6: 2.571, 8: 2.365 }[pairs.length];
  const logs = pairs.map(([ours, theirs]) => Math.log(ours / theirs));
  const mean = logs.reduce((sum, log) => sum + log, 0) / logs.length;
  const half = t95 * Math.sqrt(logs.reduce((sum, log) => sum + (log - mean) ** 2, 0) / (logs.length - 1) / logs.length);
  return { ratio: Math.exp(mean), low: Math.exp(mean - half), high: Math.exp(mean + half) };
}

async function inPairs(count, ours, theirs) {
  const pairs = [];
  for (let i = 0; i < count; i++) {
    if (i % 2 === 0) {
      const a = await ours();
      pairs.push([a, await theirs()]);
    } else {
      const b = await theirs();
      pairs.push([await ours(), b]);
    }
  }
  return pairs;
}

function print(title, pairs, digits, goal) {
  const { ratio, low, high } = ratioOf(pairs);
  console.log(title);
  for (const [ours, theirs] of pairs)
    console.log(`  ${ours.toFixed(digits).padStart(10)} ${theirs.toFixed(digits).padStart(10)}   ${(ours / theirs).toFixed(3)}`);
  console.log(`  ratio ${ratio.toFixed(3)}, 95 % interval ${low.toFixed(3)} … ${high.toFixed(3)}; goal ${goal}\n`);
}

const directory = mkdtempSync(path.join(tmpdir(), 'benchside-load-overhead-'));
const hookPath = path.join(directory, 'tellCpu.cjs');
try {
  writeFileSync(hookPath, tellCpu);
  const workerPath = path.join(directory, 'loadWorker.cjs');
  await build({
    entryPoints: [path.join(root, 'src/engine/load/loadWorker.ts')],
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    minify: true,
    keepNames: true,
    outfile: workerPath,
  });
  const [fast, slow, worker] = [start(['-e', fastServer]), start(['-e', slowServer]), start([workerPath])];
  const [fastPort, slowPort] = [Number(await fast.line()), Number(await slow.line())];
  await worker.line();
  // The server's own warm-up belongs to neither side.
  await ourBlock(worker, fastPort, { connections, settleMs: 0, windowMs: 3000 });
  const fastPairs = await inPairs(
    pairsOfThroughput,
    async () => {
      const { throughput, requests, windowMs, generator } = await ourBlock(worker, fastPort, {
        connections,
        settleMs: 1000,
        windowMs: 3000,
      });
      return { throughput, cpuUsPerRequest: (generator.cpuPercent * 10 * windowMs) / requests };
    },
    () => bareAutocannon(fastPort),
  );
  const latency = await inPairs(
    pairsOfLatency,
    async () => {
      const { latencySums } = await ourBlock(worker, slowPort, { connections: 4, settleMs: 100, windowMs: 1000 });
      return latencySums.sumUs / latencySums.count / 1000;
    },
    () => bareMeanMs(slowPort),
  );
  const figures = (name) => fastPairs.map(([ours, theirs]) => [ours[name], theirs[name]]);
  print(`Requests/s, ${connections} connections: ours, bare autocannon, ratio`, figures('throughput'), 0, '≥ 0.97');
  print('CPU of the generator, µs per request: ours, bare autocannon, ratio', figures('cpuUsPerRequest'), 2, '≤ 1.03');
  print('Mean latency in ms of a server with 10 ms delay: ours, bare client, ratio', latency, 3, '0.97 … 1.03');
} finally {
  for (const child of children) child.kill('SIGKILL');
  rmSync(directory, { recursive: true, force: true });
}

// What a request at a fixed rate costs, and how wrong its p99 is, in our open loop and in autocannon's rate mode: `node test/bench/openLoop.mjs`.
// The server answers in 2 ms and pauses for 300 ms in every 2 s. Both generators run in turn, in pairs whose order alternates, against the same
// server; under two minutes. The truth is computed from when the server really paused. Run it alone on the machine.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'esbuild';

const root = path.resolve(import.meta.dirname, '../..');
const require = createRequire(import.meta.url);
const ratePerS = 500;
const windowS = 6;
const pairs = 6;

const stallingServer = `
const now = () => Number(process.hrtime.bigint()) / 1e6;
let stalls = [], arrivals = [];
const server = require('node:http').createServer((request, response) => {
  if (request.url === '/log') { response.end(JSON.stringify({ stalls, arrivals })); stalls = []; arrivals = []; return; }
  arrivals.push(now());
  setTimeout(() => response.end('ok'), 2);
});
server.keepAliveTimeout = 60000;
setInterval(() => {
  const from = now();
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
  stalls.push([from, now()]);
}, 2000);
server.listen(0, '127.0.0.1', () => console.log(server.address().port));`;

/** autocannon in its rate mode, as its CLI runs it, with the CPU time that it took; what it used until it was loaded does not count. */
const rateMode = (autocannonPath) => `
const autocannon = require(${JSON.stringify(autocannonPath)});
const [port, rate, seconds] = process.argv.slice(2).map(Number);
const atStart = process.cpuUsage();
autocannon({ url: 'http://127.0.0.1:' + port + '/', connections: 100, overallRate: rate, duration: seconds }, (error, result) => {
  if (error) throw error;
  const { user, system } = process.cpuUsage(atStart);
  console.log(JSON.stringify({ requests: result['2xx'], p99Ms: result.latency.p99, cpuUs: user + system }));
});`;

const children = new Set();

function start(argv) {
  const child = spawn(process.execPath, argv, { stdio: ['pipe', 'pipe', 'inherit'] });
  children.add(child);
  child.once('exit', () => children.delete(child));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return { child, line: async () => (await lines.next()).value };
}

const machineMs = () => Number(process.hrtime.bigint()) / 1e6;
const readLog = async (port) => (await fetch(`http://127.0.0.1:${port}/log`)).json();

function quantile(values, q) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.ceil(q * sorted.length) - 1];
}

/** p99 of those who come evenly between the two moments: who comes while the server pauses waits for its end. */
function trueP99(stalls, from, to) {
  const latencies = [];
  for (let at = from; at < to; at += 1000 / ratePerS)
    latencies.push((stalls.find(([begin, end]) => begin <= at && at < end)?.[1] ?? at) - at + 2);
  return quantile(latencies, 0.99);
}

/** Share of the requests that came in within the busiest tenth of each second: 0.1 when they are spread evenly. */
function burstShare(arrivals, from, to) {
  const inside = arrivals.filter((at) => at >= from && at < to);
  const bins = new Array(10).fill(0);
  for (const at of inside) bins[Math.floor(((((at - from) % 1000) + 1000) % 1000) / 100)] += 1;
  return Math.max(...bins) / inside.length;
}

let blocks = 0;
async function ours(worker, port, { decode }) {
  await readLog(port);
  const mix = [{ method: 'GET', path: '/', headers: {}, weight: 1, parameters: {} }];
  const open = { ratePerS, maxInFlight: 1000 };
  const times = { settleMs: 1000, windowMs: windowS * 1000, timeoutMs: 10_000 };
  const command = { type: 'block', id: ++blocks, mode: 'measure', host: '127.0.0.1', port, connections: 1, seed: 1, mix, open, ...times };
  worker.child.stdin.write(`${JSON.stringify(command)}\n`);
  let from = 0;
  let to = 0;
  for (;;) {
    const message = JSON.parse(await worker.line());
    if (message.type === 'failed') throw new Error(message.failure.message);
    if (message.type === 'window' && message.edge === 'open') from = machineMs();
    if (message.type === 'window' && message.edge === 'close') to = machineMs();
    if (message.type !== 'result') continue;
    const { result } = message;
    const { stalls, arrivals } = await readLog(port);
    return {
      cpuUs: (result.generator.cpuPercent * 10 * result.windowMs) / result.requests,
      p99Ms: decode(result.histogram).getValueAtPercentile(99) / 1000,
      trueMs: trueP99(stalls, from, to),
      burst: burstShare(arrivals, from, to),
      late: result.open.late,
    };
  }
}

async function theirs(scriptPath, port) {
  await readLog(port);
  const from = machineMs();
  const run = start([scriptPath, String(port), String(ratePerS), String(windowS + 1)]);
  const { requests, p99Ms, cpuUs } = JSON.parse(await run.line());
  const to = machineMs();
  const { stalls, arrivals } = await readLog(port);
  const first = arrivals[0] ?? from;
  return { cpuUs: cpuUs / requests, p99Ms, trueMs: trueP99(stalls, first, to), burst: burstShare(arrivals, first, to), late: null };
}

function show(name, { cpuUs, p99Ms, trueMs, burst, late }) {
  const error = ((p99Ms / trueMs - 1) * 100).toFixed(1).padStart(6);
  const figures = `${cpuUs.toFixed(1).padStart(6)} µs/request   p99 ${p99Ms.toFixed(1).padStart(6)} ms of ${trueMs.toFixed(1)} ms (${error} %)`;
  console.log(
    `  ${name.padEnd(11)} ${figures}   busiest tenth of a second ${(burst * 100).toFixed(0)} %${late === null ? '' : `   late ${late}`}`,
  );
}

const directory = mkdtempSync(path.join(tmpdir(), 'benchside-open-loop-'));
try {
  const scriptPath = path.join(directory, 'rateMode.cjs');
  writeFileSync(scriptPath, rateMode(require.resolve('autocannon')));
  const workerPath = path.join(directory, 'loadWorker.cjs');
  const bundled = { bundle: true, platform: 'node', target: 'node20', minify: true, keepNames: true };
  await build({ ...bundled, format: 'cjs', entryPoints: [path.join(root, 'src/engine/load/loadWorker.ts')], outfile: workerPath });
  const { decodeFromCompressedBase64: decode } = require('hdr-histogram-js');
  const [server, worker] = [start(['-e', stallingServer]), start([workerPath])];
  const port = Number(await server.line());
  await worker.line();
  await ours(worker, port, { decode });
  const all = { ours: [], theirs: [] };
  for (let pair = 0; pair < pairs; pair++) {
    for (const side of pair % 2 === 0 ? ['ours', 'theirs'] : ['theirs', 'ours']) {
      const figures = side === 'ours' ? await ours(worker, port, { decode }) : await theirs(scriptPath, port);
      all[side].push(figures);
      show(side === 'ours' ? 'open loop' : 'autocannon', figures);
    }
  }
  const median = (side, of) => quantile(all[side].map(of), 0.5);
  const worst = Math.max(...all.ours.map(({ p99Ms, trueMs }) => Math.abs(p99Ms / trueMs - 1)));
  console.log(
    `\nCPU of the generator, µs per request at ${ratePerS} requests/s, median: ours ${median('ours', ({ cpuUs }) => cpuUs).toFixed(1)}, autocannon ${median('theirs', ({ cpuUs }) => cpuUs).toFixed(1)}`,
  );
  console.log(
    `p99 off by, median of |error|: ours ${(100 * median('ours', ({ p99Ms, trueMs }) => Math.abs(p99Ms / trueMs - 1))).toFixed(1)} % (worst ${(worst * 100).toFixed(1)} %; goal ≤ 5 %), autocannon ${(100 * median('theirs', ({ p99Ms, trueMs }) => Math.abs(p99Ms / trueMs - 1))).toFixed(1)} %`,
  );
} finally {
  for (const child of children) child.kill('SIGKILL');
  rmSync(directory, { recursive: true, force: true });
}

import type { Supervisor } from '../../src/engine/supervise/supervisor.ts';
import { childEnvironment } from '../../src/engine/supervise/environment.ts';
import { waitFor } from './waitFor.ts';

/** A process that serves HTTP and keeps, by the machine's monotonic clock, when each request came in and was answered and when it paused. */
const program = `
const [serviceMs, stallMs, everyMs] = process.argv.slice(1).map(Number);
const now = () => Number(process.hrtime.bigint()) / 1e6;
let served = [], stalls = [];
const server = require('node:http').createServer((request, response) => {
  if (request.url === '/log') {
    response.end(JSON.stringify({ served, stalls }));
    served = [];
    stalls = [];
    return;
  }
  const from = now();
  setTimeout(() => {
    response.end('ok');
    served.push([from, now()]);
  }, serviceMs);
});
server.keepAliveTimeout = 60000;
if (stallMs > 0) setInterval(() => {
  const from = now();
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, stallMs);
  stalls.push([from, now()]);
}, everyMs);
server.listen(0, '127.0.0.1', () => console.log(JSON.stringify({ port: server.address().port })));`;

type Span = readonly [fromMs: number, toMs: number];

export interface TimedServer {
  readonly port: number;
  /** What happened since the last call, in ms of {@link machineMs}. */
  log(): Promise<{ served: Span[]; stalls: Span[] }>;
  stop(): Promise<void>;
}

/** Answers after `serviceMs`; every `everyMs` its process does nothing at all for `stallMs`. */
export async function startTimedServer(
  supervisor: Supervisor,
  { serviceMs, stallMs = 0, everyMs = 0 }: { serviceMs: number; stallMs?: number; everyMs?: number },
): Promise<TimedServer> {
  let port = 0;
  const child = await supervisor.start({
    name: 'timed server',
    kind: 'app',
    argv: [process.execPath, '-e', program, String(serviceMs), String(stallMs), String(everyMs)],
    cwd: process.cwd(),
    env: childEnvironment(),
    captureLines: (_stream, line) => {
      if (line.startsWith('{')) port = (JSON.parse(line) as { port: number }).port;
    },
  });
  await waitFor(() => port, { what: 'the port of the timed server' });
  return {
    port,
    log: async () => (await fetch(`http://127.0.0.1:${port}/log`)).json() as Promise<{ served: Span[]; stalls: Span[] }>,
    stop: async () => {
      await child.stop();
    },
  };
}

/** The machine's monotonic clock in ms, for a moment of this process's `performance.now()`. */
export function machineMs(performanceMs: number): number {
  return Number(process.hrtime.bigint()) / 1e6 - performance.now() + performanceMs;
}

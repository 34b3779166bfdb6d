import { childEnvironment } from '../../src/engine/supervise/environment.ts';
import type { Supervisor } from '../../src/engine/supervise/supervisor.ts';

const program = `
const net = require('node:net');
const [port, connections, durationMs] = process.argv.slice(1).map(Number);
let total = 0;
let count = 0;
for (let i = 0; i < connections; i++) {
  const socket = net.connect({ port, host: '127.0.0.1', noDelay: true });
  let sentAt = 0;
  const send = () => {
    sentAt = performance.now();
    socket.write('GET / HTTP/1.1\\r\\nHost: 127.0.0.1\\r\\n\\r\\n');
  };
  socket.on('data', () => {
    total += performance.now() - sentAt;
    count += 1;
    send();
  });
  send();
}
setTimeout(() => {
  console.log(total / count);
  process.exit(0);
}, durationMs);
`;

/**
 * The mean latency in ms that a client sees which does nothing but write and wait, in a process of its own: what there is to measure
 * between two processes on this machine, the way through the kernel and the waking up included.
 */
export async function bareClientMeanMs(supervisor: Supervisor, port: number, connections: number, durationMs: number): Promise<number> {
  let printed = '';
  const child = await supervisor.start({
    name: 'bare client',
    kind: 'tool',
    argv: [process.execPath, '-e', program, String(port), String(connections), String(durationMs)],
    cwd: process.cwd(),
    env: childEnvironment(),
    captureLines: (_stream, line) => (printed += line),
  });
  await child.exited;
  return Number(printed);
}

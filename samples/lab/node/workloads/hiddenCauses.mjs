import { pbkdf2 } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { sendJson } from '../../../node/answers.mjs';
import { numberIn } from '../../../node/parameters.mjs';

let blocking;

/** Answers at once; but a timer of the app computes for so long, every so often, and nothing is answered meanwhile. */
export function beside({ response, query }) {
  const ms = numberIn(query, 'ms', 0, 2000, 300);
  const every = numberIn(query, 'every', 50, 60_000, 1000);
  blocking ??= setInterval(() => {
    const end = performance.now() + ms;
    while (performance.now() < end);
  }, every).unref();
  sendJson(response, 200, { ms, every });
}

/** Makes a pool for itself alone, as some do for each request: it connects, asks one thing and disconnects. */
export async function withOwnPool({ response, services }) {
  const pool = await services.openOwnPool();
  try {
    const connection = await pool.borrow();
    const [row] = await pool.rows(connection, { text: 'SELECT 1 AS one' }, []);
    pool.giveBack(connection, false);
    sendJson(response, 200, row);
  } finally {
    await pool.end();
  }
}

const derive = promisify(pbkdf2);
const ITERATIONS_PER_MS = 1_500;

/** Derives a key, which a thread of Node's own pool does: with one of them, requests go one by one. */
export async function deriveKey({ response, query }) {
  const ms = numberIn(query, 'ms', 1, 1000, 10);
  const key = await derive('word', 'salt', ms * ITERATIONS_PER_MS, 32, 'sha256');
  sendJson(response, 200, { key: key.toString('hex') });
}

/** Sends head and body one after the other on a connection that waits until a full packet has come together (Nagle). */
export async function inTwoPieces({ response }) {
  response.socket.setNoDelay(false);
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': 11 });
  response.flushHeaders();
  await turn();
  response.end('{"one":"1"}');
}

/** Closes the connection after its answer. */
export function andClose({ response }) {
  response.setHeader('Connection', 'close');
  sendJson(response, 200, { closes: true });
}

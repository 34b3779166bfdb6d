import { createServer } from 'node:http';
import { ConfigurationError, readConfiguration } from './configuration.mjs';
import { Database } from './database.mjs';
import { log } from './log.mjs';
import { createRequestListener } from './routes.mjs';

/** Longer than clients keep an idle connection, so that it is never closed under a request that is on its way. */
const KEEP_ALIVE_MS = 75_000;
/** How long requests that are being answered may take when the service is told to stop. */
const STOP_GRACE_MS = 5_000;

const configuration = configurationOrExit();
const database = new Database(configuration);
const answer = createRequestListener(database, log);
let stopping = false;

const server = createServer((request, response) => {
  if (stopping) response.setHeader('Connection', 'close');
  void answer(request, response);
});
server.keepAliveTimeout = KEEP_ALIVE_MS;

server.once('error', (error) => fail(`cannot listen on ${configuration.host}:${configuration.port}: ${error.message}`));
server.listen(configuration.port, configuration.host, () => {
  const { port } = server.address();
  log.info(
    `listening on http://${configuration.host}:${port} (database pool ${configuration.poolSize}, time-out ${configuration.poolTimeoutMs} ms)`,
  );
  database.ping().catch((error) => log.warnSometimes(`the database is not available: ${error.message}`));
});

process.on('SIGTERM', stop);
process.on('SIGINT', stop);

async function stop() {
  if (stopping) return;
  stopping = true;
  // a connection becomes idle when its last request is answered, and would then be kept for its client
  const idle = setInterval(() => server.closeIdleConnections(), 20);
  const forced = setTimeout(() => server.closeAllConnections(), STOP_GRACE_MS);
  await new Promise((resolve) => server.close(resolve));
  clearInterval(idle);
  clearTimeout(forced);
  // a statement that outlives its request must not keep the process
  await Promise.race([database.close(), new Promise((resolve) => setTimeout(resolve, 1000))]);
  log.info('stopped');
  process.exit(0);
}

function configurationOrExit() {
  try {
    return readConfiguration(process.env);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    fail(error.message);
  }
}

function fail(text) {
  process.stderr.write(`bulletin-board: ${text}\n`);
  process.exit(1);
}

import { createServer } from 'node:http';
import { log } from './log.mjs';
import { createRequestListener } from './requestListener.mjs';

/** Longer than clients keep an idle connection, so that it is never closed under a request that is on its way. */
const KEEP_ALIVE_MS = 75_000;
/** How long requests that are being answered may take when the service has to stop. */
const STOP_GRACE_MS = 5_000;

/**
 * Listens, answers until the process has to stop, finishes what it has begun, and ends the process.
 * @param services what the handlers use: `database`, what else is theirs, and `close()`
 * @param alone whether it is the whole service, which says so when it listens and when it stops; else it is one worker of several
 */
export function serve(configuration, services, routes, alone) {
  const answer = createRequestListener(services, routes, log);
  let stopping = false;

  const server = createServer((request, response) => {
    if (stopping) response.setHeader('Connection', 'close');
    void answer(request, response);
  });
  server.keepAliveTimeout = KEEP_ALIVE_MS;

  server.once('error', (error) => {
    process.stderr.write(`bulletin-board: cannot listen on ${configuration.host}:${configuration.port}: ${error.message}\n`);
    process.exit(1);
  });
  server.listen(configuration.port, configuration.host, () => {
    if (alone) log.info(listeningText(configuration, server.address().port));
    services.database.ping().catch((error) => log.warnSometimes(`the database is not available: ${error.message}`));
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
    await Promise.race([Promise.allSettled([services.close()]), new Promise((resolve) => setTimeout(resolve, 1000))]);
    if (alone) log.info('stopped');
    process.exit(0);
  }
}

/** What the service says once it listens. */
export function listeningText({ host, poolSize, poolTimeoutMs }, port) {
  return `listening on http://${host}:${port} (database pool ${poolSize}, time-out ${poolTimeoutMs} ms)`;
}

/** Whether a request asks how long its parts take. The headers are looked through as they came: making an object of them costs every request. */
export function wantsTiming({ rawHeaders }) {
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (rawHeaders[i].length === 15 && rawHeaders[i].toLowerCase() === 'x-server-timing') return rawHeaders[i + 1] === '1';
  }
  return false;
}

/**
 * Times one request and writes the result into the head of its answer: the whole until then, the wait for connections, and how long they were held.
 * @returns the services with a database that is timed
 */
export function startTiming(request, response, services) {
  const since = performance.now();
  const timing = { poolMs: 0, databaseMs: 0 };
  const { writeHead } = response;
  response.writeHead = (status, headers) => {
    const appMs = performance.now() - since;
    response.setHeader(
      'Server-Timing',
      `app;dur=${appMs.toFixed(3)}, pool;dur=${timing.poolMs.toFixed(3)}, db;dur=${timing.databaseMs.toFixed(3)}`,
    );
    const id = request.headers['x-request-id'];
    if (id !== undefined) response.setHeader('X-Request-Id', id);
    return writeHead.call(response, status, headers);
  };
  return { ...services, database: services.database.timedBy(timing) };
}

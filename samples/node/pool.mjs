import pg from 'pg';

/** A statement that the server has not finished by then is cancelled; it is above the longest GET /wait. */
export const STATEMENT_TIMEOUT_MS = 15_000;
/** A server that has not answered by then counts as lost. */
export const ANSWER_TIMEOUT_MS = 20_000;
export const APPLICATION_NAME = 'bulletin-board';

/**
 * Opens a pool of connections, which are kept: opening one costs more than a hundred short statements.
 * @returns an object with `borrow()`, `rows(client, { name, text }, values)`, `giveBack(client, broken)` and `end()`
 */
export function openPool(configuration) {
  return pooled(new pg.Pool(pgOptions(configuration)), configuration);
}

/** Settings of a pg pool. */
export function pgOptions({ databaseUrl, poolSize, poolTimeoutMs }) {
  return {
    ...(databaseUrl === undefined ? {} : { connectionString: databaseUrl }),
    max: poolSize,
    connectionTimeoutMillis: poolTimeoutMs,
    idleTimeoutMillis: 0,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    query_timeout: ANSWER_TIMEOUT_MS,
    application_name: APPLICATION_NAME,
  };
}

/**
 * What is asked of a pg pool here. Statements have names, by which the server keeps them prepared for the session; without, they go through a pooler that gives each transaction
 * another session.
 */
export function pooled(pool, { preparedStatements }) {
  // A connection that is lost emits 'error' whether it is idle or lent out; without listeners that would end the process.
  // The statement that was running on it fails on its own, and the pool opens a new connection when it needs one.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return {
    borrow: () => pool.connect(),
    rows: async (client, { name, text }, values) => (await client.query({ ...(preparedStatements && { name }), text, values })).rows,
    giveBack: (client, broken) => client.release(broken),
    end: () => pool.end(),
  };
}

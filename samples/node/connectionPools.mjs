import { ConfigurationError } from './configurationError.mjs';

/** A statement that the server has not finished by then is cancelled; it is above the longest GET /wait. */
const STATEMENT_TIMEOUT_MS = 15_000;
/** A server that has not answered by then is taken for lost. */
const ANSWER_TIMEOUT_MS = 20_000;
const APPLICATION_NAME = 'bulletin-board';

const libraries = { pg: openPg, 'pg-native': openPgNative, 'pg-promise': openPgPromise, sequelize: openSequelize };
export const poolLibraries = Object.keys(libraries);

/**
 * Opens a pool of connections with the library that is configured; only that one is loaded. Connections are kept: opening one costs more than a
 * hundred short statements.
 * @returns an object with `borrow()`, `rows(client, { name, text }, values)`, `giveBack(client, broken)` and `end()`
 * @throws {ConfigurationError} when the library is not installed
 */
export function openPool(configuration) {
  return libraries[configuration.poolLibrary](configuration);
}

/** Settings of a pg pool. */
function pgOptions({ databaseUrl, poolSize, poolTimeoutMs }) {
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

async function openPg(configuration) {
  const { default: pg } = await import('pg');
  return pgPool(new pg.Pool(pgOptions(configuration)));
}

/** The same pool over libpq, PostgreSQL's own library in C. */
async function openPgNative(configuration) {
  const { default: pg } = await import('pg');
  try {
    await import('pg-native');
  } catch {
    throw new ConfigurationError(
      'DB_POOL_LIBRARY=pg-native needs the package pg-native, which is not installed or not built: run “npm install --no-save pg-native” in samples/node; it needs the headers of libpq and a C++ compiler.',
    );
  }
  return pgPool(new pg.native.Pool(pgOptions(configuration)));
}

function pgPool(pool) {
  // A connection that is lost emits 'error' whether it is idle or lent out; without listeners that would end the process.
  // The statement that was running on it fails by itself, and the pool opens a new connection when it needs one.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return {
    borrow: () => pool.connect(),
    rows: async (client, statement, values) => (await client.query({ ...statement, values })).rows,
    giveBack: (client, broken) => client.release(broken),
    end: () => pool.end(),
  };
}

async function openPgPromise(configuration) {
  const { default: pgPromise } = await import('pg-promise');
  const database = pgPromise()(pgOptions(configuration));
  database.$pool.on('error', () => {});
  database.$pool.on('connect', (client) => client.on('error', () => {}));
  return {
    borrow: () => database.connect(),
    rows: (connection, statement, values) => connection.any({ ...statement, values }),
    giveBack: (connection, broken) => connection.done(broken),
    end: () => database.$pool.end(),
  };
}

/** An object-relational mapper with a pool of its own: its statements go the mapper's way, but are written by hand. */
async function openSequelize({ databaseUrl, poolSize, poolTimeoutMs }) {
  const { Sequelize } = (await import('sequelize')).default;
  const never = 2_147_483_647;
  const sequelize = new Sequelize(databaseUrl ?? addressInEnvironment(), {
    dialect: 'postgres',
    logging: false,
    pool: { max: poolSize, min: 0, acquire: poolTimeoutMs, idle: never, evict: never },
    dialectOptions: {
      application_name: APPLICATION_NAME,
      statement_timeout: STATEMENT_TIMEOUT_MS,
      query_timeout: ANSWER_TIMEOUT_MS,
      connectionTimeoutMillis: poolTimeoutMs,
    },
  });
  const { connectionManager } = sequelize;
  return {
    borrow: () => connectionManager.getConnection(),
    // All that a statement is told of its transaction is the connection.
    rows: async (connection, { text }, values) => {
      const [rows] = await sequelize.query(text, { ...(values.length > 0 && { bind: values }), transaction: { connection } });
      return rows;
    },
    giveBack: (connection, broken) =>
      broken ? connectionManager.pool.destroy(connection) : connectionManager.releaseConnection(connection),
    end: () => sequelize.close(),
  };
}

function addressInEnvironment() {
  const { PGUSER = 'postgres', PGPASSWORD = '', PGHOST = '127.0.0.1', PGPORT = '5432', PGDATABASE = PGUSER } = process.env;
  return `postgres://${[PGUSER, PGPASSWORD].map(encodeURIComponent).join(':')}@${PGHOST}:${PGPORT}/${encodeURIComponent(PGDATABASE)}`;
}

import { ConfigurationError } from '../../node/configurationError.mjs';
import { ANSWER_TIMEOUT_MS, APPLICATION_NAME, STATEMENT_TIMEOUT_MS, openPool as openPg, pgOptions, pooled } from '../../node/pool.mjs';

const libraries = { pg: openPg, 'pg-native': openPgNative, 'pg-promise': openPgPromise, sequelize: openSequelize };
export const poolLibraries = Object.keys(libraries);

/**
 * Opens a pool of connections with the library that is configured. Others than the sample's are only loaded when they are asked for.
 * @returns what the sample's pool is
 * @throws {ConfigurationError} when the library is not installed
 */
export function openPool(configuration) {
  return libraries[configuration.poolLibrary](configuration);
}

/** The sample's pool over libpq, PostgreSQL's own library in C. */
async function openPgNative(configuration) {
  const { default: pg } = await import('pg');
  try {
    await import('pg-native');
  } catch {
    throw new ConfigurationError(
      'DB_POOL_LIBRARY=pg-native needs the package pg-native, which is not installed or not built: run “npm install --no-save pg-native” in samples/lab/node; it needs the headers of libpq and a C++ compiler.',
    );
  }
  return pooled(new pg.native.Pool(pgOptions(configuration)), configuration);
}

async function openPgPromise(configuration) {
  const { default: pgPromise } = await import('pg-promise');
  const database = pgPromise()(pgOptions(configuration));
  database.$pool.on('error', () => {});
  database.$pool.on('connect', (client) => client.on('error', () => {}));
  return {
    borrow: () => database.connect(),
    // It takes a key without a value for a name that is none.
    rows: (connection, { name, text }, values) =>
      connection.any({ ...(configuration.preparedStatements && name !== undefined && { name }), text, values }),
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
    // All that a statement knows of its transaction is the connection.
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

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'jsonc-parser';
import { afterAll, describe, expect, it } from 'vitest';
import type { RunRecord } from '../../src/model/domain/run.ts';
import { workspaceFileSchema } from '../../src/model/domain/target.ts';
import { removeTemporaryFolders, repositoryDir, temporaryFolder } from '../support/engine.ts';
import { mavenLibraries } from '../support/mavenLibraries.ts';
import { copyProbeApps } from '../support/probeApps.ts';
import { longTest, slowHalf } from '../support/testTags.ts';
import { writeFiles } from '../support/writeFiles.ts';

afterAll(removeTemporaryFolders);
const slow = 120_000;
const brief = ['--load', 'quick', '--duration', '0.5', '--rounds', '1'];

/** A service that makes its pool in this way, and has the files of a tutorial. */
function shop(pool: string, files: Readonly<Record<string, string>> = {}): string {
  const folder = temporaryFolder('led');
  writeFiles(folder, {
    'package.json': JSON.stringify({ name: 'shop', main: 'server.cjs', dependencies: { express: '5', pg: '8' } }),
    'node_modules/express/package.json': '{}',
    'init.sql': 'CREATE DATABASE shop;\n\\c shop;\nCREATE TABLE ad AS SELECT 7 AS id;\nALTER TABLE ad OWNER TO shopkeeper;\n',
    'server.cjs': `
const { Pool } = require(${JSON.stringify(path.join(repositoryDir, 'node_modules/pg'))});
const pool = ${pool};
const app = { get: (path, answer) => (app[path] = answer) };
app.get('/ads', async (response) => response.end(JSON.stringify((await pool.query('SELECT id FROM ad')).rows)));
require('node:http').createServer((request, response) => {
  const answer = app[request.url];
  if (answer === undefined) response.writeHead(404).end();
  else answer(response).catch((error) => response.writeHead(500).end(String(error)));
}).listen(process.env.PORT);`,
    ...files,
  });
  return folder;
}

async function benchside(folder: string, ...args: string[]): Promise<{ code: number | null; said: string }> {
  const child = spawn(process.execPath, [path.join(repositoryDir, 'dist/cli.cjs'), ...args], {
    cwd: folder,
    env: { ...process.env, BENCHSIDE_STORAGE: path.join(folder, 'storage') },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (said += text));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, said };
}

/** Of each trial of the runs of this folder: its requests, and those of them that failed. */
function answersIn(folder: string): { requests: number; errors: number }[] {
  const runs = path.join(folder, '.benchside/runs');
  return readdirSync(runs).flatMap((id) => {
    const { trials } = JSON.parse(readFileSync(path.join(runs, id, 'run.json'), 'utf8')) as Pick<RunRecord, 'trials'>;
    return trials.map(({ requests, errors }) => ({ requests, errors: errors.total }));
  });
}

const answered = { requests: expect.toSatisfy((requests: number) => requests > 0), errors: 0 };

function declaredIn(folder: string) {
  return workspaceFileSchema.parse(parse(readFileSync(path.join(folder, 'benchside.json'), 'utf8'))).targets[0];
}

const nobody = `password: 'nobody', host: '127.0.0.1'`;

describe('a Node service whose address of PostgreSQL no variable carries', () => {
  it(
    'is declared and measured on a database of its own, to which the probe leads it, and its pool is moved',
    { timeout: slow, ...longTest },
    async () => {
      const folder = shop(`new Pool({ user: 'me', ${nobody}, port: 5432, database: 'shop' })`);
      const init = await benchside(folder, 'init', '-y');
      expect(init.code, init.said).toBe(0);
      expect(init.said).toContain('it names shop at 127.0.0.1:5432, and the probe leads it elsewhere');
      expect(declaredIn(folder)).toMatchObject({
        postgres: { env: {}, probe: true, sql: ['init.sql'] },
        settings: { pool: { live: 'pool' } },
        routes: [{ path: '/ads', weight: 1 }],
      });
      const run = await benchside(folder, 'run', '--set', 'pool=2,5', ...brief);
      expect(run.code, run.said).toBe(0);
      expect(run.said).toContain('There is no role shopkeeper on this server');
      expect(answersIn(folder)).toEqual([answered, answered]);
    },
  );

  it(
    'has no use for the probe where variables carry it, nor where they do so under a name that is seen as it runs',
    { timeout: slow, ...slowHalf },
    async () => {
      const folder = shop(`new Pool({ connectionString: process.env['DB_' + 'URL'] ?? 'postgres://me:nobody@127.0.0.1/shop' })`);
      const init = await benchside(folder, 'init', '-y');
      expect(init.code, init.said).toBe(0);
      expect(declaredIn(folder)?.postgres).toMatchObject({ env: { url: 'DB_URL' }, probe: false });
    },
  );

  it('is led there by its own script that migrates, though that has an address in its code', { timeout: slow, ...longTest }, async () => {
    const client = `new (require(${JSON.stringify(path.join(repositoryDir, 'node_modules/pg'))}).Client)({ ${nobody}, database: 'shop' })`;
    const manifest = { name: 'shop', main: 'server.cjs', scripts: { migrate: 'node up.cjs' }, dependencies: { express: '5', pg: '8' } };
    const folder = shop(`new Pool({ connectionString: process.env.DATABASE_URL })`, {
      'package.json': JSON.stringify(manifest),
      'up.cjs': `const db = ${client};
db.connect().then(() => db.query('CREATE TABLE IF NOT EXISTS ad AS SELECT 7 AS id')).then(() => db.end());`,
    });
    rmSync(path.join(folder, 'init.sql'));
    const init = await benchside(folder, 'init', '-y');
    expect(init.code, init.said).toBe(0);
    expect(declaredIn(folder)).toMatchObject({
      postgres: { env: { url: 'DATABASE_URL' }, probe: false, prepare: { command: ['npm', 'run', 'migrate'] } },
      routes: [{ path: '/ads', weight: 1 }],
    });
  });

  it('has its SQL files applied to an empty database where its own tool fails halfway', { timeout: slow, ...longTest }, async () => {
    const manifest = { name: 'shop', main: 'server.cjs', scripts: { migrate: 'node up.cjs' }, dependencies: { express: '5', pg: '8' } };
    const folder = shop(`new Pool({ connectionString: process.env.DATABASE_URL })`, {
      'package.json': JSON.stringify(manifest),
      'up.cjs': `const { Client } = require(${JSON.stringify(path.join(repositoryDir, 'node_modules/pg'))});
const db = new Client({ connectionString: process.env.DATABASE_URL });
db.connect().then(() => db.query('CREATE TABLE IF NOT EXISTS ad (id text)')).then(() => process.exit(3));`,
    });
    const init = await benchside(folder, 'init', '-y');
    expect(init.code, init.said).toBe(0);
    expect(init.said).toContain('Its tables are made another way. The migrations of shop failed: npm run migrate exited with code 3.');
    const declared = declaredIn(folder);
    expect(declared).toMatchObject({ postgres: { sql: ['init.sql'] }, routes: [{ path: '/ads', weight: 1 }] });
    expect(declared?.postgres?.prepare).toBeUndefined();
  });

  it.each(['postgres', 'postgres-oldest'])(
    'is led there by the clients of postgres.js, whatever the address says of TLS: %s',
    { timeout: slow, ...slowHalf },
    async (version) => {
      const apps = await copyProbeApps();
      const address = 'postgres://me:nobody@127.0.0.1:5432/shop?sslmode=require';
      const sql = `require(${JSON.stringify(path.join(apps.folder, '../node_modules', version))})(${JSON.stringify(address)})`;
      const folder = shop(`((sql) => ({ query: async (text) => ({ rows: await sql.unsafe(text) }) }))(${sql})`);
      const init = await benchside(folder, 'init', '-y');
      apps.remove();
      expect(init.code, init.said).toBe(0);
      expect(init.said).toContain('it names shop at 127.0.0.1:5432, and the probe leads it elsewhere');
      expect(declaredIn(folder)).toMatchObject({ postgres: { env: {}, probe: true }, routes: [{ path: '/ads', weight: 1 }] });
      const run = await benchside(folder, 'run', '--set', 'pool=2,5', ...brief);
      expect(run.code, run.said).toBe(0);
      expect(answersIn(folder)).toEqual([answered, answered]);
    },
  );

  it('is led there where only parts of the address come from variables', { timeout: slow, ...slowHalf }, async () => {
    const parts = 'host: process.env.DB_HOST, user: process.env.DB_USER, password: process.env.DB_PASSWORD, database: process.env.DB_NAME';
    const folder = shop(`new Pool({ ${parts}, port: 5431 })`);
    const init = await benchside(folder, 'init', '-y');
    expect(init.code, init.said).toBe(0);
    expect(declaredIn(folder)).toMatchObject({ postgres: { env: {}, probe: true }, routes: [{ path: '/ads', weight: 1 }] });
  });

  it('is declared without SQL that cannot be applied, and asks what makes its tables', { timeout: slow, ...slowHalf }, async () => {
    const folder = shop(`new Pool({ user: 'me', ${nobody}, port: 5432, database: 'shop' })`, {
      'init.sql': 'CREATE TABLE ad (id int)\nINSERT INTO ad VALUES (1);',
    });
    const init = await benchside(folder, 'init', '-y');
    expect(init.code, init.said).toBe(0);
    expect(init.said).toMatch(/\? What makes its tables\? init\.sql, line 2: syntax error at or near "INSERT"/);
    expect(declaredIn(folder)?.postgres?.sql).toEqual([]);
  });
});

/** The classes of Jetty, Hikari and the driver. */
const libraries = path.join(repositoryDir, 'samples/java/target/bulletin-board.jar');

/** A service of the JVM that makes its `query` in this way. */
function shopSource(query: string): string {
  return `
import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;

public class Shop {
  interface Query { void run() throws Exception; }

  public static void main(String[] arguments) throws Exception {
    ${query}
    HttpServer server = HttpServer.create(new InetSocketAddress(Integer.parseInt(System.getenv("PORT"))), 0);
    server.createContext("/ads", exchange -> {
      int status = 200;
      try {
        query.run();
      } catch (Exception e) {
        e.printStackTrace();
        status = 500;
      }
      exchange.sendResponseHeaders(status, -1);
      exchange.close();
    });
    server.setExecutor(java.util.concurrent.Executors.newFixedThreadPool(8));
    server.start();
  }
}`;
}

/** Such a service with a file that has its table. */
function javaShop(query: string): string {
  const folder = temporaryFolder('led');
  writeFiles(folder, {
    'pom.xml':
      '<project><artifactId>shop</artifactId><dependencies><dependency><groupId>org.postgresql</groupId><artifactId>postgresql</artifactId></dependency></dependencies></project>',
    'schema.sql': 'CREATE TABLE ad AS SELECT 7 AS id;\n',
    'Shop.java': shopSource(query),
  });
  return folder;
}

const jdbcQuery = `Query query = () -> {
      try (var connection = data.getConnection()) {
        connection.createStatement().executeQuery("SELECT id FROM ad").next();
      }
    };`;
const r2dbcQuery = `Query query = () -> reactor.core.publisher.Mono.usingWhen(factory.create(),
        one -> reactor.core.publisher.Flux.from(one.createStatement("SELECT id FROM ad").execute()).flatMap(result -> result.map((row, meta) -> row.get(0))).then(),
        one -> one.close()).block();`;
const vertxQuery = `var options = new io.vertx.pgclient.PgConnectOptions().setHost("127.0.0.1").setPort(5433).setDatabase("shop").setUser("me").setPassword("nobody").setSslMode(io.vertx.pgclient.SslMode.REQUIRE);
    var pool = io.vertx.sqlclient.Pool.pool(io.vertx.core.Vertx.vertx(), options, new io.vertx.sqlclient.PoolOptions().setMaxSize(4));
    Query query = () -> pool.query("SELECT id FROM ad").execute().toCompletionStage().toCompletableFuture().get();`;

/** How it connects, and the libraries that it needs: those of the sample, or of Maven. */
const ways: Readonly<Record<string, { query: string; artifacts?: readonly string[] }>> = {
  'by a pool that connects at its start': {
    query: `var data = new com.zaxxer.hikari.HikariDataSource();
    data.setJdbcUrl("jdbc:postgresql://127.0.0.1:5433/shop?sslmode=require&ApplicationName=shop");
    data.setUsername("me");
    data.setPassword("nobody");
    ${jdbcQuery}`,
  },
  'by the driver’s own data source': {
    query: `var data = new org.postgresql.ds.PGSimpleDataSource();
    data.setServerNames(new String[] {"127.0.0.1"});
    data.setPortNumbers(new int[] {5433});
    data.setDatabaseName("shop");
    data.setUser("me");
    data.setPassword("nobody");
    ${jdbcQuery}`,
  },
  'by an address of R2DBC': {
    query: `var factory = io.r2dbc.spi.ConnectionFactories.get("r2dbc:postgresql://me:nobody@127.0.0.1:5433/shop?sslMode=require");
    ${r2dbcQuery}`,
    artifacts: ['org.postgresql:r2dbc-postgresql:1.0.7.RELEASE'],
  },
  'by parts of the oldest R2DBC': {
    query: `var factory = new io.r2dbc.postgresql.PostgresqlConnectionFactory(io.r2dbc.postgresql.PostgresqlConnectionConfiguration.builder()
        .host("127.0.0.1").port(5433).database("shop").username("me").password("nobody").enableSsl().build());
    ${r2dbcQuery}`,
    artifacts: ['io.r2dbc:r2dbc-postgresql:0.8.0.RELEASE'],
  },
  'by Vert.x 4': { query: vertxQuery, artifacts: ['io.vertx:vertx-pg-client:4.1.8', 'com.ongres.scram:client:2.1'] },
  'by Vert.x 5': { query: vertxQuery, artifacts: ['io.vertx:vertx-pg-client:5.0.7', 'com.ongres.scram:scram-client:3.1'] },
};

describe('a service of the JVM whose address of PostgreSQL no variable carries', () => {
  it.each(Object.entries(ways))(
    'is led to a database of its own, and measured there: %s',
    { timeout: slow, ...longTest },
    async (_, { query, artifacts }) => {
      const folder = javaShop(query);
      const classes = artifacts === undefined ? libraries : mavenLibraries(...artifacts);
      const init = await benchside(folder, 'init', '-y', '--route', '/ads', '--', 'java', '-cp', classes, 'Shop.java');
      expect(init.code, init.said).toBe(0);
      expect(init.said).toContain('it names shop at 127.0.0.1:5433, and the probe leads it elsewhere');
      expect(declaredIn(folder)).toMatchObject({
        postgres: { env: {}, probe: true, sql: ['schema.sql'] },
        routes: [{ path: '/ads', weight: 1 }],
      });
      const run = await benchside(folder, 'run', ...brief);
      expect(run.code, run.said).toBe(0);
      expect(answersIn(folder)).toEqual([answered]);
    },
  );

  it('has its own tool led there as well, though that has an address in its code', { timeout: slow, ...longTest }, async () => {
    const folder = temporaryFolder('led');
    writeFiles(folder, {
      'benchside.json': JSON.stringify({
        targets: [
          {
            id: 'shop',
            runtime: 'jvm',
            command: ['java', '-cp', libraries, 'Shop.java'],
            port: { env: 'PORT' },
            routes: [{ path: '/ads' }],
            postgres: { env: { jdbcUrl: 'SHOP_DB' }, prepare: { command: ['sh', '-c', `java -cp ${libraries} Up.java`] } },
          },
        ],
      }),
      'Up.java': `
public class Up {
  public static void main(String[] arguments) throws Exception {
    try (var connection = java.sql.DriverManager.getConnection("jdbc:postgresql://127.0.0.1:5433/shop", "me", "nobody")) {
      connection.createStatement().execute("CREATE TABLE IF NOT EXISTS ad AS SELECT 7 AS id");
    }
  }
}`,
      'Shop.java': shopSource(`var data = new org.postgresql.ds.PGSimpleDataSource();
    data.setUrl(System.getenv("SHOP_DB"));
    ${jdbcQuery}`),
    });
    const run = await benchside(folder, 'run', ...brief);
    expect(run.code, run.said).toBe(0);
    expect(answersIn(folder)).toEqual([answered]);
  });
});

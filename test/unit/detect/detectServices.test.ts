import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { type ParseError, parse } from 'jsonc-parser';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { detectServices } from '../../../src/engine/detect/detectServices.ts';
import { type FoundService, declaredTarget, findingsOf, lacking } from '../../../src/model/domain/detection.ts';
import { workspaceFileSchema } from '../../../src/model/domain/target.ts';
import { workspaceText } from '../../../src/model/domain/workspaceText.ts';
import { writeFiles } from '../../support/writeFiles.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'benchside-discover-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

function write(files: Readonly<Record<string, string>>): void {
  writeFiles(dir, files);
}

function only(): FoundService {
  const { services } = detectServices(dir);
  expect(services).toHaveLength(1);
  return services[0] as FoundService;
}

function routesOf({ findings }: FoundService): string[] {
  return findingsOf(findings, 'route').map(({ route }) => `${route.method} ${route.path}`);
}

/** What the written file says, through the schema that reads it. */
function declared(service: FoundService) {
  const errors: ParseError[] = [];
  const value: unknown = parse(workspaceText([{ service, findings: service.findings }]), errors);
  expect(errors).toEqual([]);
  return workspaceFileSchema.parse(value).targets[0];
}

const express = {
  'package.json': JSON.stringify({
    name: '@acme/orders',
    scripts: { start: 'NODE_ENV=production node src/server.js' },
    dependencies: { express: '5.1.0', pg: '8.16.0' },
  }),
  'src/server.js': `
    const { Pool } = require('pg');
    const orders = require('./routes/orders');
    const pool = new Pool({ connectionString: process.env.DATABASE_URL, max: Number(process.env.PG_MAX ?? 12) });
    const app = express();
    // app.get('/old', gone);
    app.get('/healthz', (_, response) => response.send('ok'));
    app.use('/orders', authenticated, orders(pool));
    axios.get('/elsewhere');
    app.listen(process.env.PORT || 3000);`,
  'src/routes/orders.js': `
    router.get('/', list);
    router.get('/:id(\\\\d+)', one);
    router.post('/', insert);`,
  'test/orders.test.js': `app.get('/only-in-a-test', x);`,
  'db/002_seed.sql': 'insert into orders values (1);',
  'db/001_schema.sql': 'create table orders (id int);',
};

describe('what is found in a folder', () => {
  it('reads what a package starts from its bin folder, and keeps what its sources mention as a path', () => {
    write({
      'package.json': JSON.stringify({ name: 'plain', scripts: { start: 'node bin/serve.js' } }),
      'bin/serve.js': `
        // '/gone' was here
        const answers = new Map([['/a', 1], ["/b/c", 2], ['no path', 3], ['/with space', 4]]);
        require('node:http').createServer(answer).listen(process.env.GATE_PORT ?? 3000);`,
    });
    expect(only().mentions).toEqual(['/a', '/b/c']);
  });

  it('declares an Express service by its package.json, its routers and the variables that it reads', () => {
    write(express);
    const service = only();
    expect(service.because).toBe('package.json depends on express');
    expect(routesOf(service)).toEqual(['GET /orders', 'GET /orders/:id', 'POST /orders']);
    expect(declared(service)).toMatchObject({
      id: 'orders',
      runtime: 'node',
      command: ['node', 'src/server.js'],
      port: { env: 'PORT' },
      ready: { path: '/healthz' },
      settings: { pool: { default: 12, env: 'PG_MAX' } },
      postgres: { env: { url: 'DATABASE_URL' }, sql: ['db/001_schema.sql', 'db/002_seed.sql'] },
      requires: ['node_modules'],
    });
    expect(service.questions).toEqual([]);
  });

  it('sees what is taken out of the environment by its names, with what they are otherwise', () => {
    write({
      'package.json': JSON.stringify({ name: 'x', main: 'a.js', dependencies: { express: '5', pg: '8' } }),
      'a.js': `const { PORT: port = 3000,\n  DATABASE_URL, POOL_MAX = '12' } = process.env;\napp.get('/a', h);`,
    });
    const { findings } = only();
    expect(findingsOf(findings, 'port')[0]?.because).toBe('a.js:1 reads PORT');
    expect(findingsOf(findings, 'postgres')[0]).toMatchObject({ env: { url: 'DATABASE_URL' }, because: 'a.js:2 reads DATABASE_URL' });
    expect(findingsOf(findings, 'setting')[0]).toMatchObject({ spec: { env: 'POOL_MAX', default: 12 } });
  });

  it.each(['.env.example', '.env.local.sample', '.env_example', 'sample.env', 'env.dist', 'example.env'])(
    'reads what an example of .env says of a variable of any name: %s',
    (example) => {
      write({
        'package.json': JSON.stringify({ name: 'x', main: 'a.js', dependencies: { express: '5', pg: '8' } }),
        'a.js': `app.get('/a', h); connect(process.env.STORE, process.env.DB_POOL_SIZE ?? 7)`,
        [example]: `STORE="postgres://me:me@localhost/x"\nDB_POOL_SIZE=20\nMORE_THREADS=3\n`,
      });
      const { findings } = only();
      expect(findingsOf(findings, 'postgres')[0]).toMatchObject({ env: { url: 'STORE' }, because: 'a.js:1 reads STORE', sure: true });
      expect(findingsOf(findings, 'setting').map(({ spec }) => [spec.env, spec.default])).toEqual([
        ['DB_POOL_SIZE', 7],
        ['MORE_THREADS', 3],
      ]);
    },
  );

  it.each([
    ['json', '{"web":{"port":"API_PORT"},"db":{"host":"DB_HOST","port":"DB_PORT","name":"DB_NAME","max":"POOL_SIZE"}}'],
    ['yml', "web:\n  port: API_PORT\ndb:\n  host: 'DB_HOST'\n  port: DB_PORT\n  name: DB_NAME\n  max: POOL_SIZE\n"],
  ])(
    'takes port and address from a file that maps variables to a configuration, and leaves the size of its pool to a trial: %s',
    (end, text) => {
      const manifest = JSON.stringify({ name: 'x', main: 'a.js', dependencies: { express: '5', pg: '8', config: '3' } });
      const mapping = `config/custom-environment-variables.${end}`;
      write({ 'package.json': manifest, 'a.js': `app.get('/a', h); connect(config.get('db'))`, [mapping]: text });
      const { findings } = only();
      expect(findingsOf(findings, 'port')).toMatchObject([{ port: { env: 'API_PORT' }, sure: false }]);
      expect(findingsOf(findings, 'postgres')).toMatchObject([
        {
          env: { host: 'DB_HOST', port: 'DB_PORT', database: 'DB_NAME' },
          sure: false,
          because: expect.stringContaining(mapping) as string,
        },
      ]);
      expect(findingsOf(findings, 'setting')).toEqual([]);
    },
  );

  it('takes the address from a mapping of the names that drivers read', () => {
    const manifest = JSON.stringify({ name: 'x', main: 'a.js', dependencies: { express: '5', pg: '8' } });
    const mapping = 'db:\n  host: PGHOST\n  database: PGDATABASE\n';
    write({ 'package.json': manifest, 'a.js': `app.get('/a', h)`, 'config/custom-environment-variables.yaml': mapping });
    expect(findingsOf(only().findings, 'postgres')).toMatchObject([{ env: { host: 'PGHOST', database: 'PGDATABASE' } }]);
  });

  it('takes no name of a file of data for a variable where it is a key, or a part of a text', () => {
    const manifest = JSON.stringify({ name: 'x', main: 'a.js', dependencies: { express: '5', pg: '8' } });
    const compose = 'services:\n  db:\n    environment:\n      DB_HOST: here\n      DB_NAME: $DB_NAME and more\n';
    write({ 'package.json': manifest, 'a.js': `app.get('/a', h)`, 'settings.yaml': compose, 'b.json': '{"DB_HOST":"DB_HOST is unset"}' });
    expect(findingsOf(only().findings, 'postgres')).toEqual([]);
  });

  it('takes the parts of an address that the sources read before a whole one that only an example names', () => {
    const manifest = JSON.stringify({ name: 'x', main: 'a.js', dependencies: { express: '5', pg: '8' } });
    const example = { '.env.example': 'DATABASE_URL=postgres://me:me@localhost/x\n' };
    write({ 'package.json': manifest, 'a.js': `app.get('/a', h); pool(process.env.DB_HOST, process.env.DB_NAME)`, ...example });
    expect(findingsOf(only().findings, 'postgres')[0]?.env).toEqual({ host: 'DB_HOST', database: 'DB_NAME' });
    write({ 'a.js': `app.get('/a', h); pool(config('DB_HOST'), config('DB_NAME'))` });
    expect(findingsOf(only().findings, 'postgres')[0]?.env).toEqual({ url: 'DATABASE_URL' });
  });

  it.each(['BACKEND_PORT', 'API_PORT', 'SERVER_PORT'])('takes a port of its own from %s, and none of another server', (name) => {
    const manifest = JSON.stringify({ name: 'x', main: 'a.js', dependencies: { express: '5' } });
    write({ 'package.json': manifest, 'a.js': `mail(process.env.SMTP_PORT); app.get('/a', h).listen(process.env.${name} || 9000)` });
    expect(findingsOf(only().findings, 'port')[0]?.port).toEqual({ env: name });
  });

  it('has no address in whom it signs in as, and takes one from an example then', () => {
    const manifest = JSON.stringify({ name: 'x', main: 'a.js', dependencies: { express: '5', pg: '8' } });
    write({ 'package.json': manifest, 'a.js': `app.get('/a', h); pool(process.env.DB_USER, process.env.DB_PASSWORD)` });
    expect(findingsOf(only().findings, 'postgres')).toEqual([]);
    write({ '.env.example': 'STORE=postgres://me:me@localhost/x\n' });
    expect(findingsOf(only().findings, 'postgres')[0]?.env).toEqual({ url: 'STORE' });
  });

  it.each(['init.sql', 'database.sql', 'db.sql', 'dump.sql', 'ddl.sql', 'structure.sql', 'setup.sql', 'tables.sql'])(
    'applies what makes its tables where it lies at the top: %s',
    (file) => {
      const manifest = JSON.stringify({ name: 'x', main: 'a.js', dependencies: { express: '5', pg: '8' } });
      write({ 'package.json': manifest, 'a.js': `app.get('/a', h)`, [file]: 'create table a (id int);', 'report.sql': 'select 1;' });
      expect(findingsOf(only().findings, 'sql')[0]?.files).toEqual([file]);
    },
  );

  it('applies what makes its tables where it lies beside the service, and what is another’s not', () => {
    const manifest = JSON.stringify({ name: 'x', main: 'a.js', dependencies: { express: '5', pg: '8' } });
    const sql = 'create table a (id int);';
    write({ 'apps/api/package.json': manifest, 'apps/api/a.js': `app.get('/a', h)`, 'db/init.sql': sql, 'apps/db/b.sql': sql });
    write({ 'apps/other/package.json': '{}', 'apps/other/db/schema.sql': sql });
    expect(findingsOf(only().findings, 'sql')[0]?.files).toEqual(['apps/db/b.sql']);
    rmSync(path.join(dir, 'apps/db'), { recursive: true });
    expect(findingsOf(only().findings, 'sql')[0]?.files).toEqual(['db/init.sql']);
    write({ 'apps/api/schema.sql': sql });
    expect(findingsOf(only().findings, 'sql')[0]?.files).toEqual(['apps/api/schema.sql']);
  });

  it('reads what Hono’s apps are mounted at', () => {
    write({
      'package.json': JSON.stringify({ name: 'x', type: 'module', main: 'src/index.js', dependencies: { hono: '4' } }),
      'src/index.js': `import { users } from './users.js';\nconst app = new Hono().basePath('/');\napp.get('/up', h);\napp.route('/api/users', users);\nserve(app);`,
      'src/users.js': `export const users = new Hono();\nusers.get('/', all);\nusers.get('/:id', one);`,
    });
    expect(routesOf(only())).toEqual(['GET /up', 'GET /api/users', 'GET /api/users/:id']);
  });

  it('says of each thing where it stands, and marks what is only likely', () => {
    write(express);
    const { findings } = only();
    const pool = findingsOf(findings, 'setting')[0];
    expect(pool).toMatchObject({ sure: true, because: 'src/server.js:4 reads PG_MAX' });
    expect(findingsOf(findings, 'route').map(({ because, sure }) => [because, sure])).toEqual([
      ['src/routes/orders.js:2', true],
      ['src/routes/orders.js:3', false],
      ['src/routes/orders.js:4', true],
    ]);
    expect(findingsOf(findings, 'sql')[0]?.sure).toBe(false);
  });

  it('asks for what no file says instead of guessing it', () => {
    write({
      'package.json': JSON.stringify({
        name: 'quiet',
        scripts: { serve: 'run-everything && node x.js' },
        dependencies: { fastify: '5', pg: '8' },
      }),
      'x.js': `fastify.get('/a', handler);`,
    });
    const service = only();
    expect(lacking(service.findings)).toBe('How it is started is not known.');
    expect(declaredTarget(service, service.findings)).toBeNull();
    expect(service.questions.map(({ text }) => text.split('?')[0])).toEqual([
      'How is it started',
      'How does it learn its port',
      'Which variable holds the address of its database',
      'Which variable sets the size of its pool',
      'What makes its tables',
    ]);
  });

  it.each([
    ['a hook runs before it', { prestart: 'node migrate.js', start: 'node a.js' }, '', 'npm run start'],
    ['it is a list of commands', { start: 'tsc && node a.js', dev: 'tsx watch a.ts', worker: 'node w.js' }, '', 'npm run start'],
    ['another file calls it', { start: 'tsc && node a.js', dev: 'tsx watch a.ts' }, 'web: npm start', 'npm run start'],
    ['two are meant, of which one is plain', { start: 'tsc && node a.js', 'start:prod': 'node a.js' }, '', 'node a.js'],
    ['two are meant, of which none is plain', { start: 'tsc && node a.js', 'start:prod': 'cd x && node a.js' }, '', undefined],
  ])('starts a service by the one script that is meant, else by a plain call of Node: %s', (_, scripts, procfile, command) => {
    write({
      'package.json': JSON.stringify({ name: 'x', scripts, dependencies: { express: '5' } }),
      Procfile: procfile,
      'a.js': `app.get('/a', h);`,
    });
    expect(findingsOf(only().findings, 'command')[0]?.title).toBe(command);
  });

  it('knows routes of Fastify’s plug-ins, Koa’s routers with a prefix, Nest’s and LoopBack’s controllers', () => {
    write({
      'package.json': JSON.stringify({ name: 'many', main: 'app.js', dependencies: { fastify: '5' } }),
      'app.js': `const items = require('./items');\nfastify.register(items, { prefix: '/v1' });\nfastify.route({ method: 'GET', url: '/plain' });`,
      'items.js': `fastify.get('/items/:id', h);`,
      'koa.js': `const router = new Router({ prefix: '/koa' });\nrouter.get('/:name', h);`,
      'main.ts': `app.setGlobalPrefix('api');`,
      'cats.controller.ts': `@Controller('cats')\nexport class Cats {\n  @Get(':id') one() {}\n  @Get() all() {}\n  @Delete(':id') drop() {}\n}`,
    });
    write({ 'dogs.controller.ts': `class Dogs {\n  @get('/dogs/{id}', {}) one() {}\n  @del("/dogs/{id}")\n  drop() {}\n}` });
    expect(routesOf(only()).sort()).toEqual([
      'DELETE /api/cats/:id',
      'DELETE /dogs/:id',
      'GET /api/cats',
      'GET /api/cats/:id',
      'GET /dogs/:id',
      'GET /koa/:name',
      'GET /plain',
      'GET /v1/items/:id',
    ]);
  });

  it('knows what routers are mounted at through those that mount them, and where another file has their handlers', () => {
    const users = `const users = require('../controllers/users');\nrouter.get('/', users.list);\nrouter.get('/:id', guarded(users.one));`;
    const notes = `import { list, one as single } from '../controllers/notes.js';\nrouter\n  .route('/')\n  .get(list)\n  .post((request, response) => add(request));\nrouter.route('/:id').get(single);`;
    write({
      'package.json': JSON.stringify({ name: 'crm', main: 'server.js', dependencies: { express: '5' } }),
      'server.js': `const api = require('./routes');\napp.use('/api', api);\napp.listen(process.env.PORT);`,
      'routes/index.js': `router.use('/users', require('./users'));\nrouter.use('/notes', auth, require('./notes'));`,
      'routes/users.js': users,
      'routes/notes.js': notes,
      'controllers/users.js': `exports.list = async () => {};\n\nexports.one = async () => {};`,
      'controllers/notes.js': `export async function list() {}\n\nexport const one = () => {};`,
    });
    const found = findingsOf(only().findings, 'route').map(({ title, because, handler }) => [title, because, handler]);
    expect(found).toEqual([
      ['GET /api/notes', 'routes/notes.js:4', { file: 'controllers/notes.js', line: 1 }],
      ['GET /api/notes/:id', 'routes/notes.js:6', { file: 'controllers/notes.js', line: 3 }],
      ['GET /api/users', 'routes/users.js:2', { file: 'controllers/users.js', line: 1 }],
      ['GET /api/users/:id', 'routes/users.js:3', { file: 'controllers/users.js', line: 3 }],
      ['POST /api/notes', 'routes/notes.js:5', undefined],
    ]);
  });

  it('knows what routers are mounted at in the file that makes them, and the routers of other files below these', () => {
    write({
      'package.json': JSON.stringify({ name: 'crm', main: 'server.js', dependencies: { express: '5' } }),
      'server.js': `const api = express.Router();\nconst v1 = express.Router();\napi.get('/bookings', list);\nv1.route('/rooms').get(list);\napp.get('/plain', list);\nv1.use('/users', require('./users'));\napi.use('/v1', v1);\napp.use('/api', api);\napp.listen(process.env.PORT);`,
      'users.js': `router.get('/:id', one);`,
    });
    expect(routesOf(only()).sort()).toEqual(['GET /api/bookings', 'GET /api/v1/rooms', 'GET /api/v1/users/:id', 'GET /plain']);
  });

  it('keeps the same route of two routers whose mount paths no file says, and declares it once', () => {
    const router = `const router = Router();\nrouter.get('/', list);\nrouter.get('/:id', one);`;
    write({
      'package.json': JSON.stringify({ name: 'two', scripts: { start: 'node server.js' }, dependencies: { express: '5' } }),
      'server.js': `app.use(v + '/users', users);\napp.use(v + '/notes', notes);`,
      'users.js': router,
      'notes.js': router,
    });
    const service = only();
    expect(findingsOf(service.findings, 'route').map(({ because }) => because)).toEqual([
      'notes.js:2',
      'notes.js:3',
      'users.js:2',
      'users.js:3',
    ]);
    expect(declaredTarget(service, service.findings)?.routes.map(({ path: at }) => at)).toEqual(['/', '/:id']);
  });

  it('keeps the same route of two files that are loaded by their folder, and of files that are named only the first', () => {
    const plugin = `module.exports = async (fastify) => {\n  fastify.get('/', h);\n};`;
    write({
      'package.json': JSON.stringify({ name: 'loads', scripts: { start: 'fastify start app.js' }, dependencies: { fastify: '5' } }),
      'app.js': `fastify.register(AutoLoad, { dir: path.join(__dirname, 'routes') });\nrequire('./named/a')(app);\nrequire('./named/b')(app);`,
      'routes/root.js': plugin,
      'routes/items/index.js': plugin,
      'named/a.js': `module.exports = (app) => app.get('/one', h);`,
      'named/b.js': `module.exports = (app) => app.get('/one', h);`,
    });
    expect(findingsOf(only().findings, 'route').map(({ title, because }) => [title, because])).toEqual([
      ['GET /one', 'named/a.js:1'],
      ['GET /', 'routes/items/index.js:2'],
      ['GET /', 'routes/root.js:2'],
    ]);
  });

  it('ends where routers mount each other', () => {
    write({
      'package.json': JSON.stringify({ name: 'round', main: 'a.js', dependencies: { express: '5' } }),
      'a.js': `const b = require('./b');\nrouter.use('/a', b);\nrouter.get('/one', h);`,
      'b.js': `const a = require('./a');\nrouter.use('/b', a);\nrouter.get('/two', h);`,
    });
    expect(routesOf(only())).toHaveLength(2);
  });

  it('declares a Spring Boot service by its pom, its controllers and what Spring reads from the environment', () => {
    write({
      'pom.xml': `<project><parent><groupId>org.springframework.boot</groupId><artifactId>spring-boot-starter-parent</artifactId><version>3.4.1</version></parent>
        <artifactId>shop</artifactId><version>1.2.0</version>
        <dependencies><dependency><artifactId>spring-boot-starter-web</artifactId></dependency>
        <dependency><artifactId>spring-boot-starter-data-jpa</artifactId></dependency><dependency><artifactId>spring-boot-starter-actuator</artifactId></dependency>
        <dependency><artifactId>postgresql</artifactId></dependency></dependencies></project>`,
      'src/main/resources/application.yml':
        'spring:\n  datasource:\n    url: ${DB:jdbc:postgresql://localhost/shop}\n    hikari:\n      maximum-pool-size: ${POOL:14}\n',
      'src/main/java/shop/ItemController.java': `@RestController @RequestMapping("/items") class ItemController {
          @GetMapping(value = "/{id:[0-9]+}", produces = "application/json") Item one() {}
          @GetMapping List<Item> all() {}
          @PostMapping Item add() {} }`,
    });
    const service = only();
    expect(routesOf(service)).toEqual(['GET /items/:id', 'GET /items', 'POST /items']);
    expect(declared(service)).toMatchObject({
      runtime: 'jvm',
      command: ['java', '{arguments}', '-jar', 'target/shop-1.2.0.jar'],
      port: { env: 'SERVER_PORT' },
      ready: { path: '/actuator/health' },
      settings: { pool: { default: 14, env: 'SPRING_DATASOURCE_HIKARI_MAXIMUM_POOL_SIZE' }, threads: { default: 200 } },
      postgres: { env: { jdbcUrl: 'SPRING_DATASOURCE_URL' } },
      requires: ['target/shop-1.2.0.jar'],
      requiresCure: 'Run “mvn -DskipTests package” in this folder.',
    });
  });

  it('knows of a database by the modules of its project that a module depends on, and by its configuration', () => {
    const pom = (artifact: string, ...dependencies: string[]): string =>
      `<project><parent><groupId>org.springframework.boot</groupId><artifactId>parent</artifactId><version>1</version></parent>
      <artifactId>${artifact}</artifactId><version>1</version><dependencies>${dependencies.map((one) => `<dependency><artifactId>${one}</artifactId></dependency>`).join('')}</dependencies></project>`;
    const controller = '@RestController class Items { @GetMapping("/items") List<Item> all() {} }';
    write({
      'pom.xml': '<project><artifactId>parent</artifactId><packaging>pom</packaging></project>',
      'tables/pom.xml': pom('tables', 'spring-boot-starter-jdbc', 'postgresql'),
      'core/pom.xml': pom('core', 'tables', 'api'),
      'api/pom.xml': pom('api', 'core', 'spring-boot-starter-web'),
      'api/src/main/java/Items.java': controller,
      'plain/pom.xml': pom('plain', 'spring-boot-starter-web'),
      'plain/src/main/java/Items.java': controller,
      'configured/pom.xml': pom('configured', 'spring-boot-starter-web', 'postgresql'),
      'configured/src/main/java/Items.java': controller,
      'configured/src/main/resources/application.yml': 'spring:\n  datasource:\n    url: jdbc:postgresql://localhost/shop\n',
      'gradle/build.gradle': `plugins { id 'org.springframework.boot' }\ndependencies { implementation project(':tables')\n implementation 'spring-boot-starter-web' }`,
      'gradle/src/main/java/Items.java': controller,
    });
    const addresses = detectServices(dir).services.map(({ folder, findings }) => [folder, findingsOf(findings, 'postgres').length]);
    expect(Object.fromEntries(addresses)).toEqual({ api: 1, plain: 0, configured: 1, gradle: 1 });
  });

  it('starts Quarkus by the jar that names the others, and knows the starter of Spring Boot 4', () => {
    const source = 'import jakarta.ws.rs.*;\n@Path("/items")\npublic class Items {\n  @GET\n  public String all() { return ""; }\n}\n';
    const pom = (dependency: string, plugin: string): string =>
      `<project><artifactId>shop</artifactId><version>1-SNAPSHOT</version><dependencies><dependency><artifactId>${dependency}</artifactId></dependency></dependencies>` +
      `<build><plugins><plugin><artifactId>${plugin}</artifactId></plugin></plugins></build></project>`;
    write({
      'quarkus/pom.xml': pom('quarkus-rest', 'quarkus-maven-plugin'),
      'quarkus/src/main/java/Items.java': source,
      'gradle/build.gradle': "plugins { id 'io.quarkus' }\ndependencies { implementation 'io.quarkus:quarkus-rest' }\n",
      'gradle/src/main/java/Items.java': source,
      'spring/pom.xml': pom('spring-boot-starter-webmvc', 'spring-boot-maven-plugin'),
      'spring/src/main/java/Items.java': source,
    });
    const commands = detectServices(dir).services.map(({ folder, findings }) => [
      folder,
      findingsOf(findings, 'command')[0]?.command.at(-1),
    ]);
    expect(commands).toEqual([
      ['gradle', 'build/quarkus-app/quarkus-run.jar'],
      ['quarkus', 'target/quarkus-app/quarkus-run.jar'],
      ['spring', 'target/shop-1-SNAPSHOT.jar'],
    ]);
  });

  it.each([
    ['npm install', []],
    ['npm ci', ['package-lock.json']],
    ['npm ci', ['../package-lock.json']],
    ['pnpm install --frozen-lockfile', ['pnpm-lock.yaml']],
  ])('advises “%s” where there is the lockfile %j', (advised, lockfiles) => {
    write({
      'api/package.json': JSON.stringify({ name: 'api', main: 'api.js', dependencies: { express: '5.1.0' } }),
      'api/api.js': "app.get('/items', all);\napp.listen(process.env.PORT);\n",
      ...Object.fromEntries(lockfiles.map((file) => [path.join('api', file), '{}'])),
    });
    expect(findingsOf(only().findings, 'command')[0]?.requiresCure).toBe(`Run “${advised}” in api.`);
  });

  it('knows the jar of a Gradle build, JAX-RS resources, and what an OpenAPI file declares', () => {
    write({
      'settings.gradle.kts': 'rootProject.name = "stock"',
      'build.gradle.kts':
        'version = "2.0"\ndependencies { implementation("org.glassfish.jersey.containers:jersey-container-jetty-http:3.1") }',
      'openapi.yaml': 'openapi: 3.1.0\nservers:\n  - url: https://example.org/api\npaths:\n  /things/{id}:\n    get: {}\n    trace: {}\n',
      'contract/pets.yml': '# Ours.\nopenapi: 3.0.0\npaths:\n  /pets:\n    get: {}\n',
      'package-lock.json': JSON.stringify({ packages: 'x'.repeat(600 * 1024) }),
      'contract/other.yml': 'openapis: 3.0.0\npaths:\n  /none:\n    get: {}\n',
      'src/main/java/Stock.java': `import jakarta.ws.rs.*;\n@Path("/stock") public class Stock {\n  @GET @Path("{item}") public String one() { return ""; }\n  @GET public String all() { return System.getenv("HTTP_PORT"); }\n}`,
    });
    const service = only();
    expect(routesOf(service).sort()).toEqual(['GET /api/things/:id', 'GET /pets', 'GET /stock', 'GET /stock/:item']);
    // A lockfile is too large to be read, and no description: that is no news.
    expect(detectServices(dir).notes).toEqual([]);
    expect(declared(service)).toMatchObject({
      command: ['java', '{arguments}', '-jar', 'build/libs/stock-2.0.jar'],
      port: { env: 'HTTP_PORT' },
    });
  });

  it('tells the services of a monorepo apart, and finds none where nothing listens', () => {
    write({
      'package.json': JSON.stringify({ name: 'root', private: true }),
      'services/a/package.json': JSON.stringify({ name: 'api', main: 'a.js', dependencies: { express: '5' } }),
      'services/a/a.js': `app.get('/a', h)`,
      'services/b/package.json': JSON.stringify({ name: 'api', main: 'b.js', dependencies: { express: '5' } }),
      'services/b/b.js': `app.get('/b', h)`,
      'library/package.json': JSON.stringify({ name: 'library', main: 'index.js' }),
      'library/index.js': 'module.exports = 1;',
      'node_modules/express/package.json': JSON.stringify({ name: 'express', main: 'x.js', dependencies: { express: '5' } }),
    });
    expect(detectServices(dir).services.map(({ id, folder }) => [id, folder])).toEqual([
      ['api', 'services/a'],
      ['api-2', 'services/b'],
    ]);
  });

  it('gives each package of a workspace its own sources alone', () => {
    write({
      'package.json': JSON.stringify({ name: 'root', workspaces: ['apps/*'], scripts: { start: 'npm start --workspace=api' } }),
      'apps/api/package.json': JSON.stringify({ name: 'api', scripts: { start: 'node src/a.js' } }),
      'apps/api/src/package.json': JSON.stringify({ type: 'module' }),
      'apps/api/src/a.js': `createServer(answer).listen(process.env.PORT);\napp.get('/a', h);`,
    });
    expect(detectServices(dir).services.map(({ folder, because }) => [folder, because])).toEqual([
      ['apps/api', 'apps/api/src/a.js listens'],
    ]);
  });

  it('takes no value of a .env file, and follows no link out of the folder', () => {
    const secret = path.join(dir, '..', `${path.basename(dir)}-outside.js`);
    writeFileSync(secret, `app.get('/outside', h)`);
    write({
      'package.json': JSON.stringify({ name: 'careful', main: 'a.js', dependencies: { express: '5', pg: '8' } }),
      'a.js': `app.get('/a', h); connect(process.env.DATABASE_URL)`,
      '.env': 'DATABASE_URL=postgres://me:hunter2@db/x\nDB_POOL_SIZE=33\n',
    });
    symlinkSync(secret, path.join(dir, 'linked.js'));
    try {
      const service = only();
      expect(JSON.stringify(service)).not.toMatch(/hunter2|33|outside/);
      expect(declared(service)).toMatchObject({ postgres: { env: { url: 'DATABASE_URL' } }, settings: { pool: { env: 'DB_POOL_SIZE' } } });
    } finally {
      rmSync(secret);
    }
  });

  it('writes a file that can be read, whatever names and sources say', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string(), fc.string(), (name, route, rest) => {
        write({
          'package.json': JSON.stringify({ name, main: 'a.js', dependencies: { express: '5', pg: '8' } }),
          'a.js': `app.get('/a', h); app.get('/${route}', h); ${rest}`,
        });
        const { services } = detectServices(dir);
        for (const service of services) expect(declared(service)?.routes.length).toBeGreaterThan(0);
        expect(services.length).toBeLessThanOrEqual(1);
      }),
      { numRuns: 30 },
    );
  });

  it('reads half a megabyte of brackets and quotes in the time of a glance', () => {
    for (const piece of ['(', 'app.get(', '.use("/', '\'`"', '@GetMapping(', '{ pool: ', '/*', 'x.route("/a")'])
      write({ [`f${Math.random()}.js`]: piece.repeat(Math.floor(200_000 / piece.length)) });
    const scripts = { up: 'migrat '.repeat(50_000) };
    write({ 'package.json': JSON.stringify({ name: 'heavy', main: 'a.js', scripts, dependencies: { express: '5', pg: '8' } }) });
    write({ 'node_modules/pg/package.json': '{"name":"pg"}', 'a.js': `app.get('/a', process.env.DATABASE_URL)` });
    const before = process.cpuUsage();
    detectServices(dir);
    const { user } = process.cpuUsage(before);
    expect(user / 1e6).toBeLessThan(5);
  });
});

import type { FieldService } from '../fieldService.ts';
import { jsonText, nodePackage, nodeWithPostgres, npmInstall } from './nodePackage.ts';

/** Services that read their settings from files, by a library or by a command line. */
export const nodeConfiguredServices: readonly FieldService[] = [
  {
    ...nodeWithPostgres,
    name: 'fastify-cli',
    build: npmInstall,
    files: {
      'package.json': nodePackage(
        'fastify-catalog',
        {
          fastify: '5.12.8',
          'fastify-cli': '7.4.1',
          'fastify-plugin': '5.1.0',
          '@fastify/autoload': '6.5.0',
          '@fastify/postgres': '6.1.0',
          '@fastify/sensible': '6.0.6',
          pg: '8.23.1',
        },
        { main: 'app.js', scripts: { start: 'fastify start -l info app.js', dev: 'fastify start -w -l info -P app.js' } },
      ),
      'app.js': `'use strict'

const path = require('node:path')
const AutoLoad = require('@fastify/autoload')

module.exports.options = {}

module.exports = async function (fastify, opts) {
  fastify.register(AutoLoad, { dir: path.join(__dirname, 'plugins'), options: Object.assign({}, opts) })
  fastify.register(AutoLoad, { dir: path.join(__dirname, 'routes'), options: Object.assign({}, opts) })
}
`,
      'plugins/sensible.js': `'use strict'

const fp = require('fastify-plugin')

module.exports = fp(async function (fastify, opts) {
  fastify.register(require('@fastify/sensible'), { errorHandler: false })
})
`,
      'plugins/postgres.js': `'use strict'

const fp = require('fastify-plugin')

module.exports = fp(async function (fastify, opts) {
  await fastify.register(require('@fastify/postgres'), { connectionString: process.env.DATABASE_URL })
  await fastify.pg.query('create table if not exists products (sku text primary key, name text not null)')
  await fastify.pg.query("insert into products select 'sku-' || n, 'Product ' || n from generate_series(1, 50) n on conflict do nothing")
})
`,
      'routes/root.js': `'use strict'

module.exports = async function (fastify, opts) {
  fastify.get('/', async function (request, reply) {
    return { root: true }
  })
}
`,
      'routes/products/index.js': `'use strict'

module.exports = async function (fastify, opts) {
  fastify.get('/', async function (request, reply) {
    const client = await fastify.pg.connect()
    try {
      const { rows } = await client.query('select sku, name from products order by sku limit 20')
      return rows
    } finally {
      client.release()
    }
  })

  fastify.get('/:sku', async function (request, reply) {
    const { rows } = await fastify.pg.query('select sku, name from products where sku = $1', [request.params.sku])
    return rows[0] ?? reply.notFound()
  })
}
`,
    },
    command: ['npm', 'start'],
    routes: ['/', '/products', '/products/sku-7'],
  },
  {
    ...nodeWithPostgres,
    name: 'bookshelf-config-folder',
    build: npmInstall,
    files: {
      'package.json': nodePackage(
        'inventory',
        { express: '5.3.0', config: '3.3.12', bookshelf: '1.2.0', knex: '0.21.21', pg: '8.23.1' },
        { main: 'src/index.js', scripts: { start: 'node src/index.js' } },
      ),
      'config/default.json': jsonText({
        server: { host: '0.0.0.0', port: 3000 },
        db: {
          host: 'localhost',
          port: 5432,
          user: 'inventory',
          password: 'inventory',
          database: 'inventory',
          pool: { min: 0, max: 8 },
        },
      }),
      'config/custom-environment-variables.json': jsonText({
        server: { port: { __name: 'PORT', __format: 'number' } },
        db: {
          host: 'DB_HOST',
          port: { __name: 'DB_PORT', __format: 'number' },
          user: 'DB_USER',
          password: 'DB_PASSWORD',
          database: 'DB_NAME',
          pool: { max: { __name: 'DB_POOL_MAX', __format: 'number' } },
        },
      }),
      'config/production.json': jsonText({ db: { pool: { max: 20 } } }),
      'src/bookshelf.js': `
const config = require('config');
const { pool, ...connection } = config.util.toObject(config.get('db'));
const knex = require('knex')({ client: 'pg', connection, pool });
module.exports = require('bookshelf')(knex);
`,
      'src/models/item.js': `
const bookshelf = require('../bookshelf');
module.exports = bookshelf.model('Item', { tableName: 'items' });
`,
      'src/routes/items.js': `
const { Router } = require('express');
const Item = require('../models/item');
const router = Router();
router.get('/', async (req, res) => res.json(await new Item().orderBy('id').fetchPage({ pageSize: 10, page: Number(req.query.page ?? 1) })));
router.get('/:id', async (req, res) => {
  const item = await new Item({ id: req.params.id }).fetch({ require: false });
  item ? res.json(item) : res.status(404).json({ error: 'no such item' });
});
module.exports = router;
`,
      'src/index.js': `
const config = require('config');
const express = require('express');
const bookshelf = require('./bookshelf');
const app = express();
app.use('/items', require('./routes/items'));
(async () => {
  const { schema } = bookshelf.knex;
  if (!(await schema.hasTable('items'))) {
    await schema.createTable('items', (table) => { table.increments(); table.string('label'); });
    await bookshelf.knex('items').insert(Array.from({ length: 60 }, (_, n) => ({ label: 'Item ' + n })));
  }
  app.listen(config.get('server.port'), config.get('server.host'));
})();
`,
    },
    command: ['npm', 'start'],
    env: { DB_HOST: '{host}', DB_PORT: '{port}', DB_USER: '{user}', DB_PASSWORD: '{password}', DB_NAME: '{name}' },
    pool: { setBy: 'DB_POOL_MAX' },
    routes: ['/items', '/items/5'],
  },
  {
    ...nodeWithPostgres,
    name: 'convict-lazy-pools',
    build: npmInstall,
    files: {
      'package.json': nodePackage(
        'back-office',
        { express: '5.3.0', pg: '8.23.1', convict: '6.2.5', pino: '9.14.0', 'pino-http': '10.5.0' },
        { scripts: { start: 'node server.js' } },
      ),
      'config/index.js': `
const path = require('node:path');
const convict = require('convict');
const config = convict({
  env: { doc: 'The application environment.', format: ['production', 'development', 'test'], default: 'development', env: 'NODE_ENV' },
  ip: { doc: 'The IP address to bind.', format: String, default: '127.0.0.1', env: 'IP_ADDRESS' },
  port: { doc: 'The port to bind.', format: 'port', default: 8080, env: 'PORT', arg: 'port' },
  db: {
    host: { doc: 'Database host name/IP', format: '*', default: 'localhost', env: 'DB_HOST' },
    port: { doc: 'Database port', format: 'port', default: 5432, env: 'DB_PORT' },
    name: { doc: 'Database name', format: String, default: 'office', env: 'DB_NAME' },
    user: { doc: 'Database user', format: String, default: 'office', env: 'DB_USER' },
    password: { doc: 'Database password', format: String, default: '', sensitive: true, env: 'DB_PASSWORD' },
    connections: { doc: 'Most connections of each module', format: 'nat', default: 5, env: 'DB_CONNECTIONS' },
  },
});
config.loadFile(path.join(__dirname, config.get('env') + '.json'));
config.validate({ allowed: 'strict' });
module.exports = config;
`,
      'config/development.json': jsonText({ ip: '127.0.0.1', db: { name: 'office_dev' } }),
      'config/production.json': jsonText({ ip: '0.0.0.0' }),
      'lib/createPool.js': `
const { Pool } = require('pg');
const config = require('../config');
module.exports = (name) => {
  let pool;
  return () => {
    if (!pool) {
      const { host, port, name: database, user, password, connections } = config.get('db');
      pool = new Pool({ application_name: name, host, port, database, user, password, max: connections });
      pool.on('error', (error) => console.error(error));
    }
    return pool;
  };
};
`,
      'modules/users/index.js': `
const { Router } = require('express');
const getPool = require('../../lib/createPool')('users');
const router = Router();
router.get('/', async (req, res) => res.json((await getPool().query('select usename from pg_user')).rows));
router.get('/:id', async (req, res) => {
  const { rows } = await getPool().query('select $1::int as id, md5($1::text) as token', [req.params.id]);
  res.json(rows[0]);
});
module.exports = router;
`,
      'modules/reports/index.js': `
const { Router } = require('express');
const getPool = require('../../lib/createPool')('reports');
const router = Router();
router.get('/daily', async (req, res) => {
  const hours = "generate_series(now() - '7 days'::interval, now(), '1 hour')";
  res.json((await getPool().query('select d::date as day, count(*) from ' + hours + ' d group by 1')).rows);
});
module.exports = router;
`,
      'server.js': `
const express = require('express');
const pino = require('pino-http');
const config = require('./config');
const app = express();
app.use(pino());
app.get('/status', (req, res) => res.json({ up: process.uptime() }));
app.use('/users', require('./modules/users'));
app.use('/reports', require('./modules/reports'));
app.listen(config.get('port'), config.get('ip'));
`,
    },
    command: ['npm', 'start'],
    env: { DB_HOST: '{host}', DB_PORT: '{port}', DB_USER: '{user}', DB_PASSWORD: '{password}', DB_NAME: '{name}' },
    pool: { setBy: 'DB_CONNECTIONS' },
    routes: ['/status', '/users', '/users/4', '/reports/daily'],
  },
];

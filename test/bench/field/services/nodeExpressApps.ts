import type { FieldService } from '../fieldService.ts';
import { nodePackage, nodeWithPostgres, npmInstall } from './nodePackage.ts';

/** Express apps that answer GraphQL or ask for a login. */
export const nodeExpressAppServices: readonly FieldService[] = [
  {
    ...nodeWithPostgres,
    name: 'apollo-express-dataloader',
    build: npmInstall,
    files: {
      'package.json': nodePackage(
        'library-graph',
        {
          '@apollo/server': '5.5.1',
          '@as-integrations/express5': '1.1.2',
          cors: '2.8.6',
          dataloader: '2.2.3',
          envalid: '8.2.0',
          express: '5.3.0',
          graphql: '16.15.0',
          pg: '8.23.1',
        },
        { type: 'module', scripts: { start: 'node src/index.js' } },
      ),
      'src/env.js': `
import { cleanEnv, host, num, port, str } from 'envalid';
export const env = cleanEnv(process.env, {
  PORT: port({ default: 4000 }),
  POSTGRES_HOST: host(),
  POSTGRES_PORT: port({ default: 5432 }),
  POSTGRES_USER: str(),
  POSTGRES_PASSWORD: str(),
  POSTGRES_DB: str(),
  POSTGRES_POOL_SIZE: num({ default: 10 }),
});
`,
      'src/db.js': `
import pg from 'pg';
import { env } from './env.js';
export const pool = new pg.Pool({
  host: env.POSTGRES_HOST,
  port: env.POSTGRES_PORT,
  user: env.POSTGRES_USER,
  password: env.POSTGRES_PASSWORD,
  database: env.POSTGRES_DB,
  max: env.POSTGRES_POOL_SIZE,
});
export async function migrate() {
  await pool.query(\`
    create table if not exists authors (id int primary key, name text not null);
    create table if not exists books (id int primary key, title text not null, author_id int not null references authors);
    insert into authors select n, 'Author ' || n from generate_series(1, 20) n on conflict do nothing;
    insert into books select n, 'Book ' || n, 1 + n % 20 from generate_series(1, 200) n on conflict do nothing;
  \`);
}
`,
      'src/loaders.js': `
import DataLoader from 'dataloader';
import { pool } from './db.js';
export const createLoaders = () => ({
  author: new DataLoader(async (ids) => {
    const { rows } = await pool.query('select id, name from authors where id = any($1)', [ids]);
    const byId = new Map(rows.map((row) => [row.id, row]));
    return ids.map((id) => byId.get(id) ?? null);
  }),
});
`,
      'src/schema.js': `
import { pool } from './db.js';
export const typeDefs = \`#graphql
  type Author { id: ID! name: String! }
  type Book { id: ID! title: String! author: Author! }
  type Query { books(first: Int = 10): [Book!]! book(id: ID!): Book }
  type Mutation { addBook(title: String!, authorId: ID!): Book! }
\`;
export const resolvers = {
  Query: {
    books: async (_, { first }) => (await pool.query('select * from books order by id limit $1', [first])).rows,
    book: async (_, { id }) => (await pool.query('select * from books where id = $1', [id])).rows[0],
  },
  Mutation: {
    addBook: async (_, { title, authorId }) =>
      (await pool.query('insert into books select max(id) + 1, $1, $2 from books returning *', [title, authorId])).rows[0],
  },
  Book: { author: (book, _, { loaders }) => loaders.author.load(book.author_id) },
};
`,
      'src/index.js': `
import http from 'node:http';
import { ApolloServer } from '@apollo/server';
import { ApolloServerPluginDrainHttpServer } from '@apollo/server/plugin/drainHttpServer';
import { expressMiddleware } from '@as-integrations/express5';
import cors from 'cors';
import express from 'express';
import { migrate, pool } from './db.js';
import { env } from './env.js';
import { createLoaders } from './loaders.js';
import { resolvers, typeDefs } from './schema.js';
await migrate();
const app = express();
const httpServer = http.createServer(app);
const server = new ApolloServer({ typeDefs, resolvers, plugins: [ApolloServerPluginDrainHttpServer({ httpServer })] });
await server.start();
app.get('/healthz', async (req, res) => {
  await pool.query('select 1');
  res.sendStatus(200);
});
app.use('/graphql', cors(), express.json(), expressMiddleware(server, { context: async () => ({ loaders: createLoaders() }) }));
await new Promise((resolve) => httpServer.listen({ port: env.PORT }, resolve));
console.log('Server ready at http://localhost:' + env.PORT + '/graphql');
`,
    },
    command: ['npm', 'start'],
    env: {
      POSTGRES_HOST: '{host}',
      POSTGRES_PORT: '{port}',
      POSTGRES_USER: '{user}',
      POSTGRES_PASSWORD: '{password}',
      POSTGRES_DB: '{name}',
    },
    pool: { setBy: 'POSTGRES_POOL_SIZE' },
    routes: ['/healthz'],
  },
  {
    ...nodeWithPostgres,
    name: 'express-session-login',
    build: npmInstall,
    files: {
      'package.json': nodePackage(
        'web-shop',
        {
          express: '4.22.3',
          ejs: '3.1.10',
          pg: '8.23.1',
          bcryptjs: '3.0.3',
          'express-session': '1.19.0',
          'connect-pg-simple': '10.0.0',
          compression: '1.8.2',
          dotenv: '16.6.1',
        },
        { scripts: { start: 'node ./bin/www' } },
      ),
      '.env.example': 'DATABASE_URL=postgres://localhost/webshop\nSESSION_SECRET=change-me\n',
      'bin/www': `#!/usr/bin/env node
require('dotenv').config();
const http = require('node:http');
const { pool } = require('../db');
const app = require('../app');
const fs = require('node:fs');
const path = require('node:path');
const port = process.env.PORT || '3000';
app.set('port', port);
const server = http.createServer(app);
pool.query(fs.readFileSync(path.join(__dirname, '../db/schema.sql'), 'utf8')).then(() => server.listen(port));
server.on('listening', () => console.log('Listening on port ' + port));
`,
      'db/schema.sql': `
create table if not exists users (id serial primary key, email text unique not null, hash text not null);
create table if not exists products (id serial primary key, name text unique not null, price numeric not null);
create table if not exists orders (id serial primary key, user_id int references users, product_id int references products);
insert into products (name, price) select 'Product ' || n, n * 1.5 from generate_series(1, 50) n on conflict do nothing;
`,
      'db/index.js': `
const { Pool } = require('pg');
exports.pool = new Pool({ connectionString: process.env.DATABASE_URL, max: 20, idleTimeoutMillis: 30000 });
`,
      'middleware/requireLogin.js': `
module.exports = (req, res, next) => (req.session.userId ? next() : res.redirect('/login'));
`,
      'routes/index.js': `
const express = require('express');
const { pool } = require('../db');
const router = express.Router();
router.get('/', (req, res) => res.render('index', { title: 'Shop' }));
router.get('/products', async (req, res, next) => {
  try {
    res.json((await pool.query('select * from products order by id limit 20')).rows);
  } catch (error) {
    next(error);
  }
});
router.get('/products/:id', async (req, res, next) => {
  try {
    const { rows } = await pool.query('select * from products where id = $1', [req.params.id]);
    rows[0] ? res.json(rows[0]) : next();
  } catch (error) {
    next(error);
  }
});
module.exports = router;
`,
      'routes/auth.js': `
const express = require('express');
const bcrypt = require('bcryptjs');
const { pool } = require('../db');
const router = express.Router();
router.get('/login', (req, res) => res.render('index', { title: 'Sign in' }));
router.post('/register', async (req, res) => {
  const hash = await bcrypt.hash(req.body.password, 10);
  const { rows } = await pool.query('insert into users (email, hash) values ($1, $2) returning id', [req.body.email, hash]);
  req.session.userId = rows[0].id;
  res.redirect('/account');
});
router.post('/login', async (req, res) => {
  const { rows } = await pool.query('select * from users where email = $1', [req.body.email]);
  if (!rows[0] || !(await bcrypt.compare(req.body.password, rows[0].hash))) return res.status(401).render('index', { title: 'Wrong' });
  req.session.userId = rows[0].id;
  res.redirect('/account');
});
router.get('/logout', (req, res) => req.session.destroy(() => res.redirect('/')));
module.exports = router;
`,
      'routes/account.js': `
const express = require('express');
const { pool } = require('../db');
const requireLogin = require('../middleware/requireLogin');
const router = express.Router();
router.use(requireLogin);
router.get('/', (req, res) => res.json({ id: req.session.userId }));
router.get('/orders', async (req, res) => res.json((await pool.query('select * from orders where user_id = $1', [req.session.userId])).rows));
router.post('/orders', async (req, res) => {
  await pool.query('insert into orders (user_id, product_id) values ($1, $2)', [req.session.userId, req.body.productId]);
  res.sendStatus(201);
});
module.exports = router;
`,
      'views/index.ejs': '<!doctype html>\n<title><%= title %></title>\n<h1><%= title %></h1>\n<a href="/products">Products</a>\n',
      'public/stylesheets/style.css': 'body { font: 14px sans-serif; }\n',
      'app.js': `
const path = require('node:path');
const compression = require('compression');
const express = require('express');
const session = require('express-session');
const PgSession = require('connect-pg-simple')(session);
const { pool } = require('./db');
const app = express();
app.set('views', path.join(__dirname, 'views'));
app.set('view engine', 'ejs');
app.use(compression());
app.use(express.json());
app.use(express.urlencoded({ extended: false }));
app.use(express.static(path.join(__dirname, 'public')));
app.use(session({
  store: new PgSession({ pool, createTableIfMissing: true }),
  secret: process.env.SESSION_SECRET || 'keyboard cat',
  resave: false,
  saveUninitialized: false,
}));
app.use('/', require('./routes/index'));
app.use('/', require('./routes/auth'));
app.use('/account', require('./routes/account'));
module.exports = app;
`,
    },
    command: ['npm', 'start'],
    env: { DATABASE_URL: '{database}', SESSION_SECRET: 'developer' },
    routes: ['/', '/login', '/products', '/products/3'],
  },
];

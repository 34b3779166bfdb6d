import type { FieldService } from '../fieldService.ts';
import { nodePackage, npmInstall } from './nodePackage.ts';

const postgres = { runtime: 'node', build: npmInstall, command: ['npm', 'start'], usesPostgres: true } as const;
const started = { scripts: { start: 'node server.js' } } as const;
const asModule = { type: 'module', ...started } as const;

/** Drivers of PostgreSQL and what uses them, each configured with its address and the size of its pool in its own way. */
export const nodeDriverServices: readonly FieldService[] = [
  {
    ...postgres,
    name: 'pg-by-url',
    files: {
      'package.json': nodePackage('pg-url', { express: '5.3.0', pg: '8.23.1' }, asModule),
      'server.js': `
import express from 'express';
import pg from 'pg';
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URI, max: Number(process.env.PG_POOL ?? 6) });
await pool.query('create table if not exists things (id serial primary key, name text)');
await pool.query("insert into things (name) select 'thing ' || n from generate_series(1, 20) n");
const app = express();
app.get('/things', async (req, res) => res.json((await pool.query('select * from things limit 10')).rows));
app.get('/things/:id', async (req, res) => {
  const { rows } = await pool.query('select * from things where id = $1', [req.params.id]);
  rows[0] ? res.json(rows[0]) : res.sendStatus(404);
});
app.listen(process.env.PORT ?? 3000);
`,
    },
    env: { DATABASE_URI: '{database}' },
    pool: { setBy: 'PG_POOL' },
    routes: ['/things', '/things/3'],
  },
  {
    ...postgres,
    name: 'pg-by-odd-parts',
    files: {
      'package.json': nodePackage('pg-parts', { '@hapi/hapi': '21.4.10', pg: '8.23.1' }, asModule),
      'config.js': `
const e = process.env;
export const db = { host: e.SHOP_PG_SERVER, port: Number(e.SHOP_PG_TCP), user: e.SHOP_PG_LOGIN, password: e.SHOP_PG_PSWD, database: e.SHOP_PG_DB, max: Number(e.SHOP_PG_WORKERS ?? 4) };
`,
      'server.js': `
import Hapi from '@hapi/hapi';
import pg from 'pg';
import { db } from './config.js';
const pool = new pg.Pool(db);
const server = Hapi.server({ port: process.env.SHOP_HTTP ?? 3900, host: '127.0.0.1' });
server.route({ method: 'GET', path: '/now', handler: async () => (await pool.query('select now() as now')).rows[0] });
await server.start();
`,
    },
    env: { SHOP_PG_SERVER: '{host}', SHOP_PG_TCP: '{port}', SHOP_PG_LOGIN: '{user}', SHOP_PG_PSWD: '{password}', SHOP_PG_DB: '{name}' },
    pool: { setBy: 'SHOP_PG_WORKERS' },
    routes: ['/now'],
  },
  {
    ...postgres,
    name: 'postgres-js',
    files: {
      'package.json': nodePackage('postgres-js', { hono: '4.13.19', '@hono/node-server': '2.1.8', postgres: '3.4.9' }, asModule),
      'server.js': `
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import postgres from 'postgres';
const sql = postgres(process.env.STORE_DSN, { max: Number(process.env.STORE_CONNECTIONS ?? 5) });
const app = new Hono();
app.get('/sum', async (c) => c.json(await sql\`select sum(n) from generate_series(1, 100) n\`));
serve({ fetch: app.fetch, port: Number(process.env.PORT ?? 3000) });
`,
    },
    env: { STORE_DSN: '{database}' },
    pool: { setBy: 'STORE_CONNECTIONS' },
    routes: ['/sum'],
  },
  {
    ...postgres,
    name: 'pg-promise',
    files: {
      'package.json': nodePackage(
        'pg-promise-app',
        { koa: '3.2.1', '@koa/router': '15.7.0', 'pg-promise': '12.7.1' },
        { scripts: { start: 'node --env-file=settings.env server.js' } },
      ),
      'settings.env': 'LIST_SIZE=20\n',
      'server.js': `
const Koa = require('koa');
const { Router } = require('@koa/router');
const pgp = require('pg-promise')();
const db = pgp({ connectionString: process.env.DB_CONNECTION, max: Number(process.env.DB_POOL_SIZE || 7) });
const router = new Router();
router.get('/numbers', async (ctx) => { ctx.body = await db.any('select n from generate_series(1, $1) n', [Number(process.env.LIST_SIZE)]); });
new Koa().use(router.routes()).listen(Number(process.env.PORT || 3000));
`,
    },
    env: { DB_CONNECTION: '{database}' },
    pool: { setBy: 'DB_POOL_SIZE' },
    routes: ['/numbers'],
  },
  {
    ...postgres,
    name: 'knex',
    files: {
      'package.json': nodePackage('knex-app', { fastify: '5.12.8', knex: '3.3.0', pg: '8.23.1', dotenv: '16.4.7' }, started),
      '.env.example': 'DATABASE_HOST=localhost\nDATABASE_PORT=5432\nDATABASE_USER=me\nDATABASE_PASS=\nDATABASE_NAME=shop\n',
      'server.js': `
require('dotenv').config();
const knex = require('knex')({
  client: 'pg',
  connection: { host: process.env.DATABASE_HOST, port: Number(process.env.DATABASE_PORT), user: process.env.DATABASE_USER, password: process.env.DATABASE_PASS, database: process.env.DATABASE_NAME },
  pool: { min: 0, max: Number(process.env.KNEX_MAX || 8) },
});
const fastify = require('fastify')();
fastify.get('/pets', async () => knex('pets').select().limit(5));
fastify.get('/pets/:id', async (request, reply) => (await knex('pets').where({ id: request.params.id }).first()) ?? reply.code(404).send());
(async () => {
  if (!(await knex.schema.hasTable('pets'))) await knex.schema.createTable('pets', (table) => { table.increments('id'); table.string('name'); });
  await knex('pets').insert([{ name: 'rex' }, { name: 'tom' }, { name: 'kim' }]);
  await fastify.listen({ port: Number(process.env.PORT || 3000) });
})();
`,
    },
    env: {
      DATABASE_HOST: '{host}',
      DATABASE_PORT: '{port}',
      DATABASE_USER: '{user}',
      DATABASE_PASS: '{password}',
      DATABASE_NAME: '{name}',
    },
    pool: { setBy: 'KNEX_MAX' },
    routes: ['/pets', '/pets/2'],
  },
  {
    ...postgres,
    name: 'sequelize',
    files: {
      'package.json': nodePackage(
        'sequelize-app',
        { express: '4.22.3', sequelize: '6.37.8', pg: '8.23.1', 'pg-hstore': '2.3.4' },
        { scripts: { start: 'node ./bin/www' } },
      ),
      'bin/www': `#!/usr/bin/env node
const http = require('node:http');
const { app, ready } = require('../app');
ready.then(() => http.createServer(app).listen(process.env.PORT || '3000'));
`,
      'app.js': `
const express = require('express');
const { DataTypes, Sequelize } = require('sequelize');
const sequelize = new Sequelize(process.env.DB_NAME, process.env.DB_USERNAME, process.env.DB_PWD, {
  host: process.env.DB_SERVER, port: Number(process.env.DB_SERVER_PORT), dialect: 'postgres', logging: false, pool: { max: Number(process.env.DB_POOL_MAX || 5) },
});
const Note = sequelize.define('note', { text: DataTypes.STRING });
const app = express();
app.get('/api/notes', async (req, res) => res.json(await Note.findAll({ limit: 5 })));
exports.app = app;
exports.ready = sequelize.sync().then(() => Note.bulkCreate([{ text: 'a' }, { text: 'b' }]));
`,
    },
    env: { DB_NAME: '{name}', DB_USERNAME: '{user}', DB_PWD: '{password}', DB_SERVER: '{host}', DB_SERVER_PORT: '{port}' },
    pool: { setBy: 'DB_POOL_MAX' },
    routes: ['/api/notes'],
  },
  {
    ...postgres,
    name: 'typeorm',
    files: {
      'package.json': nodePackage(
        'typeorm-app',
        { typeorm: '0.3.20', pg: '8.23.1', 'reflect-metadata': '0.2.2', fastify: '5.12.8' },
        started,
      ),
      'server.js': `
require('reflect-metadata');
const { DataSource, EntitySchema } = require('typeorm');
const Town = new EntitySchema({ name: 'town', columns: { id: { type: Number, primary: true, generated: true }, name: { type: String } } });
const source = new DataSource({ type: 'postgres', url: process.env.TYPEORM_URL, entities: [Town], synchronize: true, poolSize: Number(process.env.TYPEORM_POOL_SIZE ?? 9) });
const app = require('fastify')();
app.get('/towns', async () => source.getRepository(Town).find({ take: 5 }));
app.get('/towns/:townId', async (request) => source.getRepository(Town).findOneByOrFail({ id: Number(request.params.townId) }));
source
  .initialize()
  .then(() => source.getRepository(Town).save([{ name: 'Ulm' }, { name: 'Bonn' }]))
  .then(() => app.listen({ port: Number(process.env.PORT ?? 3000), host: '::1' }));
`,
    },
    env: { TYPEORM_URL: '{database}' },
    pool: { setBy: 'TYPEORM_POOL_SIZE' },
    routes: ['/towns', '/towns/1'],
  },
  {
    ...postgres,
    name: 'drizzle',
    files: {
      'package.json': nodePackage('drizzle-app', { 'drizzle-orm': '0.38.3', pg: '8.23.1', express: '5.3.0' }, asModule),
      'server.js': `
import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import express from 'express';
import pg from 'pg';
const db = drizzle(new pg.Pool({ connectionString: process.env.POSTGRES_URL }));
const app = express();
app.get('/days', async (req, res) => res.json((await db.execute(sql\`select d from generate_series(1, 7) d\`)).rows));
app.listen(process.env.PORT ?? 3000);
`,
    },
    env: { POSTGRES_URL: '{database}' },
    pool: { setBy: 'code' },
    routes: ['/days'],
  },
  {
    ...postgres,
    name: 'kysely',
    files: {
      'package.json': nodePackage('kysely-app', { kysely: '0.27.5', pg: '8.23.1', h3: '1.13.0' }, asModule),
      'server.js': `
import { createServer } from 'node:http';
import { createApp, createRouter, eventHandler, toNodeListener } from 'h3';
import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
const { MAIN_DB, MAIN_DB_LIMIT = '5', LISTEN = '3300' } = process.env;
const db = new Kysely({ dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: MAIN_DB, max: Number(MAIN_DB_LIMIT) }) }) });
const router = createRouter().get('/reports', eventHandler(async () => (await sql\`select count(*) from pg_class\`.execute(db)).rows));
createServer(toNodeListener(createApp().use(router))).listen(Number(LISTEN));
`,
    },
    env: { MAIN_DB: '{database}' },
    pool: { setBy: 'MAIN_DB_LIMIT' },
    routes: ['/reports'],
  },
  {
    ...postgres,
    name: 'prisma',
    files: {
      'package.json': nodePackage(
        'prisma-app',
        { '@prisma/client': '6.19.0', '@prisma/adapter-pg': '6.19.0', prisma: '6.19.0', express: '5.3.0' },
        started,
      ),
      'prisma/schema.prisma': `
generator client {
  provider   = "prisma-client-js"
  engineType = "client"
}
datasource db {
  provider = "postgresql"
  url      = env("PRISMA_DB")
}
model Book {
  id    Int    @id @default(autoincrement())
  title String
}
`,
      'prisma/migrations/1_init/migration.sql':
        'CREATE TABLE "Book" ("id" SERIAL NOT NULL PRIMARY KEY, "title" TEXT NOT NULL);\nINSERT INTO "Book" ("title") VALUES (\'Faust\'), (\'Emma\');\n',
      'prisma/migrations/migration_lock.toml': 'provider = "postgresql"\n',
      'server.js': `
const { PrismaPg } = require('@prisma/adapter-pg');
const { PrismaClient } = require('@prisma/client');
const prisma = new PrismaClient({ adapter: new PrismaPg({ connectionString: process.env.PRISMA_DB }) });
const app = require('express')();
app.get('/books', async (req, res) => res.json(await prisma.book.findMany({ take: 5 })));
app.listen(process.env.PORT ?? 3000);
`,
    },
    build: [...npmInstall, ['npx', 'prisma', 'generate']],
    env: { PRISMA_DB: '{database}' },
    pool: null,
    routes: ['/books'],
  },
  {
    ...postgres,
    name: 'slonik',
    files: {
      'package.json': nodePackage('slonik-app', { slonik: '46.8.0', zod: '3.24.1', polka: '0.5.2' }, asModule),
      'server.js': `
import polka from 'polka';
import { createPool, sql } from 'slonik';
const pool = await createPool(process.env.PG_DSN, { maximumPoolSize: Number(process.env.PG_MAX ?? 5) });
polka().get('/rows', async (req, res) => res.end(JSON.stringify(await pool.any(sql.unsafe\`select 1 as one\`)))).listen(Number(process.env.PORT ?? 3000));
`,
    },
    env: { PG_DSN: '{database}' },
    pool: { setBy: 'PG_MAX' },
    routes: ['/rows'],
  },
  {
    ...postgres,
    name: 'libpq-variables',
    files: {
      'package.json': nodePackage('libpq-app', { express: '4.22.3', pg: '8.23.1' }, started),
      'server.js': `
const pg = require('pg');
const pool = new pg.Pool();
require('express')().get('/ping-db', async (req, res) => res.json((await pool.query('select 1 as one')).rows)).listen(process.env.PORT || 3000);
`,
    },
    env: { PGHOST: '{host}', PGPORT: '{port}', PGUSER: '{user}', PGPASSWORD: '{password}', PGDATABASE: '{name}' },
    pool: { setBy: 'code' },
    routes: ['/ping-db'],
  },
];

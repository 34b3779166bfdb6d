import type { FieldService } from '../fieldService.ts';
import { nodePackage, npmInstall } from './nodePackage.ts';

const esm = { type: 'module' } as const;
const plain = { runtime: 'node', build: npmInstall, env: {}, usesPostgres: false, pool: null } as const;
const start = (command: string): Record<string, unknown> => ({ scripts: { start: command } });

/** Web frameworks, each with a few routes and nothing behind them. */
export const nodeFrameworkServices: readonly FieldService[] = [
  {
    ...plain,
    name: 'express-5',
    files: {
      'package.json': nodePackage('express-five', { express: '5.3.0' }, start('node app.js')),
      'app.js': `
const express = require('express');
const app = express();
const shop = express.Router();
shop.get('/items', (req, res) => res.json([{ id: 1 }]));
shop.get('/items/:id', (req, res) => res.json({ id: Number(req.params.id) }));
const admin = express();
admin.get('/stats', (req, res) => res.json({ visits: 3 }));
app.use('/shop', shop);
app.use('/admin', admin);
app.get('/', (req, res) => res.send('hello'));
app.listen(process.env.PORT || 3000);
`,
    },
    command: ['npm', 'start'],
    routes: ['/', '/shop/items', '/shop/items/4', '/admin/stats'],
  },
  {
    ...plain,
    name: 'express-4-sub-apps',
    files: {
      'package.json': nodePackage('express-four', { express: '4.22.3' }),
      'server.js': `
const express = require('express');
const parent = express();
for (const [where, what] of [['/birds', 'tit'], ['/trees', 'elm']]) {
  const child = express();
  child.get('/one', (req, res) => res.json(what));
  child.route('/all').get((req, res) => res.json([what]));
  parent.use(where, child);
}
parent.listen(8123, () => console.log('up'));
`,
    },
    command: ['node', 'server.js'],
    routes: ['/birds/one', '/birds/all', '/trees/one', '/trees/all'],
  },
  {
    ...plain,
    name: 'fastify',
    files: {
      'package.json': nodePackage(
        'fastify-plugins',
        { fastify: '5.12.8', '@fastify/autoload': '6.5.0' },
        { ...esm, ...start('node main.js') },
      ),
      'main.js': `
import { join } from 'node:path';
import autoload from '@fastify/autoload';
import Fastify from 'fastify';
const fastify = Fastify({ logger: false });
fastify.register(autoload, { dir: join(import.meta.dirname, 'routes') });
await fastify.listen({ port: Number(process.env.FASTIFY_PORT ?? 3000), host: process.env.FASTIFY_ADDRESS ?? '127.0.0.1' });
`,
      'routes/users/index.js': `export default async (fastify) => {
  fastify.get('/', async () => [{ id: 1 }]);
  fastify.get('/:id', async (request) => ({ id: request.params.id }));
};
`,
      'routes/root.js': `export default async (fastify) => { fastify.get('/', async () => ({ ok: true })); };\n`,
    },
    command: ['npm', 'start'],
    routes: ['/', '/users', '/users/3'],
  },
  {
    ...plain,
    name: 'koa',
    files: {
      'package.json': nodePackage('koa-app', { koa: '3.2.1', '@koa/router': '15.7.0' }, { main: 'lib/boot.js' }),
      'lib/boot.js': `
const Koa = require('koa');
const { Router } = require('@koa/router');
const router = new Router({ prefix: '/v2' });
router.get('/songs', (ctx) => { ctx.body = [1, 2]; });
router.get('/songs/:id', (ctx) => { ctx.body = { id: ctx.params.id }; });
new Koa().use(router.routes()).listen(process.env.APP_PORT || 3100);
`,
    },
    command: ['node', 'lib/boot.js'],
    routes: ['/v2/songs', '/v2/songs/7'],
  },
  {
    ...plain,
    name: 'hapi',
    files: {
      'package.json': nodePackage('hapi-app', { '@hapi/hapi': '21.4.10' }, { ...esm, ...start('node index.js') }),
      'index.js': `
import Hapi from '@hapi/hapi';
const server = Hapi.server({ port: process.env.PORT ?? 3000, host: 'localhost' });
const table = { '/': 'root', '/cats': 'cats', '/cats/{name}': 'cat' };
for (const [path, answer] of Object.entries(table)) server.route({ method: 'GET', path, handler: () => answer });
await server.start();
`,
    },
    command: ['npm', 'start'],
    routes: ['/', '/cats', '/cats/tom'],
  },
  {
    ...plain,
    name: 'hono',
    files: {
      'package.json': nodePackage('hono-app', { hono: '4.13.19', '@hono/node-server': '2.1.8' }, { ...esm, ...start('node src/index.js') }),
      'src/index.js': `
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { books } from './books.js';
const app = new Hono();
app.get('/', (c) => c.text('hono'));
app.route('/books', books);
serve({ fetch: app.fetch, port: Number(process.env.PORT ?? 8787) });
`,
      'src/books.js': `
import { Hono } from 'hono';
export const books = new Hono().get('/', (c) => c.json([1])).get('/:isbn', (c) => c.json(c.req.param('isbn')));
`,
    },
    command: ['npm', 'start'],
    routes: ['/', '/books', '/books/5'],
  },
  {
    ...plain,
    name: 'h3',
    files: {
      'package.json': nodePackage('h3-app', { h3: '2.0.8' }, esm),
      'app.mjs': `
import { H3, serve } from 'h3';
const app = new H3();
const hello = () => ({ hello: 'h3' });
for (const path of ['/hello', '/api/things']) app.on('GET', path, hello);
serve(app, { port: Number(process.env.NITRO_PORT ?? 3000) });
`,
    },
    command: ['node', 'app.mjs'],
    routes: ['/hello', '/api/things'],
  },
  {
    ...plain,
    name: 'polka',
    files: {
      'package.json': nodePackage('polka-app', { polka: '0.5.2' }),
      'index.js': `
const polka = require('polka');
const users = polka().get('/', (req, res) => res.end('users')).get('/:id', (req, res) => res.end(req.params.id));
polka().use('users', users).get('/', (req, res) => res.end('root')).listen(3000, (err) => { if (err) throw err; });
`,
    },
    command: ['node', '.'],
    routes: ['/', '/users', '/users/2'],
  },
  {
    ...plain,
    name: 'restify',
    files: {
      'package.json': nodePackage('restify-app', { restify: '12.0.0' }, start('node srv')),
      'srv.js': `
const restify = require('restify');
const server = restify.createServer();
const answer = (req, res, next) => { res.send({ ok: true }); next(); };
server.get('/status', answer);
server.get('/echo/:name', answer);
server.listen(process.env.RESTIFY_PORT || 8080);
`,
    },
    command: ['npm', 'start'],
    routes: ['/status', '/echo/1'],
  },
  {
    ...plain,
    name: 'tinyhttp',
    files: {
      'package.json': nodePackage('tiny', { '@tinyhttp/app': '3.0.11' }, { ...esm, bin: { tiny: 'run.js' } }),
      'run.js': `
import { App } from '@tinyhttp/app';
new App().get('/', (_, res) => void res.send('tiny')).get('/page/:page', (req, res) => void res.json(req.params)).listen(Number(process.env.PORT ?? 4000));
`,
    },
    command: ['node', 'run.js'],
    routes: ['/', '/page/1'],
  },
  {
    ...plain,
    name: 'micro',
    files: {
      'package.json': nodePackage(
        'micro-app',
        { micro: '10.0.1' },
        { main: 'index.js', scripts: { start: 'micro -l tcp://127.0.0.1:$PORT' } },
      ),
      'index.js': `module.exports = () => ({ up: true });\n`,
    },
    command: ['npm', 'start'],
    env: { PORT: '5005' },
    routes: ['/'],
  },
  {
    ...plain,
    name: 'moleculer-web',
    files: {
      'package.json': nodePackage(
        'molecules',
        { moleculer: '0.14.35', 'moleculer-web': '0.10.8' },
        { scripts: { dev: 'moleculer-runner services', start: 'moleculer-runner services' } },
      ),
      'services/api.service.js': `
module.exports = { name: 'api', mixins: [require('moleculer-web')], settings: { port: process.env.SERVICE_PORT || 3000, routes: [{ path: '/api', aliases: { 'GET hi': 'greeter.hi', 'GET bye': 'greeter.bye' } }] } };
`,
      'services/greeter.service.js': `module.exports = { name: 'greeter', actions: { hi: () => 'hi', bye: () => 'bye' } };\n`,
    },
    command: ['npm', 'start'],
    routes: ['/api/hi', '/api/bye'],
  },
  {
    ...plain,
    name: 'feathers-express',
    files: {
      'package.json': nodePackage(
        'feathers-app',
        { '@feathersjs/feathers': '5.0.50', '@feathersjs/express': '5.0.50' },
        { ...esm, ...start('node app.mjs') },
      ),
      'app.mjs': `
import express, { json, rest } from '@feathersjs/express';
import { feathers } from '@feathersjs/feathers';
const app = express(feathers());
app.use(json());
app.configure(rest());
app.use('messages', { find: async () => [{ id: 0 }], get: async (id) => ({ id }) });
app.listen(process.env.PORT ?? 3030);
`,
    },
    command: ['npm', 'start'],
    routes: ['/messages', '/messages/1'],
  },
  {
    ...plain,
    name: 'feathers-koa',
    files: {
      'package.json': nodePackage(
        'feathers-koa',
        { '@feathersjs/feathers': '5.0.50', '@feathersjs/koa': '5.0.50' },
        { ...esm, ...start('node app.mjs') },
      ),
      'app.mjs': `
import { feathers } from '@feathersjs/feathers';
import { bodyParser, errorHandler, koa, rest } from '@feathersjs/koa';
const app = koa(feathers());
app.use(errorHandler());
app.use(bodyParser());
app.configure(rest());
app.use('notes', { find: async () => [{ id: 0 }], get: async (id) => ({ id }) });
app.listen(3131);
`,
    },
    command: ['node', 'app.mjs'],
    routes: ['/notes', '/notes/1'],
  },
  {
    ...plain,
    name: 'nest',
    files: {
      'package.json': nodePackage(
        'nest-app',
        {
          '@nestjs/common': '11.1.0',
          '@nestjs/core': '11.1.0',
          '@nestjs/platform-express': '11.1.0',
          'reflect-metadata': '0.2.2',
          rxjs: '7.8.2',
          typescript: '5.9.3',
          '@types/node': '20.19.43',
        },
        { scripts: { build: 'tsc', 'start:dev': 'tsc && node dist/main', 'start:prod': 'node dist/main' } },
      ),
      'tsconfig.json':
        '{ "compilerOptions": { "target": "es2022", "module": "commonjs", "outDir": "dist", "experimentalDecorators": true, "emitDecoratorMetadata": true, "skipLibCheck": true }, "include": ["src"] }\n',
      'src/main.ts': `
import 'reflect-metadata';
import { Controller, Get, Module, Param } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
@Controller('cats')
class CatsController {
  @Get() all() { return ['tom']; }
  @Get(':id') one(@Param('id') id: string) { return { id }; }
}
@Module({ controllers: [CatsController] })
class AppModule {}
void NestFactory.create(AppModule, { logger: false }).then(async (app) => { app.setGlobalPrefix('api'); await app.listen(process.env.PORT ?? 3000); });
`,
    },
    build: [...npmInstall, ['npm', 'run', 'build']],
    command: ['npm', 'run', 'start:prod'],
    routes: ['/api/cats', '/api/cats/3'],
  },
  {
    ...plain,
    name: 'loopback-4',
    files: {
      'package.json': nodePackage('loopback-app', { '@loopback/core': '7.0.15', '@loopback/rest': '15.0.16' }, start('node index.js')),
      'index.js': `
const { RestApplication } = require('@loopback/rest');
const app = new RestApplication({ rest: { port: Number(process.env.PORT ?? 3000), host: '127.0.0.1' } });
const spec = { responses: { 200: { description: 'ok', content: { 'application/json': { schema: { type: 'object' } } } } } };
app.route('get', '/pong', spec, () => ({ pong: true }));
app.route('get', '/planets', spec, () => ['mars']);
app.start();
`,
    },
    command: ['npm', 'start'],
    routes: ['/pong', '/planets'],
  },
  {
    ...plain,
    name: 'sails',
    files: {
      'package.json': nodePackage(
        'sails-app',
        { sails: '1.5.18' },
        { main: 'app.js', scripts: { start: 'NODE_ENV=development node app.js' } },
      ),
      'app.js': `
const sails = require('sails');
sails.lift({ port: process.env.PORT || 1337, hooks: { grunt: false }, routes: { 'GET /ships': (req, res) => res.json(['ketch']), 'GET /ships/:id': (req, res) => res.json(req.params.id) }, log: { level: 'warn' } });
`,
    },
    command: ['npm', 'start'],
    routes: ['/ships', '/ships/2'],
  },
  {
    ...plain,
    name: 'apollo-standalone',
    files: {
      'package.json': nodePackage('apollo-app', { '@apollo/server': '5.5.1', graphql: '16.11.0' }, { ...esm, ...start('node graph.js') }),
      'graph.js': `
import { ApolloServer } from '@apollo/server';
import { startStandaloneServer } from '@apollo/server/standalone';
const server = new ApolloServer({ typeDefs: 'type Query { hello: String }', resolvers: { Query: { hello: () => 'world' } } });
await startStandaloneServer(server, { listen: { port: Number(process.env.GRAPHQL_PORT ?? 4000) } });
`,
    },
    command: ['npm', 'start'],
    routes: ['/'],
  },
  {
    ...plain,
    name: 'graphql-yoga',
    files: {
      'package.json': nodePackage('yoga-app', { 'graphql-yoga': '5.24.1', graphql: '16.11.0' }, start('node yoga.js')),
      'yoga.js': `
const { createServer } = require('node:http');
const { createSchema, createYoga } = require('graphql-yoga');
const yoga = createYoga({ schema: createSchema({ typeDefs: 'type Query { hi: String }', resolvers: { Query: { hi: () => 'yoga' } } }) });
createServer(yoga).listen(process.env.PORT || 4000);
`,
    },
    command: ['npm', 'start'],
    routes: ['/graphql?query=%7Bhi%7D', '/health'],
  },
  {
    ...plain,
    name: 'trpc-standalone',
    files: {
      'package.json': nodePackage('trpc-app', { '@trpc/server': '11.25.2' }, { ...esm, ...start('node server.mjs') }),
      'server.mjs': `
import { initTRPC } from '@trpc/server';
import { createHTTPServer } from '@trpc/server/adapters/standalone';
const t = initTRPC.create();
const router = t.router({ greeting: t.procedure.query(() => 'hello'), list: t.procedure.query(() => [1, 2]) });
createHTTPServer({ router }).listen(2022);
`,
    },
    command: ['npm', 'start'],
    routes: ['/greeting', '/list'],
  },
  {
    ...plain,
    name: 'mercurius',
    files: {
      'package.json': nodePackage(
        'mercurius-app',
        { fastify: '5.12.8', mercurius: '16.10.1', graphql: '16.11.0' },
        { ...esm, ...start('node main.mjs') },
      ),
      'main.mjs': `
import Fastify from 'fastify';
import mercurius from 'mercurius';
const app = Fastify();
app.register(mercurius, { schema: 'type Query { add(x: Int, y: Int): Int }', resolvers: { Query: { add: (_, { x, y }) => x + y } } });
await app.listen({ port: Number(process.env.PORT ?? 3000) });
`,
    },
    command: ['npm', 'start'],
    routes: ['/graphql?query=%7Badd%28x%3A1%2Cy%3A2%29%7D'],
  },
  {
    ...plain,
    name: 'routing-controllers',
    files: {
      'package.json': nodePackage(
        'controllers-app',
        {
          'routing-controllers': '0.11.3',
          express: '4.22.3',
          'reflect-metadata': '0.2.2',
          'class-validator': '0.15.1',
          'class-transformer': '0.5.1',
          'ts-node': '10.9.2',
          typescript: '5.9.3',
          '@types/node': '20.19.43',
        },
        { scripts: { start: 'ts-node --transpile-only src/server.ts' } },
      ),
      'tsconfig.json':
        '{ "compilerOptions": { "target": "es2022", "module": "commonjs", "experimentalDecorators": true, "emitDecoratorMetadata": true } }\n',
      'src/server.ts': `
import 'reflect-metadata';
import { createExpressServer, Get, JsonController, Param } from 'routing-controllers';
@JsonController('/users')
class Users {
  @Get('/') all() { return [1]; }
  @Get('/:id') one(@Param('id') id: number) { return { id }; }
}
createExpressServer({ controllers: [Users], routePrefix: '/api' }).listen(process.env.PORT || 3000);
`,
    },
    command: ['npm', 'start'],
    routes: ['/api/users', '/api/users/4'],
  },
];

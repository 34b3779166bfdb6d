import type { FieldService } from '../fieldService.ts';
import { nodePackage, npmInstall } from './nodePackage.ts';

const plain = { runtime: 'node', build: npmInstall, command: ['npm', 'start'], env: {}, usesPostgres: false, pool: null } as const;
const app = (port: string): string => `
const express = require('express');
const app = express();
app.get('/', (req, res) => res.send('root'));
app.get('/deep/:level', (req, res) => res.json(req.params));
app.listen(${port});
`;
const express = { express: '5.3.0' } as const;

/** Ways to start a service: what is between the words that a developer types and the process that listens. */
export const nodeStartServices: readonly FieldService[] = [
  {
    ...plain,
    name: 'start-tsx',
    files: {
      'package.json': nodePackage(
        'by-tsx',
        { hono: '4.13.19', '@hono/node-server': '2.1.8', tsx: '4.19.2' },
        { type: 'module', scripts: { dev: 'tsx watch server.ts', start: 'tsx server.ts' } },
      ),
      'server.ts': `
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
const app = new Hono().basePath('/v1').get('/time', (c) => c.json({ now: Date.now() }));
serve({ fetch: app.fetch, port: Number(process.env.PORT ?? 3000) });
`,
    },
    routes: ['/v1/time'],
  },
  {
    ...plain,
    name: 'start-cross-env',
    files: {
      'package.json': nodePackage(
        'by-cross-env',
        { ...express, 'cross-env': '7.0.3' },
        { scripts: { start: 'cross-env NODE_ENV=production LISTEN_ON=4567 node src/app.js' } },
      ),
      'src/app.js': app('process.env.LISTEN_ON'),
    },
    routes: ['/', '/deep/1'],
  },
  {
    ...plain,
    name: 'start-concurrently',
    files: {
      'package.json': nodePackage(
        'by-concurrently',
        { ...express, concurrently: '8.2.2' },
        { scripts: { 'start:api': 'node api.js', 'start:worker': 'node worker.js', start: 'concurrently "npm:start:*"' } },
      ),
      'api.js': app('process.env.PORT || 3000'),
      'worker.js': `setInterval(() => undefined, 1000);\n`,
    },
    routes: ['/', '/deep/1'],
  },
  {
    ...plain,
    name: 'start-nodemon',
    files: {
      'package.json': nodePackage('by-nodemon', { ...express, nodemon: '3.1.14' }, { scripts: { dev: 'nodemon index.js' } }),
      'index.js': app('process.env.PORT || 3000'),
    },
    command: ['npm', 'run', 'dev'],
    routes: ['/', '/deep/1'],
  },
  {
    ...plain,
    name: 'start-cluster',
    files: {
      'package.json': nodePackage('by-cluster', express, { scripts: { start: 'node cluster.js' } }),
      'cluster.js': `
const cluster = require('node:cluster');
if (cluster.isPrimary) for (let i = 0; i < 2; i += 1) cluster.fork();
else require('./app.js');
`,
      'app.js': app('process.env.PORT || 3000'),
    },
    routes: ['/', '/deep/1'],
  },
  {
    ...plain,
    name: 'start-pm2-runtime',
    files: {
      'package.json': nodePackage(
        'by-pm2',
        { ...express, pm2: '6.0.8' },
        { scripts: { start: 'PM2_HOME=$PWD/.pm2 pm2-runtime ecosystem.config.js' } },
      ),
      'ecosystem.config.js': `module.exports = { apps: [{ name: 'api', script: 'app.js', instances: 1 }] };\n`,
      'app.js': app('process.env.PORT || 3000'),
    },
    routes: ['/', '/deep/1'],
  },
  {
    ...plain,
    name: 'start-import',
    files: {
      'package.json': nodePackage('by-import', { fastify: '5.12.8', tsx: '4.19.2' }, { type: 'module' }),
      'telemetry.mjs': `globalThis.startedAt = Date.now();\n`,
      'main.ts': `
import Fastify from 'fastify';
const app = Fastify();
app.get('/started', async () => ({ at: (globalThis as { startedAt?: number }).startedAt }));
await app.listen({ port: 3456 });
`,
    },
    command: ['node', '--import', './telemetry.mjs', '--import', 'tsx', 'main.ts'],
    routes: ['/started'],
  },
  {
    ...plain,
    name: 'start-workspace',
    files: {
      'package.json': `${JSON.stringify({ name: 'mono', private: true, workspaces: ['apps/*', 'packages/*'], scripts: { api: 'npm run start --workspace apps/api' } }, null, 2)}\n`,
      'apps/api/package.json': nodePackage('api', { express: '5.3.0', tables: '1.0.0' }, { scripts: { start: 'node server.js' } }),
      'apps/api/server.js': `
const { tables } = require('tables');
const app = require('express')();
app.get('/tables', (req, res) => res.json(tables));
app.listen(process.env.API_PORT || 3001);
`,
      'packages/tables/package.json': `${JSON.stringify({ name: 'tables', version: '1.0.0', main: 'index.js' }, null, 2)}\n`,
      'packages/tables/index.js': `exports.tables = ['a', 'b'];\n`,
    },
    command: ['npm', 'run', 'api'],
    routes: ['/tables'],
  },
  {
    ...plain,
    name: 'start-shell-script',
    files: {
      'package.json': nodePackage('by-shell', express),
      'run.sh': '#!/bin/sh\nset -e\nexport SERVE_ON="${SERVE_ON:-4711}"\necho "serving on $SERVE_ON"\nexec node lib/index.js "$@"\n',
      'lib/index.js': app('process.env.SERVE_ON'),
    },
    command: ['./run.sh'],
    routes: ['/', '/deep/1'],
  },
  {
    ...plain,
    name: 'start-port-argument',
    files: {
      'package.json': nodePackage(
        'by-argument',
        { 'http-server': '14.1.1' },
        { scripts: { start: 'http-server public -p 8099 --silent' } },
      ),
      'public/index.html': '<!doctype html><title>x</title><a href="/about.html">about</a>\n',
      'public/about.html': '<!doctype html><title>about</title>\n',
    },
    routes: ['/', '/about.html'],
  },
  {
    ...plain,
    name: 'start-two-ports',
    files: {
      'package.json': nodePackage('two-ports', { ...express, 'prom-client': '15.1.3' }, { scripts: { start: 'node .' } }),
      'index.js': `
const express = require('express');
const client = require('prom-client');
client.collectDefaultMetrics();
const metrics = express();
metrics.get('/metrics', async (req, res) => res.type('text').send(await client.register.metrics()));
metrics.listen(9464, () => {
  const app = express();
  app.get('/orders', (req, res) => res.json([]));
  app.listen(process.env.PORT || 3000);
});
`,
    },
    routes: ['/orders'],
  },
  {
    ...plain,
    name: 'start-plain-http',
    files: {
      'package.json': nodePackage(
        'plain-http',
        {},
        { type: 'module', scripts: { serve: 'node --enable-source-maps bin/serve.js --listen 5151' } },
      ),
      'bin/serve.js': `
import { createServer } from 'node:http';
const answers = new Map([['/a', 'A'], ['/b', 'B']]);
const port = Number(process.argv[process.argv.indexOf('--listen') + 1]);
createServer((request, response) => {
  const answer = answers.get(request.url);
  response.writeHead(answer === undefined ? 404 : 200).end(answer ?? 'no');
}).listen(port);
`,
    },
    build: [],
    command: ['npm', 'run', 'serve'],
    routes: ['/a', '/b'],
  },
];

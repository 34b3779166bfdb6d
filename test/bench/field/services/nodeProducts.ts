import type { FieldService } from '../fieldService.ts';
import { nodePackage, npmInstall } from './nodePackage.ts';

const plain = { runtime: 'node', build: npmInstall, command: ['npm', 'start'], env: {}, usesPostgres: false, pool: null } as const;

/** Products that others wrote, started as their documentation says. */
export const nodeProductServices: readonly FieldService[] = [
  {
    ...plain,
    name: 'unleash',
    files: {
      'package.json': nodePackage('flags', { 'unleash-server': '7.5.1' }, { main: 'server.js', scripts: { start: 'node server.js' } }),
      'server.js': `
const unleash = require('unleash-server');
unleash
  .start({ db: { ssl: false }, server: { port: Number(process.env.PORT || 4242), host: '127.0.0.1' }, authentication: { type: 'none' }, versionCheck: { enable: false } })
  .then((one) => console.log('Unleash on ' + one.app.get('port')));
`,
    },
    env: { DATABASE_URL: '{database}' },
    usesPostgres: true,
    pool: { setBy: 'DATABASE_POOL_MAX' },
    routes: ['/health', '/api/admin/projects'],
  },
  {
    ...plain,
    name: 'postgraphile',
    files: {
      'package.json': nodePackage('graph', { postgraphile: '4.14.1', pg: '8.23.1' }, { scripts: { start: 'node index.js' } }),
      'schema.sql':
        "create table if not exists person (id serial primary key, name text not null);\ninsert into person (name) values ('Ann'), ('Bob');\n",
      'index.js': `
const { createServer } = require('node:http');
const { postgraphile } = require('postgraphile');
const options = { graphiql: true, enhanceGraphiql: true };
createServer(postgraphile({ connectionString: process.env.GRAPH_DB, max: Number(process.env.GRAPH_POOL || 6) }, 'public', options)).listen(process.env.PORT || 5000);
`,
    },
    env: { GRAPH_DB: '{database}' },
    usesPostgres: true,
    pool: { setBy: 'GRAPH_POOL' },
    routes: ['/graphiql'],
  },
  {
    ...plain,
    name: 'parse-server',
    files: {
      'package.json': nodePackage('parse', { 'parse-server': '8.2.4', express: '4.22.3' }, { scripts: { start: 'node index.js' } }),
      'index.js': `
const express = require('express');
const { ParseServer } = require('parse-server');
(async () => {
  const server = new ParseServer({ databaseURI: process.env.PARSE_DB, appId: 'app', masterKey: 'master', serverURL: 'http://localhost:1337/parse', fileUpload: {} });
  await server.start();
  const app = express();
  app.use('/parse', server.app);
  app.get('/version', (req, res) => res.json({ version: 1 }));
  app.listen(1337);
})();
`,
    },
    env: { PARSE_DB: '{database}' },
    usesPostgres: true,
    pool: null,
    routes: ['/parse/health', '/version'],
  },
  {
    ...plain,
    name: 'json-server',
    files: {
      'package.json': nodePackage(
        'fake-rest',
        { 'json-server': '0.17.4' },
        { scripts: { start: 'json-server --quiet --port 3004 db.json' } },
      ),
      'db.json': '{ "posts": [{ "id": 1, "title": "a" }], "profile": { "name": "b" } }\n',
    },
    routes: ['/', '/posts', '/posts/1', '/profile'],
  },
  {
    ...plain,
    name: 'serve',
    files: {
      'package.json': nodePackage('static-site', { serve: '14.2.4' }, { scripts: { start: 'serve --no-clipboard --listen 5678 site' } }),
      'site/index.html': '<!doctype html><title>site</title>\n',
    },
    routes: ['/'],
  },
  {
    ...plain,
    name: 'verdaccio',
    files: {
      'package.json': nodePackage(
        'registry',
        { verdaccio: '5.33.0' },
        { scripts: { start: 'verdaccio --config ./config.yaml --listen 4873' } },
      ),
      'config.yaml':
        'storage: ./storage\nuplinks: {}\npackages:\n  "**":\n    access: $all\nlog: { type: stdout, format: pretty, level: warn }\n',
    },
    routes: ['/', '/-/ping'],
  },
  {
    ...plain,
    name: 'node-red',
    files: {
      'package.json': nodePackage('flows', { 'node-red': '4.0.9' }, { scripts: { start: 'node-red --userDir ./data --port 1899' } }),
      'data/settings.js': 'module.exports = { flowFile: "flows.json", telemetry: { enabled: false }, editorTheme: { tours: false } };\n',
      'data/flows.json':
        '[{"id":"t","type":"tab","label":"f"},{"id":"i","type":"http in","z":"t","url":"/lamp","method":"get","wires":[["r"]]},{"id":"r","type":"http response","z":"t","wires":[]}]\n',
    },
    routes: ['/', '/lamp', '/settings'],
  },
  {
    ...plain,
    name: 'oidc-provider',
    files: {
      'package.json': nodePackage('sign-in', { 'oidc-provider': '8.6.0' }, { type: 'module', scripts: { start: 'node op.js' } }),
      'op.js': `
import Provider from 'oidc-provider';
new Provider('http://localhost:3000', { clients: [{ client_id: 'a', client_secret: 'b', redirect_uris: ['http://localhost/cb'] }] }).listen(process.env.PORT ?? 3000);
`,
    },
    routes: ['/.well-known/openid-configuration', '/jwks'],
  },
  {
    ...plain,
    name: 'prism-mock',
    files: {
      'package.json': nodePackage(
        'mock-api',
        { '@stoplight/prism-cli': '5.12.0' },
        { scripts: { start: 'prism mock api.yaml --port 4010' } },
      ),
      'api.yaml': `openapi: 3.0.0
info: { title: t, version: '1' }
paths:
  /pets:
    get: { responses: { '200': { description: ok, content: { application/json: { example: [{ id: 1 }] } } } } }
`,
    },
    routes: ['/pets'],
  },
  {
    ...plain,
    name: 'pouchdb-server',
    files: {
      'package.json': nodePackage(
        'documents',
        { 'pouchdb-server': '4.2.0' },
        { scripts: { start: 'pouchdb-server --in-memory --port 5985 --no-stdout-logs' } },
      ),
    },
    routes: ['/', '/_all_dbs'],
  },
  {
    ...plain,
    name: 'peer-server',
    files: { 'package.json': nodePackage('peers', { peer: '1.0.2' }, { scripts: { start: 'peerjs --port 9000 --path /meet' } }) },
    routes: ['/meet'],
  },
  {
    ...plain,
    name: 'directus',
    files: {
      'package.json': nodePackage(
        'content',
        { directus: '11.3.5', pg: '8.23.1' },
        { scripts: { bootstrap: 'directus bootstrap', start: 'directus bootstrap && directus start' } },
      ),
    },
    env: {
      DB_CLIENT: 'pg',
      DB_HOST: '{host}',
      DB_PORT: '{port}',
      DB_DATABASE: '{name}',
      DB_USER: '{user}',
      DB_PASSWORD: '{password}',
      SECRET: 'some-secret',
      ADMIN_EMAIL: 'a@example.com',
      ADMIN_PASSWORD: 'pass',
      TELEMETRY: 'false',
    },
    usesPostgres: true,
    pool: { setBy: 'DB_POOL__MAX' },
    routes: ['/server/ping', '/server/info'],
  },
];

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { detectServices } from '../../../src/engine/detect/detectServices.ts';
import { findingsOf } from '../../../src/model/domain/detection.ts';
import { writeFiles } from '../../support/writeFiles.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'benchside-drivers-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

function api(dependencies: Record<string, string>, more: Record<string, string> = {}) {
  writeFiles(dir, {
    'apps/api/package.json': JSON.stringify({ name: '@acme/api', main: 'server.js', dependencies: { fastify: '5', ...dependencies } }),
    'apps/api/server.js': `const app = require('fastify')(); app.get('/items', list); app.listen({ port: process.env.PORT });`,
    ...more,
  });
  return detectServices(dir).services.find(({ folder }) => folder === 'apps/api');
}

it('a service of a workspace speaks to PostgreSQL by the packages there that it depends on, and reads their variables and their SQL', () => {
  const db = {
    'packages/db/package.json': JSON.stringify({ name: '@acme/db', dependencies: { '@acme/sql': '*' } }),
    'packages/db/index.js': `module.exports = require('@acme/sql')(process.env.DATABASE_URL);`,
    'packages/db/migrations/1_init.sql': 'create table a (id int);',
    'packages/other/package.json': JSON.stringify({ name: '@acme/other' }),
    'packages/other/schema.sql': 'create table b (id int);',
    'packages/sql/package.json': JSON.stringify({ name: '@acme/sql', dependencies: { postgres: '3', '@acme/db': '*' } }),
  };
  expect(api({}, db)?.driver).toBeNull();
  const found = api({ '@acme/db': 'workspace:*' }, db);
  expect(found?.driver).toBe('postgres');
  expect(findingsOf(found?.findings ?? [], 'sql')).toMatchObject([{ files: ['packages/db/migrations/1_init.sql'] }]);
  expect(findingsOf(found?.findings ?? [], 'postgres')).toMatchObject([{ env: { url: 'DATABASE_URL' } }]);
});

it.each([
  [{ typeorm: '0.3', mysql2: '3' }, null],
  [{ knex: '3', 'better-sqlite3': '11' }, null],
  [{ knex: '3', sqlite3: '5', pg: '8' }, 'pg'],
  [{ typeorm: '0.3' }, 'typeorm'],
  [{ '@mikro-orm/postgresql': '6' }, '@mikro-orm/postgresql'],
  [{ 'loopback-connector-postgresql': '7' }, 'loopback-connector-postgresql'],
  [{ '@slonik/pg-driver': '1' }, '@slonik/pg-driver'],
  [{ 'rapgenius-api': '1', 'postgrestools-web': '1' }, null],
])('a library for several databases counts where no other driver is there: %j', (dependencies, driver) => {
  expect(api(dependencies)?.driver).toBe(driver);
});

it.each([
  ['postgresql', '@prisma/client'],
  ['sqlite', null],
])('Prisma counts by the provider of its schema: %s', (provider, driver) => {
  const schema = `datasource db {\n  provider = "${provider}"\n  url = env("DATABASE_URL")\n}`;
  expect(api({ '@prisma/client': '6' }, { 'apps/api/prisma/schema.prisma': schema })?.driver).toBe(driver);
});

it.each(['egg', '@adonisjs/core', '@loopback/rest'])('a framework that makes the server itself is one: %s', (framework) => {
  const scripts = { start: 'framework-cli start', dev: 'framework-cli dev', test: 'framework-cli test' };
  writeFiles(dir, { 'package.json': JSON.stringify({ name: 'notes', scripts, dependencies: { [framework]: '1' } }) });
  const { services } = detectServices(dir);
  expect(services.map(({ findings }) => findingsOf(findings, 'command').map(({ command }) => command))).toEqual([
    [['npm', 'run', 'start']],
  ]);
});

it('what listens is a service though its only script is for development, and not the one that migrates', () => {
  writeFiles(dir, {
    'package.json': JSON.stringify({
      name: 'procedures',
      scripts: { dev: `nodemon --exec 'node -r ./register.js' app.ts`, migrate: 'some-cli' },
    }),
    'app.ts': `createHTTPServer({ router }).listen(3000)`,
  });
  const { services, candidates } = detectServices(dir);
  expect(services).toMatchObject([{ id: 'procedures', because: 'app.ts listens' }]);
  expect(candidates.map(({ what }) => what)).toEqual(['scripts.dev']);
});

it.each(['dependencies', 'devDependencies'])(
  'makes its tables by the tool of a package of the workspace among its %s, in the folder of that',
  (kind) => {
    writeFiles(dir, {
      'apps/api/package.json': JSON.stringify({
        name: '@acme/api',
        main: 'server.js',
        dependencies: { fastify: '5' },
        [kind]: { ...(kind === 'dependencies' ? { fastify: '5' } : {}), '@acme/db': 'workspace:*' },
      }),
      'apps/api/server.js': `const app = require('fastify')(); app.get('/items', list); app.listen({ port: process.env.PORT });`,
      'packages/db/package.json': JSON.stringify({
        name: '@acme/db',
        dependencies: { '@prisma/client': '6' },
        devDependencies: { prisma: '6' },
      }),
      'packages/db/prisma/schema.prisma': 'datasource db {\n  provider = "postgresql"\n  url = env("DATABASE_URL")\n}',
      'packages/db/prisma/migrations/1_init/migration.sql': 'create table a (id int);',
      'node_modules/prisma/package.json': '{}',
    });
    const found = detectServices(dir).services.find(({ folder }) => folder === 'apps/api');
    expect(found?.driver).toBe('@prisma/client');
    expect(findingsOf(found?.findings ?? [], 'postgres')).toMatchObject([{ env: { url: 'DATABASE_URL' } }]);
    expect(findingsOf(found?.findings ?? [], 'migrations').map(({ command, title }) => [title, command])).toEqual([
      [
        'tables by prisma migrate deploy in ../../packages/db',
        ['sh', '-c', `cd '../../packages/db' && npx --no-install prisma migrate deploy`],
      ],
    ]);
  },
);

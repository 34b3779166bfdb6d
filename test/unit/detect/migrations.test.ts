import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { madeOtherwise } from '../../../src/engine/detect/migrations.ts';
import { detectServices } from '../../../src/engine/detect/detectServices.ts';
import { type FoundService, declaredTarget, findingsOf, startPhrase } from '../../../src/model/domain/detection.ts';
import { targetSchema } from '../../../src/model/domain/target.ts';
import { writeFiles } from '../../support/writeFiles.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'benchside-migrations-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

/** A service with these packages, of which the last ones are for development only. */
function service(dependencies: string[], more: Record<string, string>, installed = dependencies): FoundService {
  const manifest = {
    name: 'shop',
    scripts: { start: 'node server.js' },
    dependencies: { express: '5.1.0', pg: '8.16.0' },
    devDependencies: Object.fromEntries(dependencies.map((name) => [name, '1.0.0'])),
  };
  const files: Record<string, string> = {
    'package.json': JSON.stringify(manifest),
    'server.js': `const app = require('express')(); const url = process.env.DATABASE_URL; app.get('/items', list); app.listen(process.env.PORT);`,
    ...Object.fromEntries(installed.map((name) => [`node_modules/${name}/package.json`, '{}'])),
    ...more,
  };
  writeFiles(dir, files);
  const [found] = detectServices(dir).services;
  if (found === undefined) throw new Error('no service was found');
  return found;
}

const prisma = { 'prisma/schema.prisma': '', 'prisma/migrations/1_init/migration.sql': 'create table a (id int);' };

describe('a service whose tables are made by a tool', () => {
  it.each([
    ['prisma', prisma, ['prisma', 'migrate', 'deploy']],
    ['prisma', { 'prisma/schema.prisma': 'provider = "postgresql"' }, ['prisma', 'db', 'push']],
    ['knex', { 'knexfile.ts': '', 'migrations/1_a.ts': '' }, ['knex', 'migrate:latest']],
    ['@mikro-orm/cli', { 'src/mikro-orm.config.ts': '', 'src/migrations/Migration1.ts': '' }, ['mikro-orm', 'migration:up']],
    ['drizzle-kit', { 'drizzle.config.ts': '', 'drizzle/meta/_journal.json': '{}' }, ['drizzle-kit', 'migrate']],
    ['drizzle-kit', { 'drizzle.config.ts': '' }, ['drizzle-kit', 'push', '--force']],
    ['node-pg-migrate', { 'migrations/1_a.sql': 'create table a (id int);' }, ['node-pg-migrate', 'up']],
    ['sequelize-cli', { 'config/config.json': '{}', 'migrations/1_a.js': '' }, ['sequelize-cli', 'db:migrate']],
    ['db-migrate', { 'database.json': '{}', 'migrations/1_a.js': '' }, ['db-migrate', 'up']],
  ])('is declared with it, and asked about: %s', (name, files, words) => {
    const found = service([name], files);
    const target = targetSchema.parse(declaredTarget(found, found.findings));
    expect(target.postgres).toMatchObject({ sql: [], prepare: { command: ['npx', '--no-install', ...words] } });
    expect(found.questions.filter(({ part }) => part === 'sql')).toEqual([]);
    expect(startPhrase(found).join(' ')).toContain(`after npx --no-install ${words.join(' ')}`);
  });

  it('is declared with a script of its own that migrates, and with none that makes or undoes a migration', () => {
    const prepared = (scripts: Record<string, string>): unknown => {
      const manifest = { name: 'shop', scripts: { start: 'node server.js', ...scripts }, dependencies: { express: '5', pg: '8' } };
      const found = service(['pg'], { 'package.json': JSON.stringify(manifest) });
      return targetSchema.parse(declaredTarget(found, found.findings)).postgres?.prepare;
    };
    const typeorm = 'typeorm-ts-node-commonjs -d src/source.ts';
    expect(prepared({ 'migration:create': 'x create', 'migration:run': `${typeorm} migration:run` })).toEqual({
      command: ['npm', 'run', 'migration:run'],
    });
    expect(prepared({ 'db:migrate': 'node scripts/up.js' })).toMatchObject({ command: ['npm', 'run', 'db:migrate'] });
    for (const scripts of [
      { migrate: 'prisma migrate dev' },
      { 'migration:revert': `${typeorm} migration:revert` },
      { 'premigrate:x': 'y' },
      { migrate: 'psql -h localhost -f up.sql' },
      { 'db:migrate': 'node up.js postgres://me@127.0.0.1/shop' },
    ])
      expect(prepared(scripts)).toBeUndefined();
  });

  it('is declared with a script that calls an installed tool to migrate, whatever the script is called', () => {
    const prepared = (text: string): unknown => {
      const manifest = { name: 'shop', scripts: { start: 'node server.js', tables: text }, dependencies: { express: '5', pg: '8' } };
      const tool = { 'node_modules/.bin/knex': '', 'node_modules/.bin/node-pg-migrate': '', 'node_modules/.bin/sequelize': '' };
      const found = service(['pg'], { 'package.json': JSON.stringify(manifest), ...tool });
      return targetSchema.parse(declaredTarget(found, found.findings)).postgres?.prepare;
    };
    for (const text of [
      'node-pg-migrate up -m db/migrations',
      'node-pg-migrate -m db/migrations up',
      'npx knex migrate:latest --knexfile db/knexfile.js',
      'NODE_ENV=development sequelize db:migrate',
      'node db/migrate.js',
      'npm run typeorm -- migration:run',
    ])
      expect(prepared(text), text).toEqual({ command: ['npm', 'run', 'tables'] });
    for (const text of [
      'node-pg-migrate create -m db/migrations',
      'knex migrate:rollback',
      'sequelize db:migrate:undo',
      'knex migrate:latest && node server.js',
      'NODE_ENV=test knex migrate:latest',
      'heroku run knex migrate:latest',
      'node server.js',
    ])
      expect(prepared(text), text).toBeUndefined();
  });

  it.each([
    ['knex', 'knexfile.js'],
    ['sequelize-cli', '.sequelizerc'],
  ])('has its SQL files applied where the tool has none of its own to apply: %s', (name, reads) => {
    const target = (more: Record<string, string>) => {
      const found = service([name], { [reads]: '', 'schema.sql': 'create table a (id int);', ...more });
      return targetSchema.parse(declaredTarget(found, found.findings)).postgres;
    };
    expect(target({})).toMatchObject({ sql: ['schema.sql'] });
    expect(target({})?.prepare).toBeUndefined();
    expect(target({ 'src/db/migrations/1_a.js': '' })).toMatchObject({ sql: [], prepare: {} });
  });

  it('has its tables made by another command of its tool where that fails, and by SQL files after that', () => {
    const found = service(['prisma'], prisma);
    const pushed = madeOtherwise(found);
    expect(findingsOf(pushed?.findings ?? [], 'migrations')).toMatchObject([
      { command: ['npx', '--no-install', 'prisma', 'db', 'push'], because: 'npx --no-install prisma migrate deploy failed' },
    ]);
    const applied = pushed === null ? null : madeOtherwise(pushed);
    expect(targetSchema.parse(declaredTarget(found, applied?.findings ?? [])).postgres).toMatchObject({
      sql: ['prisma/migrations/1_init/migration.sql'],
    });
    expect(applied === null ? undefined : madeOtherwise(applied)).toBeNull();
  });

  it('has its tables made by another command in the folder of the package that has the tool', () => {
    const manifest = { name: 'shop', main: 'server.js', dependencies: { express: '5', pg: '8', '@shop/db': '*' } };
    const db = { name: '@shop/db', dependencies: { 'drizzle-kit': '1' } };
    const found = service(['drizzle-kit'], {
      'package.json': JSON.stringify(manifest),
      'db/package.json': JSON.stringify(db),
      'db/drizzle.config.ts': '',
      'db/drizzle/meta/_journal.json': '{}',
    });
    expect(findingsOf(madeOtherwise(found)?.findings ?? [], 'migrations')).toMatchObject([
      { command: ['sh', '-c', "cd 'db' && npx --no-install drizzle-kit push --force"] },
    ]);
  });

  it('has its SQL files applied where the tool is not installed, or is another’s', () => {
    for (const found of [service(['prisma'], prisma, []), service([], prisma)]) {
      const target = targetSchema.parse(declaredTarget(found, found.findings));
      expect(target.postgres).toMatchObject({ sql: ['prisma/migrations/1_init/migration.sql'] });
      expect(target.postgres?.prepare).toBeUndefined();
      rmSync(path.join(dir, 'node_modules'), { recursive: true, force: true });
    }
  });
});

describe('a service whose SQL files lie beside its code', () => {
  const made = 'CREATE TABLE todo (id serial);';
  it.each([
    [{ 'server/database.sql': made, 'server/report.sql': made }, ['server/database.sql']],
    [{ 'src/init.sql': 'select 1;' }, []],
    [{ 'test/schema.sql': made, 'docs/schema.sql': made }, []],
    [{ 'src/main/resources/schema.sql': made, 'api/src/main/resources/init.sql': made }, []],
    [{ 'schema.sql': made, 'server/database.sql': made }, ['schema.sql']],
  ])('has those applied that make tables by their name, where none lies where schemas usually do: %j', (more, files) => {
    const { findings } = service([], more);
    expect(findingsOf(findings, 'sql').flatMap((one) => one.files)).toEqual(files);
  });
});

describe('a service whose code makes its database', () => {
  it.each([
    ['client.query(`CREATE DATABASE "todo_list"`);', 'todo_list'],
    ["client.query('CREATE DATABASE Todos;');", 'todos'],
    ["client.query('create database todos with owner me');", 'todos'],
    ['client.query(`CREATE DATABASE ${name}`);', 'shop'],
    ['const dbName = \'document_crud\';\nclient.query(`CREATE DATABASE "${dbName}"`);', 'document_crud'],
    ["const name: string = process.env.PG_DATABASE || 'Studio';\nclient.query('CREATE DATABASE ' + name);", 'studio'],
    ["client.query(`CREATE DATABASE ${process.env.DB_NAME ?? 'notes'} WITH OWNER me`);", 'notes'],
    ["function make(name) { client.query(`CREATE DATABASE ${name}`); }\nconst rename = 'x';", 'shop'],
    ["console.log('Failed to create database tables');\nconsole.log('create database tables first');", 'shop'],
    ['client.query(`CREATE DATABASE "Todo-List"`);', 'shop'],
  ])('has one of that name: %s', (code, name) => {
    const found = service([], { 'src/main.js': code });
    expect(targetSchema.parse(declaredTarget(found, found.findings)).postgres?.database).toBe(name);
  });
});

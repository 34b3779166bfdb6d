import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fieldServices } from '../field/services/fieldServices.ts';

/** A service that the editor has not seen. */
export interface FirstService {
  title: string;
  /** What the editor calls it. */
  name: string;
  /** The file whose save is counted: it holds a handler that asks the database. */
  source: string;
  /** Makes a folder of somebody’s into the given one. */
  make: (folder: string) => void;
}

const fixtures = path.resolve('test/fixtures/ownServices');
const hapi = `
const Hapi = require('@hapi/hapi');
const { Pool } = require('pg');
const pool = new Pool({ connectionString: process.env.DATABASE_URL, max: Number(process.env.PG_MAX ?? 10) });
const server = Hapi.server({ port: process.env.PORT ?? 3000, host: '127.0.0.1' });
server.route({ method: 'GET', path: '/health', handler: () => 'ok' });
server.route({ method: 'GET', path: '/books', handler: async () => (await pool.query('select * from books order by id limit 20')).rows });
server.route({
  method: 'GET',
  path: '/books/{id}',
  handler: async (request, h) =>
    (await pool.query('select *, pg_sleep(0.003) from books where id = $1', [request.params.id])).rows[0] ?? h.response().code(404),
});
void server.start();
`;
const books = `create table books (id int primary key, title text not null);
insert into books select n, 'Book ' || n from generate_series(1, 2000) n;
`;
const install = ['npm', 'install', '--ignore-scripts', '--no-audit', '--no-fund', '--silent'] as const;

/** One of the field bench. Nothing of its environment is given to the editor. */
function ofField(service: string): FirstService['make'] {
  const known = fieldServices.find(({ name }) => name === service);
  if (known === undefined) throw new Error(`The field has no ${service}.`);
  return (folder) => {
    for (const [name, text] of Object.entries(known.files)) write(path.join(folder, name), text);
    for (const [program = '', ...words] of known.build) execFileSync(program, words, { cwd: folder, stdio: 'inherit' });
  };
}

function write(file: string, text: string): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** By the name with which one is asked for. */
export const firstServices: Readonly<Record<string, FirstService>> = {
  express: {
    title: 'Express and pg, routers and a private route',
    name: 'shop',
    source: 'src/orders.js',
    make: (folder) => {
      cpSync(path.join(fixtures, 'express'), folder, { recursive: true });
      symlinkSync(path.resolve('.cache/nodeProbe/node_modules'), path.join(folder, 'node_modules'), 'junction');
    },
  },
  hapi: {
    title: 'hapi and pg, a schema in SQL',
    name: 'books',
    source: 'server.js',
    make: (folder) => {
      const dependencies = { '@hapi/hapi': '21.4.10', pg: '8.23.1' };
      write(
        path.join(folder, 'package.json'),
        JSON.stringify({ name: 'books', private: true, scripts: { start: 'node server.js' }, dependencies }),
      );
      write(path.join(folder, 'server.js'), hapi);
      write(path.join(folder, 'db', 'schema.sql'), books);
      execFileSync(install[0], install.slice(1), { cwd: folder });
    },
  },
  typeorm: { title: 'Fastify and TypeORM, of the field', name: 'typeorm-app', source: 'server.js', make: ofField('typeorm') },
  spring: {
    title: 'Spring Boot 3 on Tomcat, Hikari, its own address of the database',
    name: 'stock',
    source: 'src/main/java/stock/ProductController.java',
    make: (folder) => {
      cpSync(path.join(fixtures, 'spring'), folder, { recursive: true });
      execFileSync('mvn', ['-q', '-B', '-ntp', 'package'], { cwd: folder });
    },
  },
  'spring-boot-2': {
    title: 'Spring Boot 2 on Tomcat, Hikari, of the field',
    name: 'shop',
    source: 'src/main/java/shop/ItemsController.java',
    make: ofField('spring-boot-2-mvc'),
  },
};

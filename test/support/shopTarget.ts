import path from 'node:path';
import { repositoryDir } from './engine.ts';

/** A target of Node over the table of {@link shopSchema}, as a repository of a user's would declare it. It finds `pg` with the samples. */
export const shopTarget = {
  id: 'shop',
  runtime: 'node',
  command: ['node', 'server.js'],
  env: { NODE_PATH: path.join(repositoryDir, 'samples', 'node', 'node_modules') },
  ready: { path: '/health' },
  routes: [{ path: '/items' }],
  build: [] as string[][],
  postgres: { env: { url: 'DATABASE_URL' }, database: 'shop', sql: ['schema.sql'] },
};

/** `schema.sql`: 50 rows of id and name. */
export const shopSchema =
  "create table items (id int primary key, name text);\ninsert into items select n, 'item ' || n from generate_series(1, 50) n;";

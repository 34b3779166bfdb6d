import type { FieldService } from '../fieldService.ts';
import { jsonText, nodePackage, nodeWithPostgres, npmInstall, npmInstallAndBuild, typescriptCompiler } from './nodePackage.ts';

/** Services in TypeScript that ts-node runs, tsup builds in workspaces, or Node itself runs. */
export const nodeTypeScriptServices: readonly FieldService[] = [
  {
    ...nodeWithPostgres,
    name: 'ts-node-zod-env',
    build: npmInstall,
    files: {
      'package.json': nodePackage(
        'tasks-api',
        { express: '5.3.0', pg: '8.23.1', zod: '4.6.7', dotenv: '16.6.1', helmet: '8.3.0', cors: '2.8.6', morgan: '1.12.1' },
        {
          scripts: { dev: 'nodemon --watch src --exec ts-node src/server.ts', start: 'ts-node src/server.ts', build: 'tsc' },
          devDependencies: {
            'ts-node': '10.9.2',
            nodemon: '3.1.14',
            ...typescriptCompiler,
            '@types/express': '5.0.6',
            '@types/pg': '8.23.1',
            '@types/cors': '2.8.19',
            '@types/morgan': '1.9.10',
          },
        },
      ),
      'tsconfig.json': jsonText({
        compilerOptions: {
          target: 'ES2022',
          module: 'commonjs',
          rootDir: 'src',
          outDir: 'dist',
          strict: true,
          esModuleInterop: true,
          skipLibCheck: true,
        },
        include: ['src'],
      }),
      '.env.example': 'NODE_ENV=development\nPORT=8000\nDATABASE_URL=postgres://tasks:tasks@localhost:5432/tasks\nDB_POOL_MAX=10\n',
      'src/config/env.ts': `
import 'dotenv/config';
import { z } from 'zod';
const envSchema = z.object({
  NODE_ENV: z.enum(['development', 'test', 'production']).default('development'),
  PORT: z.coerce.number().int().positive().default(8000),
  CORS_ORIGIN: z.string().default('*'),
  DATABASE_URL: z.string().min(1),
  DB_POOL_MAX: z.coerce.number().int().min(1).default(10),
});
const parsed = envSchema.safeParse(process.env);
if (!parsed.success) {
  console.error('Invalid environment variables', z.treeifyError(parsed.error));
  process.exit(1);
}
export const env = parsed.data;
`,
      'src/db/pool.ts': `
import { Pool } from 'pg';
import { env } from '../config/env';
export const pool = new Pool({ connectionString: env.DATABASE_URL, max: env.DB_POOL_MAX });
export async function migrate() {
  await pool.query('CREATE TABLE IF NOT EXISTS tasks (id serial PRIMARY KEY, title text NOT NULL, done boolean NOT NULL DEFAULT false)');
  const { rows } = await pool.query<{ count: string }>('SELECT count(*) FROM tasks');
  if (Number(rows[0]?.count) === 0) await pool.query("INSERT INTO tasks (title) SELECT 'Task ' || n FROM generate_series(1, 100) n");
}
`,
      'src/repositories/taskRepository.ts': `
import { pool } from '../db/pool';
export const taskRepository = {
  findAll: async (limit: number) => (await pool.query('SELECT * FROM tasks ORDER BY id LIMIT $1', [limit])).rows,
  findById: async (id: number) => (await pool.query('SELECT * FROM tasks WHERE id = $1', [id])).rows[0],
  create: async (title: string) => (await pool.query('INSERT INTO tasks (title) VALUES ($1) RETURNING *', [title])).rows[0],
};
`,
      'src/controllers/taskController.ts': `
import { z } from 'zod';
import { taskRepository } from '../repositories/taskRepository';
export const list: RequestHandler = async (req, res) => {
  const { limit } = z.object({ limit: z.coerce.number().max(100).default(20) }).parse(req.query);
  res.json(await taskRepository.findAll(limit));
};
export const show: RequestHandler = async (req, res) => {
  const task = await taskRepository.findById(Number(req.params.id));
  if (!task) return void res.status(404).json({ message: 'Task not found' });
  res.json(task);
};
export const create: RequestHandler = async (req, res) => {
  res.status(201).json(await taskRepository.create(z.object({ title: z.string() }).parse(req.body).title));
};
`,
      'src/routes/taskRoutes.ts': `
import { type RequestHandler, Router } from 'express';
import * as controller from '../controllers/taskController';
export const taskRoutes = Router().get('/', controller.list).get('/:id', controller.show).post('/', controller.create);
`,
      'src/app.ts': `
import cors from 'cors';
import express from 'express';
import helmet from 'helmet';
import morgan from 'morgan';
import { env } from './config/env';
import { taskRoutes } from './routes/taskRoutes';
export const app = express();
app.use(helmet(), cors({ origin: env.CORS_ORIGIN }), express.json(), morgan('tiny'));
app.get('/health-check', (_req, res) => void res.json({ status: 'ok' }));
app.use('/api/v1/tasks', taskRoutes);
`,
      'src/server.ts': `
import { app } from './app';
import { env } from './config/env';
import { migrate, pool } from './db/pool';
async function main() {
  await migrate();
  const server = app.listen(env.PORT, () => console.log('Server (' + env.NODE_ENV + ') running on port http://localhost:' + env.PORT));
  process.on('SIGTERM', () => server.close(() => void pool.end()));
}
void main();
`,
    },
    command: ['npm', 'start'],
    pool: { setBy: 'DB_POOL_MAX' },
    routes: ['/health-check', '/api/v1/tasks', '/api/v1/tasks/3'],
  },
  {
    ...nodeWithPostgres,
    name: 'workspaces-tsup',
    build: npmInstallAndBuild,
    files: {
      'package.json': jsonText({
        name: 'acme',
        private: true,
        workspaces: ['packages/*', 'apps/*'],
        scripts: {
          build: 'npm run build --workspaces --if-present',
          start: 'npm run start --workspace=@acme/api',
          worker: 'npm run start --workspace=@acme/worker',
        },
        devDependencies: { tsup: '8.5.1', ...typescriptCompiler, '@types/pg': '8.23.1' },
      }),
      'tsconfig.base.json': jsonText({
        compilerOptions: { target: 'es2022', module: 'nodenext', moduleResolution: 'nodenext', strict: true, skipLibCheck: true },
      }),
      'apps/api/package.json': nodePackage(
        '@acme/api',
        { '@acme/db': '*', fastify: '5.12.8', pg: '8.23.1' },
        { type: 'module', scripts: { build: 'tsup', dev: 'tsup --watch --onSuccess "node dist/index.js"', start: 'node dist/index.js' } },
      ),
      'apps/api/tsconfig.json': jsonText({ extends: '../../tsconfig.base.json', include: ['src'] }),
      'apps/api/tsup.config.ts': `
import { defineConfig } from 'tsup';
export default defineConfig({
  entry: ['src/index.ts'],
  format: ['esm'],
  sourcemap: true,
  clean: true,
  minify: true,
  noExternal: ['@acme/db'],
  external: ['pg'],
});
`,
      'apps/api/src/orders.ts': `
import { query } from '@acme/db';
import type { FastifyInstance } from 'fastify';
export async function orders(app: FastifyInstance) {
  app.get<{ Querystring: { limit: number } }>(
    '/',
    { schema: { querystring: { type: 'object', properties: { limit: { type: 'integer', default: 20, maximum: 100 } } } } },
    async (request) => query('select id, total from orders order by id limit $1', [request.query.limit]),
  );
  app.get<{ Params: { orderId: number } }>(
    '/:orderId',
    { schema: { params: { type: 'object', properties: { orderId: { type: 'integer' } } } } },
    async (request, reply) => {
      const [order] = await query('select id, total from orders where id = $1', [request.params.orderId]);
      return order ?? reply.code(404).send({ message: 'no such order' });
    },
  );
}
`,
      'apps/api/src/index.ts': `
import { migrate } from '@acme/db';
import Fastify from 'fastify';
import { orders } from './orders.js';
const app = Fastify({ logger: true });
app.get('/livez', async () => ({ ok: true }));
await app.register(orders, { prefix: '/orders' });
await migrate();
await app.listen({ host: process.env.HOST ?? '127.0.0.1', port: Number(process.env.PORT ?? 3001) });
`,
      'apps/worker/package.json': nodePackage(
        '@acme/worker',
        { '@acme/db': '*' },
        {
          type: 'module',
          scripts: { build: 'tsup src/index.ts --format esm --external pg', start: 'node dist/index.js' },
        },
      ),
      'apps/worker/tsconfig.json': jsonText({ extends: '../../tsconfig.base.json', include: ['src'] }),
      'apps/worker/src/index.ts': `
import { query } from '@acme/db';
setInterval(async () => console.log('open orders', (await query('select count(*) from orders'))[0]), 10_000);
`,
      'packages/db/package.json': nodePackage(
        '@acme/db',
        { pg: '8.23.1' },
        { type: 'module', main: './dist/index.js', exports: './dist/index.js', scripts: { build: 'tsup src/index.ts --format esm' } },
      ),
      'packages/db/tsconfig.json': jsonText({ extends: '../../tsconfig.base.json', include: ['src'] }),
      'packages/db/src/index.ts': `
import pg from 'pg';
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: Number(process.env.DATABASE_POOL_SIZE ?? 10) });
export async function query<Row = Record<string, unknown>>(text: string, values: unknown[] = []): Promise<Row[]> {
  return (await pool.query(text, values)).rows as Row[];
}
export async function migrate(): Promise<void> {
  await query('create table if not exists orders (id int primary key, total numeric not null)');
  await query('insert into orders select n, n * 9.99 from generate_series(1, 500) n on conflict do nothing');
}
`,
    },
    command: ['npm', 'start'],
    pool: { setBy: 'DATABASE_POOL_SIZE' },
    routes: ['/livez', '/orders', '/orders/12'],
  },
  {
    ...nodeWithPostgres,
    name: 'type-stripping-node-24',
    build: npmInstall,
    files: {
      'package.json': nodePackage(
        'typed-notes',
        { express: '5.3.0', pg: '8.23.1', node: '24.21.0' },
        {
          type: 'module',
          engines: { node: '>=24' },
          scripts: {
            dev: 'node --watch --env-file-if-exists=.env src/main.ts',
            start: 'node --env-file-if-exists=.env src/main.ts',
          },
          devDependencies: { typescript: '5.9.3', '@types/node': '24.19.4', '@types/express': '5.0.6', '@types/pg': '8.23.1' },
        },
      ),
      'tsconfig.json': jsonText({
        compilerOptions: {
          noEmit: true,
          target: 'esnext',
          module: 'nodenext',
          rewriteRelativeImportExtensions: true,
          erasableSyntaxOnly: true,
          verbatimModuleSyntax: true,
          strict: true,
        },
      }),
      'src/settings.ts': `
const { PORT = '3000', DATABASE_URL, PG_POOL_SIZE = '10' } = process.env;
export const settings = { port: Number(PORT), databaseUrl: DATABASE_URL, poolSize: Number(PG_POOL_SIZE) } as const;
`,
      'src/store.ts': `
import { Pool } from 'pg';
import { settings } from './settings.ts';
export interface Note { id: number; text: string }
const pool: Pool = new Pool({ connectionString: settings.databaseUrl, max: settings.poolSize });
await pool.query('create table if not exists notes (id int primary key, text text not null)');
await pool.query("insert into notes select n, 'note ' || n from generate_series(1, 30) n on conflict do nothing");
export const allNotes = async (): Promise<Note[]> => (await pool.query<Note>('select * from notes order by id')).rows;
export async function oneNote(id: number): Promise<Note | undefined> {
  return (await pool.query<Note>('select * from notes where id = $1', [id])).rows[0];
}
`,
      'src/main.ts': `
import express, { type Request, type Response } from 'express';
import { settings } from './settings.ts';
import { allNotes, oneNote } from './store.ts';
const app = express();
app.get('/notes', async (_req: Request, res: Response) => void res.json(await allNotes()));
app.get('/notes/:id', async (req: Request<{ id: string }>, res: Response) => {
  const note = await oneNote(Number(req.params.id));
  if (note) res.json(note);
  else res.sendStatus(404);
});
app.listen(settings.port, () => console.log('listening on', settings.port));
`,
    },
    command: ['npm', 'start'],
    pool: { setBy: 'PG_POOL_SIZE' },
    routes: ['/notes', '/notes/3'],
  },
];

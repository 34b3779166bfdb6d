import type { FieldService } from '../fieldService.ts';
import { jsonText, nodePackage, nodeWithPostgres, npmInstall, typescriptCompiler } from './nodePackage.ts';

/** Services whose work is called by name: procedures, jobs of a queue, actions of other services. */
export const nodeProcedureServices: readonly FieldService[] = [
  {
    ...nodeWithPostgres,
    name: 'trpc-express-drizzle',
    build: npmInstall,
    files: {
      'package.json': nodePackage(
        'posts-api',
        {
          '@t3-oss/env-core': '0.13.11',
          '@trpc/server': '11.25.2',
          cors: '2.8.6',
          'drizzle-orm': '0.45.4',
          express: '5.3.0',
          postgres: '3.4.9',
          zod: '4.6.7',
        },
        {
          type: 'module',
          scripts: { dev: 'tsx watch src/server.ts', build: 'tsc', start: 'node dist/server.js' },
          devDependencies: { '@types/cors': '2.8.19', '@types/express': '5.0.4', tsx: '4.23.15', ...typescriptCompiler },
        },
      ),
      'tsconfig.json': jsonText({
        compilerOptions: { target: 'es2022', module: 'nodenext', outDir: 'dist', rootDir: 'src', strict: true, skipLibCheck: true },
        include: ['src'],
      }),
      'drizzle.config.ts': `
import { defineConfig } from 'drizzle-kit';
export default defineConfig({ dialect: 'postgresql', schema: './src/db/schema.ts', out: './drizzle', dbCredentials: { url: process.env.DATABASE_URL! } });
`,
      'drizzle/0000_init.sql': `CREATE TABLE "posts" (
	"id" serial PRIMARY KEY NOT NULL,
	"title" varchar(256) NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
INSERT INTO "posts" ("title") SELECT 'Post ' || n FROM generate_series(1, 40) n;
`,
      'drizzle/meta/_journal.json': jsonText({
        version: '7',
        dialect: 'postgresql',
        entries: [{ idx: 0, version: '7', when: 1735689600000, tag: '0000_init', breakpoints: true }],
      }),
      'src/env.ts': `
import { createEnv } from '@t3-oss/env-core';
import { z } from 'zod';

export const env = createEnv({
  server: { DATABASE_URL: z.url(), PORT: z.coerce.number().default(2022), CORS_ORIGIN: z.string().optional() },
  runtimeEnv: process.env,
  emptyStringAsUndefined: true,
});
`,
      'src/db/schema.ts': `
import { pgTable, serial, timestamp, varchar } from 'drizzle-orm/pg-core';

export const posts = pgTable('posts', {
  id: serial('id').primaryKey(),
  title: varchar('title', { length: 256 }).notNull(),
  createdAt: timestamp('created_at', { withTimezone: true }).defaultNow().notNull(),
});
`,
      'src/db/index.ts': `
import { drizzle } from 'drizzle-orm/postgres-js';
import postgres from 'postgres';
import { env } from '../env.js';
import * as schema from './schema.js';

const globalForDb = globalThis as unknown as { conn: postgres.Sql | undefined };
const max = Number(new URL(env.DATABASE_URL).searchParams.get('max') ?? 10);
const conn = globalForDb.conn ?? postgres(env.DATABASE_URL, { max });
globalForDb.conn = conn;

export const db = drizzle(conn, { schema });
`,
      'src/trpc.ts': `
import { initTRPC } from '@trpc/server';
import { db } from './db/index.js';

export const createContext = ({ req }: CreateExpressContextOptions) => ({ db, agent: req.headers['user-agent'] });
const t = initTRPC.context<typeof createContext>().create();
export const router = t.router;
export const publicProcedure = t.procedure;
`,
      'src/routers/post.ts': `
import { TRPCError } from '@trpc/server';
import { asc, eq } from 'drizzle-orm';
import { z } from 'zod';
import { posts } from '../db/schema.js';
import { publicProcedure, router } from '../trpc.js';

export const postRouter = router({
  list: publicProcedure.query(({ ctx }) => ctx.db.query.posts.findMany({ orderBy: asc(posts.id), limit: 10 })),
  byId: publicProcedure.input(z.object({ id: z.number() })).query(async ({ ctx, input }) => {
    const [post] = await ctx.db.select().from(posts).where(eq(posts.id, input.id));
    if (!post) throw new TRPCError({ code: 'NOT_FOUND' });
    return post;
  }),
  create: publicProcedure
    .input(z.object({ title: z.string().min(1) }))
    .mutation(({ ctx, input }) => ctx.db.insert(posts).values(input).returning()),
});
`,
      'src/server.ts': `
import { type CreateExpressContextOptions, createExpressMiddleware } from '@trpc/server/adapters/express';
import cors from 'cors';
import { migrate } from 'drizzle-orm/postgres-js/migrator';
import express from 'express';
import { db } from './db/index.js';
import { env } from './env.js';
import { postRouter } from './routers/post.js';
import { createContext, router } from './trpc.js';

const appRouter = router({ post: postRouter });
export type AppRouter = typeof appRouter;

await migrate(db, { migrationsFolder: 'drizzle' });

const app = express();
app.use(cors({ origin: env.CORS_ORIGIN }));
app.use('/trpc', createExpressMiddleware({ router: appRouter, createContext }));
app.get('/healthz', (_req, res) => {
  res.send('ok');
});
app.listen(env.PORT, () => console.log(\`listening on http://localhost:\${env.PORT}\`));
`,
    },
    command: ['npm', 'run', 'dev'],
    // What is after the question mark sets the pool.
    env: { DATABASE_URL: 'postgres://{user}:{password}@{host}:{port}/{name}?max=8' },
    pool: { setBy: 'max in the query of DATABASE_URL' },
    routes: ['/healthz', '/trpc/post.list', '/trpc/post.byId?input=%7B%22id%22%3A3%7D'],
  },
  {
    ...nodeWithPostgres,
    name: 'pg-boss-dotenv-flow',
    build: npmInstall,
    files: {
      'package.json': nodePackage(
        'mail-queue',
        { 'dotenv-flow': '4.1.0', express: '4.22.3', pg: '8.23.1', 'pg-boss': '10.4.2' },
        { main: 'src/index.js', scripts: { start: 'node -r dotenv-flow/config src/index.js' } },
      ),
      '.env': 'APP_PORT=4100\nQUEUE_NAME=send-email\nQUEUE_CONCURRENCY=2\nPG_POOL_MAX=10\n',
      '.env.development': 'APP_PORT=4101\nPG_POOL_MAX=5\n',
      '.env.production': 'QUEUE_CONCURRENCY=10\nPG_POOL_MAX=20\n',
      'src/db.js': `
const { Pool } = require('pg');

const pool = new Pool({
  host: process.env.PG_HOST,
  port: process.env.PG_PORT,
  user: process.env.PG_USER,
  password: process.env.PG_PASSWORD,
  database: process.env.PG_DATABASE,
  max: parseInt(process.env.PG_POOL_MAX, 10),
});

module.exports = {
  pool,
  async prepare() {
    await pool.query('create table if not exists outbox (id serial primary key, recipient text not null, sent_at timestamptz)');
    await pool.query("insert into outbox (recipient) select 'reader' || n || '@example.com' from generate_series(1, 25) n where not exists (select 1 from outbox)");
  },
};
`,
      'src/queue.js': `
const PgBoss = require('pg-boss');
const { pool } = require('./db');

const { PG_HOST: host, PG_PORT: port, PG_USER: user, PG_PASSWORD: password, PG_DATABASE: database } = process.env;
const boss = new PgBoss({ host, port: Number(port), user, password, database, max: 3, application_name: 'mail-queue' });
boss.on('error', console.error);

const queue = process.env.QUEUE_NAME;

module.exports = {
  boss,
  queue,
  async start() {
    await boss.start();
    await boss.createQueue(queue);
    await boss.work(queue, { batchSize: Number(process.env.QUEUE_CONCURRENCY) }, async (jobs) => {
      for (const job of jobs) await pool.query('update outbox set sent_at = now() where id = $1', [job.data.id]);
    });
  },
};
`,
      'src/routes/emails.js': `
const { Router } = require('express');
const { pool } = require('../db');
const { boss, queue } = require('../queue');

const router = Router();
const wrap = (handler) => (req, res, next) => handler(req, res).catch(next);

router.get(
  '/',
  wrap(async (req, res) => {
    const { rows } = await pool.query('select id, recipient, sent_at from outbox order by id limit 20');
    res.json(rows);
  }),
);

router.get(
  '/stats',
  wrap(async (req, res) => {
    const waiting = await boss.getQueueSize(queue);
    res.json({ queue, waiting });
  }),
);

router.get(
  '/:id(\\\\d+)',
  wrap(async (req, res) => {
    const { rows } = await pool.query('select id, recipient, sent_at from outbox where id = $1', [req.params.id]);
    if (rows.length === 0) return res.sendStatus(404);
    res.json(rows[0]);
  }),
);

router.post(
  '/',
  wrap(async (req, res) => {
    const { rows } = await pool.query('insert into outbox (recipient) values ($1) returning id', [req.body.recipient]);
    const job = await boss.send(queue, { id: rows[0].id });
    res.status(202).json({ job });
  }),
);

module.exports = router;
`,
      'src/index.js': `
const express = require('express');
const db = require('./db');
const queue = require('./queue');

async function main() {
  await db.prepare();
  await queue.start();

  const app = express();
  app.use(express.json());
  app.use('/emails', require('./routes/emails'));
  app.use((err, req, res, next) => {
    console.error(err);
    res.status(500).json({ error: err.message });
  });

  const server = app.listen(process.env.APP_PORT, () => console.log('listening on ' + process.env.APP_PORT));
  process.on('SIGTERM', async () => {
    server.close();
    await queue.boss.stop();
    await db.pool.end();
  });
}

main().catch((err) => {
  console.error(err);
  process.exit(1);
});
`,
    },
    command: ['npm', 'start'],
    env: {
      NODE_ENV: 'development',
      PG_HOST: '{host}',
      PG_PORT: '{port}',
      PG_USER: '{user}',
      PG_PASSWORD: '{password}',
      PG_DATABASE: '{name}',
    },
    pool: { setBy: 'PG_POOL_MAX' },
    routes: ['/emails', '/emails/stats', '/emails/3'],
  },
  {
    ...nodeWithPostgres,
    name: 'moleculer-project',
    build: npmInstall,
    files: {
      'package.json': nodePackage(
        'moleculer-store',
        {
          moleculer: '0.14.36',
          'moleculer-db': '0.8.29',
          'moleculer-db-adapter-sequelize': '0.2.19',
          'moleculer-web': '0.10.8',
          pg: '8.23.1',
          sequelize: '6.37.8',
        },
        {
          scripts: {
            dev: 'moleculer-runner --repl --hot services/**/*.service.js',
            start: 'moleculer-runner --config moleculer.config.js services/**/*.service.js',
          },
        },
      ),
      'moleculer.config.js': `"use strict";

/** @type {import('moleculer').BrokerOptions} */
module.exports = {
	namespace: "",
	nodeID: null,
	logger: { type: "Console", options: { colors: true, level: "info", formatter: "full" } },
	logLevel: "info",
	transporter: null,
	requestTimeout: 10 * 1000,
	retryPolicy: { enabled: false },
	tracking: { enabled: false, shutdownTimeout: 5000 },
	registry: { strategy: "RoundRobin", preferLocal: true },
	validator: true,
	metrics: { enabled: false },
	tracing: { enabled: false },
};
`,
      'mixins/db.mixin.js': `"use strict";

const DbService = require("moleculer-db");
const SqlAdapter = require("moleculer-db-adapter-sequelize");

module.exports = function () {
	return {
		mixins: [DbService],
		adapter: new SqlAdapter(process.env.POSTGRES_URI, { dialect: "postgres", logging: false, pool: { max: 6, min: 0, idle: 10000 } }),
		methods: {
			async entityChanged(type, json, ctx) {
				await this.clearCache();
			},
		},
		async started() {
			if (this.seedDB) {
				const count = await this.adapter.count();
				if (count === 0) {
					this.logger.info("The table '" + this.name + "' is empty. Seeding...");
					await this.seedDB();
				}
			}
		},
	};
};
`,
      'services/api.service.js': `"use strict";

const ApiGateway = require("moleculer-web");

module.exports = {
	name: "api",
	mixins: [ApiGateway],
	settings: {
		port: process.env.PORT || 3000,
		ip: "0.0.0.0",
		routes: [
			{
				path: "/api",
				whitelist: ["**"],
				mergeParams: true,
				autoAliases: true,
				aliases: {},
				bodyParsers: { json: { strict: false, limit: "1MB" }, urlencoded: { extended: true, limit: "1MB" } },
				mappingPolicy: "all",
				logging: true,
			},
		],
		log4XXResponses: false,
	},
};
`,
      'services/greeter.service.js': `"use strict";

module.exports = {
	name: "greeter",
	actions: {
		hello: {
			rest: { method: "GET", path: "/hello" },
			async handler() {
				return "Hello Moleculer";
			},
		},
		welcome: {
			rest: "/welcome",
			params: { name: "string" },
			async handler(ctx) {
				return \`Welcome, \${ctx.params.name}\`;
			},
		},
	},
};
`,
      'services/products.service.js': `"use strict";

const Sequelize = require("sequelize");
const DbMixin = require("../mixins/db.mixin");

module.exports = {
	name: "products",
	mixins: [DbMixin()],
	model: {
		name: "product",
		define: { name: Sequelize.STRING, quantity: Sequelize.INTEGER, price: Sequelize.INTEGER },
		options: { timestamps: false },
	},
	settings: { fields: ["id", "name", "quantity", "price"], entityValidator: { name: "string|min:3", price: "number|positive" } },
	actions: {
		increaseQuantity: {
			rest: "PUT /:id/quantity/increase",
			params: { id: "string", value: "number|integer|positive" },
			async handler(ctx) {
				const doc = await this.adapter.updateById(ctx.params.id, { $set: { quantity: ctx.params.value } });
				return this.transformDocuments(ctx, ctx.params, doc);
			},
		},
	},
	methods: {
		async seedDB() {
			await this.adapter.insertMany(Array.from({ length: 30 }, (_, n) => ({ name: "Product " + n, quantity: n, price: 100 + n })));
		},
	},
};
`,
    },
    command: ['npm', 'start'],
    env: { POSTGRES_URI: '{database}' },
    routes: ['/api/greeter/hello', '/api/products', '/api/products/3'],
  },
];

import type { FieldService } from '../fieldService.ts';
import { jsonText, nodePackage, nodeWithPostgres, npmInstallAndBuild, typescriptCompiler } from './nodePackage.ts';

const react = { react: '19.1.10', 'react-dom': '19.1.10' } as const;
const reactTypes = { '@types/react': '19.1.17', '@types/react-dom': '19.1.11' } as const;

/** Frameworks that render pages on the server and are built before they start. */
export const nodePageServices: readonly FieldService[] = [
  {
    ...nodeWithPostgres,
    name: 'next-app-router',
    build: npmInstallAndBuild,
    files: {
      'package.json': nodePackage(
        'next-shop',
        { next: '15.5.29', ...react, pg: '8.23.1', 'drizzle-orm': '0.44.7' },
        {
          scripts: { dev: 'next dev', build: 'NEXT_TELEMETRY_DISABLED=1 next build', start: 'next start' },
          devDependencies: { ...typescriptCompiler, ...reactTypes, '@types/pg': '8.23.1' },
        },
      ),
      'tsconfig.json': jsonText({
        compilerOptions: {
          target: 'ES2017',
          lib: ['dom', 'dom.iterable', 'esnext'],
          skipLibCheck: true,
          strict: true,
          noEmit: true,
          esModuleInterop: true,
          module: 'esnext',
          moduleResolution: 'bundler',
          resolveJsonModule: true,
          isolatedModules: true,
          jsx: 'preserve',
          incremental: true,
          plugins: [{ name: 'next' }],
          paths: { '@/*': ['./*'] },
        },
        include: ['next-env.d.ts', '**/*.ts', '**/*.tsx', '.next/types/**/*.ts'],
        exclude: ['node_modules'],
      }),
      'next.config.ts': `import type { NextConfig } from 'next';\nconst nextConfig: NextConfig = {};\nexport default nextConfig;\n`,
      'db/schema.ts': `
import { integer, pgTable, serial, text } from 'drizzle-orm/pg-core';
export const products = pgTable('products', { id: serial('id').primaryKey(), name: text('name').notNull(), price: integer('price').notNull() });
`,
      'db/index.ts': `
import { drizzle } from 'drizzle-orm/node-postgres';
import { Pool } from 'pg';
import * as schema from './schema';
const globalForDb = globalThis as unknown as { pool?: Pool };
const pool = globalForDb.pool ?? new Pool({ connectionString: process.env.DATABASE_URL });
globalForDb.pool = pool;
export const db = drizzle({ client: pool, schema });
`,
      'drizzle/0000_init.sql': `CREATE TABLE "products" ("id" serial PRIMARY KEY NOT NULL, "name" text NOT NULL, "price" integer NOT NULL);
--> statement-breakpoint
INSERT INTO "products" ("name", "price") SELECT 'Product ' || n, n * 100 FROM generate_series(1, 40) n;
`,
      'drizzle/meta/_journal.json': jsonText({
        version: '7',
        dialect: 'postgresql',
        entries: [{ idx: 0, version: '7', when: 1735689600000, tag: '0000_init', breakpoints: true }],
      }),
      'instrumentation.ts': `
export async function register() {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return;
  const { migrate } = await import('drizzle-orm/node-postgres/migrator');
  const { db } = await import('./db');
  await migrate(db, { migrationsFolder: './drizzle' });
}
`,
      'app/layout.tsx': `
export const metadata = { title: 'Shop' };
export default function RootLayout({ children }: { children: React.ReactNode }) {
  return <html lang="en"><body>{children}</body></html>;
}
`,
      'app/page.tsx': `
import Link from 'next/link';
import { db } from '@/db';
import { products } from '@/db/schema';
export const dynamic = 'force-dynamic';
export default async function Home() {
  const rows = await db.select().from(products).limit(10);
  return <ul>{rows.map((row) => <li key={row.id}><Link href={'/products/' + row.id}>{row.name}</Link></li>)}</ul>;
}
`,
      'app/products/[id]/page.tsx': `
import { eq } from 'drizzle-orm';
import { notFound } from 'next/navigation';
import { db } from '@/db';
import { products } from '@/db/schema';
export default async function ProductPage({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  const [row] = await db.select().from(products).where(eq(products.id, Number(id)));
  if (!row) notFound();
  return <h1>{row.name}</h1>;
}
`,
      'app/api/products/route.ts': `
import { NextRequest, NextResponse } from 'next/server';
import { db } from '@/db';
import { products } from '@/db/schema';
export async function GET(request: NextRequest) {
  const limit = Number(request.nextUrl.searchParams.get('limit') ?? 20);
  return NextResponse.json(await db.select().from(products).limit(limit));
}
export async function POST(request: NextRequest) {
  const [row] = await db.insert(products).values(await request.json()).returning();
  return NextResponse.json(row, { status: 201 });
}
`,
      'app/api/products/[id]/route.ts': `
import { eq } from 'drizzle-orm';
import { NextResponse } from 'next/server';
import { db } from '@/db';
import { products } from '@/db/schema';
export async function GET(_request: Request, { params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  const [row] = await db.select().from(products).where(eq(products.id, Number(id)));
  return row ? NextResponse.json(row) : NextResponse.json({ error: 'not found' }, { status: 404 });
}
`,
    },
    command: ['npm', 'start'],
    routes: ['/', '/products/3', '/api/products', '/api/products/3'],
  },
  {
    ...nodeWithPostgres,
    name: 'nuxt-nitro',
    build: npmInstallAndBuild,
    files: {
      'package.json': nodePackage(
        'nuxt-events',
        { nuxt: '3.21.11', vue: '3.5.45', 'vue-router': '4.6.5', pg: '8.23.1' },
        {
          type: 'module',
          scripts: {
            build: 'NUXT_TELEMETRY_DISABLED=1 nuxt build',
            dev: 'nuxt dev',
            generate: 'nuxt generate',
            preview: 'nuxt preview',
            postinstall: 'NUXT_TELEMETRY_DISABLED=1 nuxt prepare',
          },
        },
      ),
      'nuxt.config.ts': `
export default defineNuxtConfig({
  compatibilityDate: '2025-07-15',
  runtimeConfig: { databaseUrl: '', databasePoolMax: 10 },
});
`,
      'tsconfig.json': jsonText({ extends: './.nuxt/tsconfig.json' }),
      'app.vue': `<template><NuxtPage /></template>\n`,
      'pages/index.vue': `<script setup>
const { data: events } = await useFetch('/api/events');
</script>
<template><ul><li v-for="event in events" :key="event.id">{{ event.title }}</li></ul></template>
`,
      'server/utils/db.ts': `
import pg from 'pg';
let pool: pg.Pool | undefined;
export function useDb() {
  const config = useRuntimeConfig();
  pool ??= new pg.Pool({ connectionString: config.databaseUrl, max: Number(config.databasePoolMax) });
  return pool;
}
`,
      'server/plugins/database.ts': `
export default defineNitroPlugin(async () => {
  await useDb().query('create table if not exists events (id int primary key, title text not null)');
  await useDb().query("insert into events select n, 'Event ' || n from generate_series(1, 30) n on conflict do nothing");
});
`,
      'server/api/events/index.get.ts': `
export default defineEventHandler(async () => (await useDb().query('select id, title from events order by id limit 20')).rows);
`,
      'server/api/events/[id].get.ts': `
export default defineEventHandler(async (event) => {
  const { rows } = await useDb().query('select id, title from events where id = $1', [Number(getRouterParam(event, 'id'))]);
  if (!rows[0]) throw createError({ statusCode: 404, statusMessage: 'Event not found' });
  return rows[0];
});
`,
      'server/api/events/index.post.ts': `
export default defineEventHandler(async (event) => {
  const { id, title } = await readBody(event);
  await useDb().query('insert into events values ($1, $2)', [id, title]);
  return { id };
});
`,
      'server/routes/healthz.get.ts': `export default defineEventHandler(() => ({ status: 'ok' }));\n`,
    },
    command: ['node', '.output/server/index.mjs'],
    env: { NUXT_DATABASE_URL: '{database}' },
    pool: { setBy: 'NUXT_DATABASE_POOL_MAX' },
    routes: ['/', '/api/events', '/api/events/2', '/healthz'],
  },
  {
    ...nodeWithPostgres,
    name: 'sveltekit-node',
    build: npmInstallAndBuild,
    files: {
      'package.json': nodePackage(
        'svelte-notes',
        { postgres: '3.4.9' },
        {
          type: 'module',
          scripts: { dev: 'vite dev', build: 'vite build', preview: 'vite preview', prepare: 'svelte-kit sync' },
          devDependencies: {
            '@sveltejs/adapter-node': '5.5.7',
            '@sveltejs/kit': '2.70.4',
            '@sveltejs/vite-plugin-svelte': '6.2.4',
            svelte: '5.57.3',
            vite: '7.3.8',
          },
        },
      ),
      'svelte.config.js': `
import adapter from '@sveltejs/adapter-node';
export default { kit: { adapter: adapter() } };
`,
      'vite.config.js': `
import { sveltekit } from '@sveltejs/kit/vite';
import { defineConfig } from 'vite';
export default defineConfig({ plugins: [sveltekit()] });
`,
      'src/app.html': `<!doctype html>
<html lang="en"><head><meta charset="utf-8" />%sveltekit.head%</head><body><div>%sveltekit.body%</div></body></html>
`,
      'src/lib/server/db.js': `
import { env } from '$env/dynamic/private';
import postgres from 'postgres';
export const sql = postgres(env.DATABASE_URL ?? '');
`,
      'src/hooks.server.js': `
import { sql } from '$lib/server/db';
export async function init() {
  await sql\`create table if not exists notes (id serial primary key, body text not null)\`;
  await sql\`insert into notes (body) select 'note ' || n from generate_series(1, 25) n\`;
}
`,
      'src/routes/+page.server.js': `
import { sql } from '$lib/server/db';
export const load = async () => ({ notes: await sql\`select id, body from notes order by id limit 5\` });
export const actions = {
  default: async ({ request }) => {
    const form = await request.formData();
    await sql\`insert into notes (body) values (\${String(form.get('body'))})\`;
  },
};
`,
      'src/routes/+page.svelte': `<script>let { data } = $props();</script>
<ul>{#each data.notes as note (note.id)}<li><a href="/notes/{note.id}">{note.body}</a></li>{/each}</ul>
<form method="POST"><input name="body" /><button>Add</button></form>
`,
      'src/routes/notes/[id]/+page.server.js': `
import { error } from '@sveltejs/kit';
import { sql } from '$lib/server/db';
export const load = async ({ params }) => {
  const [note] = await sql\`select id, body from notes where id = \${Number(params.id)}\`;
  if (!note) error(404, 'Not found');
  return { note };
};
`,
      'src/routes/notes/[id]/+page.svelte': `<script>let { data } = $props();</script>\n<h1>{data.note.body}</h1>\n`,
      'src/routes/api/notes/+server.js': `
import { json } from '@sveltejs/kit';
import { sql } from '$lib/server/db';
export const GET = async () => json(await sql\`select id, body from notes order by id limit 20\`);
`,
    },
    command: ['node', 'build'],
    routes: ['/', '/notes/4', '/api/notes'],
  },
  {
    runtime: 'node',
    name: 'astro-node',
    build: npmInstallAndBuild,
    files: {
      'package.json': nodePackage(
        'astro-quotes',
        { astro: '5.18.2', '@astrojs/node': '9.5.5' },
        {
          type: 'module',
          scripts: { dev: 'astro dev', build: 'ASTRO_TELEMETRY_DISABLED=1 astro build', preview: 'astro preview', astro: 'astro' },
        },
      ),
      'astro.config.mjs': `
import node from '@astrojs/node';
import { defineConfig } from 'astro/config';
export default defineConfig({ output: 'server', adapter: node({ mode: 'standalone' }) });
`,
      'src/data/quotes.js': `export const quotes = ['Less is more.', 'Know thyself.', 'Carpe diem.'].map((text, n) => ({ id: n + 1, text }));\n`,
      'src/pages/index.astro': `---
import { quotes } from '../data/quotes.js';
---
<html lang="en"><body><ul>{quotes.map(({ id, text }) => <li><a href={'/quotes/' + id}>{text}</a></li>)}</ul></body></html>
`,
      'src/pages/about.astro': `---
export const prerender = true;
---
<html lang="en"><body>About</body></html>
`,
      'src/pages/quotes/[id].astro': `---
import { quotes } from '../../data/quotes.js';
const quote = quotes.find(({ id }) => id === Number(Astro.params.id));
if (!quote) return new Response(null, { status: 404 });
---
<html lang="en"><body><blockquote>{quote.text}</blockquote></body></html>
`,
      'src/pages/api/quotes.json.js': `
import { quotes } from '../../data/quotes.js';
export const GET = () => Response.json(quotes);
`,
    },
    command: ['node', './dist/server/entry.mjs'],
    env: {},
    usesPostgres: false,
    pool: null,
    routes: ['/', '/about', '/quotes/2', '/api/quotes.json'],
  },
  {
    ...nodeWithPostgres,
    name: 'react-router-serve',
    build: npmInstallAndBuild,
    files: {
      'package.json': nodePackage(
        'router-books',
        {
          '@react-router/node': '7.18.4',
          '@react-router/serve': '7.18.4',
          isbot: '5.2.3',
          ...react,
          'react-router': '7.18.4',
          pg: '8.23.1',
          'node-pg-migrate': '8.0.4',
        },
        {
          type: 'module',
          scripts: {
            build: 'react-router build',
            dev: 'react-router dev',
            migrate: 'node-pg-migrate',
            start: 'npm run migrate up && react-router-serve ./build/server/index.js',
          },
          devDependencies: { '@react-router/dev': '7.18.4', vite: '7.3.8', ...typescriptCompiler, ...reactTypes, '@types/pg': '8.23.1' },
        },
      ),
      'vite.config.ts': `
import { reactRouter } from '@react-router/dev/vite';
import { defineConfig } from 'vite';
export default defineConfig({ plugins: [reactRouter()] });
`,
      'react-router.config.ts': `
import type { Config } from '@react-router/dev/config';
export default { ssr: true } satisfies Config;
`,
      'migrations/1735689600000_create-books.sql': `-- Up Migration
CREATE TABLE books (id serial PRIMARY KEY, title text NOT NULL);
INSERT INTO books (title) SELECT 'Book ' || n FROM generate_series(1, 50) n;

-- Down Migration
DROP TABLE books;
`,
      'app/db.server.ts': `
import pg from 'pg';
declare global { var __pool: pg.Pool | undefined }
export const pool = (global.__pool ??= new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 }));
`,
      'app/root.tsx': `
import { Links, Meta, Outlet, Scripts } from 'react-router';
export default function App() {
  return <html lang="en"><head><Meta /><Links /></head><body><Outlet /><Scripts /></body></html>;
}
`,
      'app/routes.ts': `
import { type RouteConfig, index, route } from '@react-router/dev/routes';
export default [index('routes/home.tsx'), route('books/:bookId', 'routes/book.tsx'), route('api/books', 'routes/api.books.ts')] satisfies RouteConfig;
`,
      'app/routes/home.tsx': `
import { Link, useLoaderData } from 'react-router';
import { pool } from '../db.server';
export async function loader() {
  const { rows } = await pool.query('select id, title from books order by id limit 10');
  return { books: rows as { id: number; title: string }[] };
}
export default function Home() {
  const { books } = useLoaderData<typeof loader>();
  return <ul>{books.map(({ id, title }) => <li key={id}><Link to={'/books/' + id}>{title}</Link></li>)}</ul>;
}
`,
      'app/routes/book.tsx': `
import { type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { pool } from '../db.server';
export async function loader({ params }: LoaderFunctionArgs) {
  const { rows } = await pool.query('select id, title from books where id = $1', [Number(params.bookId)]);
  if (!rows[0]) throw new Response('Not Found', { status: 404 });
  return rows[0] as { id: number; title: string };
}
export default function Book() {
  return <h1>{useLoaderData<typeof loader>().title}</h1>;
}
`,
      'app/routes/api.books.ts': `
import { pool } from '../db.server';
export async function loader() {
  return Response.json((await pool.query('select id, title from books order by id limit 20')).rows);
}
`,
    },
    command: ['npm', 'start'],
    routes: ['/', '/books/3', '/api/books'],
  },
];

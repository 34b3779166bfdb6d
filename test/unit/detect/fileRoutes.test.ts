import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { fileRoutes } from '../../../src/engine/detect/fileRoutes.ts';
import { FolderFiles } from '../../../src/engine/detect/folderFiles.ts';
import { writeFiles } from '../../support/writeFiles.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'benchside-files-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const page = 'export default () => null;';

it.each([
  [
    'next',
    {
      'pages/_app.js': page,
      'pages/404.js': page,
      'pages/index.js': page,
      'pages/status/index.jsx': page,
      'pages/api/v1/users/[username]/index.js': 'router.get(one);\nrouter.patch(other);',
      'pages/api/v1/sessions/index.js': 'router.post(add);',
      'src/app/(shop)/cart/page.tsx': page,
      'src/app/api/items/[id]/route.ts':
        "// export function PUT\nexport const dynamic = 'auto';\nexport async function GET() {}\nexport const DELETE = () => {};",
    },
    [
      'GET /',
      'GET /api/v1/users/:username',
      'GET /cart',
      'GET /status',
      'src/app/api/items/[id]/route.ts:3 GET /api/items/:id',
      'src/app/api/items/[id]/route.ts:4 DELETE /api/items/:id',
    ],
  ],
  [
    'nuxt',
    {
      'server/api/notes/index.get.ts': page,
      'server/api/notes/[id].delete.ts': page,
      'server/api/hello.ts': page,
      'server/routes/feed.ts': page,
      'server/utils/db.ts': page,
      'pages/notes/[id].vue': '<template/>',
    },
    ['DELETE /api/notes/:id', 'GET /api/hello', 'GET /api/notes', 'GET /feed', 'GET /notes/:id'],
  ],
  [
    '@sveltejs/kit',
    { 'src/routes/+page.svelte': '', 'src/routes/(app)/notes/[id=integer]/+server.ts': 'export const GET = async () => {};' },
    ['GET /', 'GET /notes/:id'],
  ],
  [
    'astro',
    {
      'src/pages/index.astro': '',
      'src/pages/api/items.ts': 'export const POST = add;\nexport { GET } from "x";',
      'src/pages/util.ts': '',
    },
    ['GET /', 'GET /api/items', 'POST /api/items'],
  ],
  ['express', { 'pages/index.js': page, 'src/pages/index.astro': '' }, []],
])('the files of %s are its routes', (name, files, routes) => {
  writeFiles(dir, { 'package.json': JSON.stringify({ name: 'notes', dependencies: { [name]: '1' } }), ...files });
  const seen = fileRoutes(new FolderFiles(dir), '.').map(({ route, file, line }) => ({
    text: `${route.method} ${route.path}`,
    place: `${file}:${line}`,
  }));
  const told = routes.map((one) => one.split(' ').slice(-2).join(' '));
  expect(seen.map(({ text }) => text).sort()).toEqual([...told].sort());
  for (const one of routes.filter((route) => route.split(' ').length === 3))
    expect(seen.map(({ place, text }) => `${place} ${text}`)).toContain(one);
});

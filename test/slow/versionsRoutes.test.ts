import { afterAll, expect, it } from 'vitest';
import { briefLoad, removeTemporaryFolders, TestEngine } from '../support/engine.ts';
import { commitFiles, gitRepository } from '../support/gitRepository.ts';
import { shopSchema, shopTarget } from '../support/shopTarget.ts';
import { diffReasons } from '../../src/model/presentation/diffWords.ts';

const service = (items: string): string => `
  const http = require('node:http');
  const { Pool } = require('pg');
  const pool = new Pool({ connectionString: process.env.DATABASE_URL, max: 4 });
  http.createServer(async (request, response) => {
    if (request.url === '/plain') return response.end('plain');
    ${items}
    response.end(JSON.stringify(rows));
  }).listen(process.env.PORT);`;
const joined = `const { rows } = await pool.query('select id, name from items where id < 9');`;
const oneByOne = `const { rows } = await pool.query('select id from items where id < 9');
    for (const { id } of rows) await pool.query('select name from items where id = $1', [id]);`;
const target = {
  ...shopTarget,
  ready: { path: '/plain' },
  routes: [
    { path: '/plain', weight: 19 },
    { path: '/items', weight: 1 },
  ],
};

afterAll(removeTemporaryFolders);

it(
  'a route that one request in twenty asks for is told by itself: its statements are counted, and it comes first',
  { timeout: 400_000 },
  async () => {
    const workspaceDir = gitRepository({
      'benchside.json': JSON.stringify({ targets: [target], loadProfiles: [briefLoad] }),
      'schema.sql': shopSchema,
      'server.js': service(joined),
      '.gitignore': '.benchside\n',
    });
    commitFiles(workspaceDir, { 'server.js': service(oneByOne) }, 'one by one');
    const engine = await TestEngine.start({ workspaceDir });
    try {
      const { compared } = await engine.measure({ kind: 'diff', base: 'HEAD~1', head: 'HEAD', load: 'brief', budgetS: 75, why: false });
      const diff = compared?.diff;
      expect(diff?.verdict).toBe('worse');
      const [first, second] = diff?.routes ?? [];
      expect(first).toMatchObject({ route: 'GET /items', share: 0.05, verdict: 'worse' });
      const statements = first?.metrics.find(({ id }) => id === 'statements');
      // Requests straddle the edges of a block, the more the busier the machine is.
      expect(statements?.base).toBeCloseTo(1, 0);
      expect(statements?.head).toBeGreaterThan(7);
      expect(statements?.head).toBeLessThan(11);
      expect(first?.statements[0]).toMatchObject({ kind: 'new', nPlusOne: true });
      expect(second).toMatchObject({ route: 'GET /plain' });
      expect(second?.metrics.find(({ id }) => id === 'statements')).toMatchObject({ base: 0, head: 0, verdict: 'same' });
      expect(diff && diffReasons(diff).join('\n')).toMatch(/GET \/items alone \(5 % of the mix\): .*statements per request \S+ → /);
    } finally {
      await engine.dispose();
    }
  },
);

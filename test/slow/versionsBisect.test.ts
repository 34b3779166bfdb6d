import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import * as z from 'zod';
import { versionDiffSchema } from '../../src/model/domain/versionDiff.ts';
import { briefLoad, removeTemporaryFolders, repositoryDir, temporaryFolder } from '../support/engine.ts';
import { commitFiles, gitIn, gitRepository } from '../support/gitRepository.ts';
import { shopSchema, shopTarget } from '../support/shopTarget.ts';

const service = (query: string): string => `const { Pool } = require('pg');
const pool = new Pool({ connectionString: process.env.DATABASE_URL, max: 4 });
async function items() {
  ${query}
  return rows;
}
require('node:http').createServer(async (request, response) => {
  if (request.url === '/health') return response.end('ok');
  response.end(JSON.stringify(await items()));
}).listen(process.env.PORT);
`;
const joined = `const { rows } = await pool.query('select id, name from items where id < 20');`;
const oneByOne = `const { rows } = await pool.query('select id from items where id < 20');
  for (const row of rows) row.name = (await pool.query('select name from items where id = $1', [row.id])).rows[0].name;`;
const declaration = {
  loadProfiles: [{ ...briefLoad, timeoutMs: 5000 }],
  targets: [shopTarget],
};
const answerSchema = z.object({
  bisect: z.object({ culprits: z.array(z.string()), chance: z.number(), slower: z.string(), diff: versionDiffSchema }),
});

afterAll(removeTemporaryFolders);

it(
  'benchside bisect finds the commit that sends a statement for each row among six, with the statement as evidence, and touches nothing of the repository',
  { timeout: 580_000 },
  () => {
    const top = gitRepository({
      'benchside.json': JSON.stringify(declaration),
      'server.js': service(joined),
      'schema.sql': shopSchema,
      '.gitignore': '.benchside\n',
    });
    for (const index of [1, 2, 3]) commitFiles(top, { [`notes${index}.txt`]: '' }, `note ${index}`);
    commitFiles(top, { 'server.js': service(oneByOne) }, 'names one by one');
    const culprit = gitIn(top, 'rev-parse', 'HEAD');
    for (const index of [4, 5]) commitFiles(top, { [`notes${index}.txt`]: '' }, `note ${index}`);

    const asked = ['bisect', 'HEAD~6', 'HEAD', '--load', 'brief', '--connections', '4', '--budget', '20', '--json'];
    const { status, stdout, stderr } = spawnSync(process.execPath, [path.join(repositoryDir, 'dist', 'cli.cjs'), ...asked], {
      cwd: top,
      encoding: 'utf8',
      env: { ...process.env, BENCHSIDE_STORAGE: temporaryFolder('storage') },
    });
    expect(status, stderr).toBe(0);
    const { bisect } = answerSchema.parse(JSON.parse(stdout));
    expect(bisect).toMatchObject({ culprits: [culprit], chance: 1, slower: 'decided' });
    expect(bisect.diff.statements).toContainEqual(
      expect.objectContaining({ kind: 'new', nPlusOne: true, sql: expect.stringContaining('select name from items where id') as string }),
    );
    // Three comparisons find one of six, in addition to that of the newest; one that can’t be decided is compared a second time.
    const compared = stderr.match(/^[0-9a-f]{7} “[^”]*”: /gm) ?? [];
    expect(new Set(compared).size).toBeGreaterThan(1);
    expect(new Set(compared).size).toBeLessThanOrEqual(4);
    expect(gitIn(top, 'status', '--porcelain')).toBe('');
    expect(gitIn(top, 'worktree', 'list').split('\n')).toHaveLength(1);
    expect(gitIn(top, 'branch', '--list')).toBe('* main');
  },
);

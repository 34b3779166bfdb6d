import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Told, AgentClient, handleOf } from '../support/agentClient.ts';
import { removeTemporaryFolders, repositoryDir, temporaryFolder } from '../support/engine.ts';

/** Names that a client cannot guess. */
const word = (): string =>
  Math.random()
    .toString(36)
    .replace(/[^a-z]/g, '')
    .padEnd(6, 'q')
    .slice(0, 6);
const [slowFunction, table, file] = [`weigh_${word()}`, `parts_${word()}`, `${word()}.js`];

const helper = `
  // Far more work than the answer needs.
  exports.${slowFunction} = function ${slowFunction}(text) {
    let sum = 0;
    for (let round = 0; round < 1200; round += 1) for (const character of text) sum = (sum * 31 + character.charCodeAt(0)) % 65521;
    return sum;
  };`;
const server = `
  const http = require('node:http');
  const { Pool } = require('pg');
  const { ${slowFunction} } = require('./${file}');
  const pool = new Pool({ connectionString: process.env.DATABASE_URL, max: Number(process.env.POOL) });
  async function listing() {
    const { rows } = await pool.query('select id from ${table} where id <= 12 order by id');
    for (const row of rows) row.name = (await pool.query('select name from ${table} where id = $1', [row.id])).rows[0].name;
    return rows;
  }
  http.createServer(async (request, response) => {
    if (request.url === '/health') return response.end('ok');
    const rows = await listing();
    response.end(JSON.stringify({ rows, check: ${slowFunction}(JSON.stringify(rows)) }));
  }).listen(process.env.PORT, '127.0.0.1');`;

let workspaceDir: string;
beforeAll(() => {
  workspaceDir = path.join(temporaryFolder('agent'), 'service');
  mkdirSync(workspaceDir);
  const write = (name: string, text: string): void => writeFileSync(path.join(workspaceDir, name), text);
  write('server.js', server);
  write(file, helper);
  write(
    'schema.sql',
    `create table ${table} (id int primary key, name text);\ninsert into ${table} select n, 'part ' || n from generate_series(1, 100) n;`,
  );
  write(
    'benchside.json',
    JSON.stringify({
      targets: [
        {
          id: 'unseen',
          runtime: 'node',
          command: ['node', 'server.js'],
          ready: { path: '/health' },
          routes: [{ path: '/parts' }],
          env: { NODE_PATH: path.join(repositoryDir, 'samples', 'node', 'node_modules') },
          settings: { pool: { env: 'POOL', min: 1, max: 32, default: 4 } },
          postgres: { env: { url: 'DATABASE_URL' }, database: 'unseen', sql: ['schema.sql'] },
        },
      ],
    }),
  );
});
afterAll(removeTemporaryFolders);

/** What a client that knows nothing but the answers does: it follows the calls that they name. */
async function investigate(agent: AgentClient): Promise<{ hottest: string; repeated: string[]; plan: string; explained: Told }> {
  const listed = await agent.call('list_targets');
  const begin = listed.next.find(({ tool }) => tool === 'start_run');
  const started = await agent.call('start_run', { ...begin?.input, load: 'quick', connections: 4, rounds: 3, durationS: 2 });
  const ended = await agent.untilEnded(handleOf(started));
  const follow = (told: Told, tool: 'explain_run' | 'get_hot_frames' | 'get_slow_sql'): Promise<Told> =>
    agent.call(tool, told.next.find((call) => call.tool === tool)?.input);
  const explained = await follow(ended, 'explain_run');
  const frames = await follow(explained, 'get_hot_frames');
  const sql = await follow(explained, 'get_slow_sql');
  const plan = await follow(sql, 'get_slow_sql');
  const numbers = [...(/once per row\?\): (.*)$/m.exec(sql.text)?.[1] ?? '').matchAll(/#\d+/g)].map(([number]) => number);
  return {
    hottest: frames.data.find((line) => / own, /.test(line)) ?? '',
    repeated: sql.data.filter((line) => numbers.some((number) => line.startsWith(`${number}: `))),
    plan: plan.data.join('\n'),
    explained,
  };
}

describe('a client that has never seen a service', () => {
  it(
    'finds its slow function and its N+1 by the tools’ answers alone, in at most 12 calls and 15,000 tokens',
    { timeout: 600_000 },
    async () => {
      const agent = await AgentClient.start(workspaceDir, temporaryFolder('storage'));
      try {
        const { hottest, repeated, plan, explained } = await investigate(agent);
        expect(hottest).toContain(slowFunction);
        expect(hottest).toContain(file);
        expect(repeated).toEqual([expect.stringContaining(`select name from ${table} where id = $1`)]);
        expect(plan).toContain(`plan for any value:`);
        expect(explained.text).toMatch(/^verdict: /m);
        // Five times 25 s are more than it takes; on a machine with much else to do it is waited for more often.
        expect(agent.calls - Math.max(0, agent.waits - 5)).toBeLessThanOrEqual(12);
        expect(agent.characters / 4).toBeLessThanOrEqual(15_000);
      } finally {
        await agent.close();
      }
    },
  );
});

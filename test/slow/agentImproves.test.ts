import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Told, AgentClient, handleOf, processesIn } from '../support/agentClient.ts';
import { removeTemporaryFolders, repositoryDir, temporaryFolder, untilGone } from '../support/engine.ts';
import { commitFiles, gitIn, gitRepository } from '../support/gitRepository.ts';

/** What the three services have in common: a pool, and an answer for each path. */
const serving = (answer: string): string => `
const { Pool } = require('pg');
const pool = new Pool({ connectionString: process.env.DATABASE_URL, max: Number(process.env.POOL) });
${answer}
require('node:http').createServer((request, response) => {
  if (request.url === '/health') return response.end('ok');
  answer().then((body) => response.end(JSON.stringify(body)), (error) => { response.statusCode = 500; response.end(String(error)); });
}).listen(process.env.PORT, '127.0.0.1');
`;

/** One statement for each row. */
const listing = serving(`
async function answer() {
  const { rows } = await pool.query('select id from parts where id <= 12 order by id');
  for (const row of rows) row.name = (await pool.query('select name from parts where id = $1', [row.id])).rows[0].name;
  return rows;
}`);
const joined = serving(`
async function answer() {
  return (await pool.query('select id, name from parts where id <= 12 order by id')).rows;
}`);
/** A function that does a hundred times what its answer needs. */
const weighing = serving(`
function weigh(names) {
  let sum = 0;
  for (let round = 0; round < 400; round += 1) {
    sum = 0;
    for (const name of names) for (const letter of name) sum = (sum * 31 + letter.charCodeAt(0)) % 9000;
  }
  return 1000 + sum;
}
async function answer() {
  const { rows } = await pool.query('select name from parts where id <= 40 order by id');
  return { weight: weigh(rows.map(({ name }) => name)) };
}`);
const weighingOnce = weighing.replace('round < 400', 'round < 1');
/** As fast, and as long an answer: another one. */
const weighingLess = weighingOnce.replace('* 31', '* 37');
/** A connection is held while nothing is asked of it. */
const holding = serving(`
async function answer() {
  const client = await pool.connect();
  try {
    const { rows } = await client.query('select count(*)::int as parts from parts');
    await new Promise((resolve) => setTimeout(resolve, 6));
    return rows[0];
  } finally {
    client.release();
  }
}`);
const releasing = serving(`
async function answer() {
  const { rows } = await pool.query('select count(*)::int as parts from parts');
  await new Promise((resolve) => setTimeout(resolve, 6));
  return rows[0];
}`);

const target = (id: string): object => ({
  id,
  runtime: 'node',
  command: ['node', `${id}.js`],
  ready: { path: '/health' },
  routes: [{ path: `/${id}` }],
  env: { NODE_PATH: path.join(repositoryDir, 'samples', 'node', 'node_modules') },
  settings: { pool: { env: 'POOL', min: 1, max: 32, default: 2 } },
  postgres: { env: { url: 'DATABASE_URL' }, database: 'planted', sql: ['schema.sql'] },
});

/** What a cause that the tools name is cured by: the agent knows no service, only what each kind of cause looks like in its code. */
const cures: readonly { named: RegExp; from: string; to: string }[] = [
  { named: /once per row\?\): #\d/, from: listing, to: joined },
  { named: /\bweigh\b/, from: weighing, to: weighingOnce },
  { named: /nothing (?:was )?asked|held.*idle|holds? (?:a|its) connection/i, from: holding, to: releasing },
];

let top: string;
let agent: AgentClient;
let storageDir: string;
beforeEach(async () => {
  top = gitRepository({
    'benchside.json': JSON.stringify({ targets: ['listing', 'weighing', 'holding'].map(target) }),
    'schema.sql':
      "create table parts (id int primary key, name text);\ninsert into parts select n, 'part ' || n from generate_series(1, 100) n;",
    'listing.js': listing,
    'weighing.js': weighing,
    'holding.js': holding,
    '.gitignore': '.benchside\n',
  });
  storageDir = temporaryFolder('storage');
  agent = await AgentClient.start(top, storageDir);
});
afterEach(async () => {
  const processes = processesIn(storageDir);
  await agent.close();
  await untilGone(processes, 30_000);
});
afterAll(removeTemporaryFolders);

/** Everything that the tools say of why a service is as slow as it is: it follows the calls that their answers name. */
async function causesOf(id: string): Promise<string> {
  const begun = await agent.call('start_run', { target: id, connections: 8, rounds: 2, durationS: 1.5, record: true });
  const ended = await agent.untilEnded(handleOf(begun));
  const explained = await agent.call('explain_run', ended.next.find(({ tool }) => tool === 'explain_run')?.input);
  const run = { run: String(ended.next[0]?.input['run']) };
  const told = [explained, await agent.call('get_slow_sql', run), await agent.call('get_hot_frames', run)];
  return told.map(({ text }) => text).join('\n');
}

/** Compares the working tree with HEAD until it is said whether to keep it, at most three times. */
async function proven(id: string): Promise<Told> {
  let told = await agent.untilEnded(handleOf(await agent.call('compare_code', { target: id, connections: 8, budgetS: 60 })));
  for (let again = 0; again < 2 && /^keep: not yet/m.test(told.text); again += 1)
    told = await agent.untilEnded(handleOf(await agent.call('compare_code', { target: id, connections: 8, budgetS: 120 })));
  return told;
}

/** Keeps or reverts what is in the working tree, as the tools say. */
function keptOrReverted(told: Told, file: string): boolean {
  const keeps = /^keep: yes/m.test(told.text);
  if (keeps) commitFiles(top, {}, `Keep ${file}`);
  else gitIn(top, 'checkout', '--', file);
  return keeps;
}

describe('an agent that measures, changes, proves, and keeps or reverts', () => {
  it.for(['listing', 'weighing', 'holding'])(
    'improves %s by what the tools name, with the same answers',
    { timeout: 900_000 },
    async (id) => {
      const file = `${id}.js`;
      const causes = await causesOf(id);
      const source = readFileSync(path.join(top, file), 'utf8');
      const cure = cures.find(({ named, from }) => from === source && named.test(causes));
      expect(cure, causes).toBeDefined();
      writeFileSync(path.join(top, file), cure?.to ?? '');
      const told = await proven(id);
      expect(told.text).toMatch(/^verdict: head is better/m);
      expect(told.text).toMatch(/^answers: the same to the same first requests of 1 route$/m);
      expect(keptOrReverted(told, file), told.text).toBe(true);
      expect(gitIn(top, 'show', `HEAD:${file}`).trim()).toBe(cure?.to.trim());
    },
  );

  it('is refused a change that is faster and answers otherwise, though as long', { timeout: 900_000 }, async () => {
    writeFileSync(path.join(top, 'weighing.js'), weighingLess);
    const told = await proven('weighing');
    expect(told.text).toMatch(/^verdict: head is better/m);
    expect(told.text).toMatch(/^answers: otherwise for 1 of 1 route$/m);
    expect(told.data.join('\n')).toContain('answers otherwise: GET /weighing: other content of the same');
    expect(keptOrReverted(told, 'weighing.js')).toBe(false);
    expect(readFileSync(path.join(top, 'weighing.js'), 'utf8')).toBe(weighing);
  });
});

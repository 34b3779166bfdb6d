import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { agentTools } from '../../src/model/agents/agentTools.ts';
import { type Told, AgentClient, handleOf, processesIn } from '../support/agentClient.ts';
import { declaration, service } from '../support/computingService.ts';
import { removeTemporaryFolders, temporaryFolder, untilGone } from '../support/engine.ts';
import { commitFiles, gitRepository } from '../support/gitRepository.ts';

/** One request after another works so many ms; as many at once as there are workers. */
const pooled = `
  let free = Number(process.env.WORKERS);
  const waiting = [];
  const done = () => { free += 1; waiting.shift()?.(); };
  require('node:http').createServer((_, response) => {
    const work = () => { free -= 1; setTimeout(() => { response.end('ok'); done(); }, 10); };
    if (free > 0) work(); else waiting.push(work);
  }).listen(process.env.PORT);`;
const declared = {
  ...declaration,
  targets: [
    ...declaration.targets,
    {
      id: 'pooled',
      runtime: 'node',
      command: ['node', 'pooled.js'],
      routes: [{ path: '/' }],
      settings: { workers: { env: 'WORKERS', min: 1, max: 64, default: 2 } },
    },
  ],
};

let agent: AgentClient;
let storageDir: string;
let told: Told[];
beforeEach(async () => {
  const files = {
    'benchside.json': JSON.stringify(declared),
    'server.js': service(20_000),
    'pooled.js': pooled,
    '.gitignore': '.benchside\n',
  };
  const top = gitRepository(files);
  commitFiles(top, { 'server.js': service(200_000) }, 'Compute more');
  storageDir = temporaryFolder('storage');
  told = [];
  agent = await AgentClient.start(top, storageDir);
});
afterEach(async () => {
  const processes = processesIn(storageDir);
  await agent.close();
  await untilGone(processes, 30_000);
});
afterAll(removeTemporaryFolders);

async function asked(...[tool, input]: Parameters<AgentClient['call']>): Promise<Told> {
  const answer = await agent.call(tool, input);
  told.push(answer);
  return answer;
}

async function ended(started: Told): Promise<Told> {
  const answer = await agent.untilEnded(handleOf(started));
  told.push(answer);
  return answer;
}

/** What holds of every answer. */
function areShortAndLead(answers: readonly Told[]): void {
  for (const { text, failed, next } of answers) {
    expect(failed, text).toBe(false);
    expect(text.length / 4).toBeLessThanOrEqual(2000);
    for (const { tool, input } of next)
      expect(agentTools[tool].input.safeParse(input).error?.issues ?? [], `${tool} ${JSON.stringify(input)}`).toEqual([]);
  }
  expect(answers.some(({ next }) => next.length > 0)).toBe(true);
}

describe('an agent that changes a service', () => {
  it('is told that its change has made the service slower, by how much, and where to look next', { timeout: 600_000 }, async () => {
    const started = await asked('compare_code', { target: 'shop', base: 'HEAD~1', head: 'HEAD', budgetS: 90 });
    expect(handleOf(started)).not.toBe('');
    expect(started.text).toMatch(/^estimate: /m);
    const answer = await ended(started);
    expect(answer.text).toMatch(/^verdict: .*(slower|worse)/im);
    expect(answer.text).toMatch(/95 % interval/);
    expect(answer.text).toMatch(/^disturbed: /m);
    expect(answer.next.length).toBeGreaterThan(0);
    // The next step is not only well-formed: it can be made.
    const [first] = answer.next;
    if (first !== undefined) await asked(first.tool, first.input);
    areShortAndLead(told);
  });

  it('is told the smallest value that is as good as the best, and may look at the run of it', { timeout: 600_000 }, async () => {
    const started = await asked('start_tuning', { target: 'pooled', values: { workers: [1, 8] }, connections: 8, budgetS: 40 });
    expect(started.text).toMatch(/^estimate: /m);
    const answer = await ended(started);
    expect(answer.text).toMatch(/^verdict: /m);
    expect(answer.text).toMatch(/workers=8/);
    expect(answer.text).toMatch(/95 % interval/);
    const explain = answer.next.find(({ tool }) => tool === 'explain_run');
    expect((await asked('explain_run', explain?.input)).text).toMatch(/^verdict: /m);
    areShortAndLead(told);
  });
});

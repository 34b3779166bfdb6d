import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { briefLoad, removeTemporaryFolders, repositoryDir, temporaryFolder, writeWorkspaceFile } from '../support/engine.ts';
import { k6Program, withoutK6 } from '../support/k6.ts';
import { StandInCluster } from '../support/kubectl.ts';

/** Each request is worked on for 10 ms, by as many workers at once as there are. */
const pooled = `
  let free = Number(process.env.WORKERS);
  const waiting = [];
  const work = (response) => { free -= 1; setTimeout(() => { response.end('ok'); free += 1; if (waiting.length > 0) work(waiting.shift()); }, 10); };
  require('node:http').createServer((_, response) => { if (free > 0) work(response); else waiting.push(response); }).listen(process.env.PORT);`;

const cluster = new StandInCluster();
let workspaceDir: string;
let storageDir: string;
beforeAll(() => {
  [workspaceDir, storageDir] = [temporaryFolder('workspace'), temporaryFolder('storage')];
  writeFileSync(path.join(workspaceDir, 'server.cjs'), pooled);
  const settings = { workers: { env: 'WORKERS', min: 1, max: 64, default: 2 } };
  const target = { id: 'pooled', runtime: 'node', command: ['node', 'server.cjs'], routes: [{ path: '/' }], settings };
  writeWorkspaceFile(workspaceDir, { targets: [target], loadProfiles: [{ ...briefLoad, connections: 8, settleS: 0.5 }] });
  const mine = { name: 'mine', targets: ['pooled'], settings: { workers: [1, 8] }, load: 'brief', budgetS: 120, blockS: 1, delta: 0.2 };
  writeFileSync(path.join(workspaceDir, 'mine.json'), JSON.stringify({ ...mine, mode: 'process-per-setting' }));
});
afterAll(() => {
  cluster.end();
  removeTemporaryFolders();
});

/** Runs `benchside` as a user does; gives its exit status and what it printed. */
async function benchside(...args: string[]): Promise<{ code: number | null; text: string }> {
  const child = spawn(process.execPath, [path.join(repositoryDir, 'dist/cli.cjs'), ...args], {
    cwd: workspaceDir,
    env: { ...process.env, BENCHSIDE_STORAGE: storageDir, BENCHSIDE_K6: k6Program ?? '', PATH: cluster.path },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (piece: string) => (text += piece));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, text };
}

describe.skipIf(k6Program === null)(`an answer under the load of k6 (left out where ${withoutK6})`, () => {
  it.each([
    [
      'k6',
      [
        'tune',
        '-t',
        'pooled',
        '--set',
        'workers=1,8',
        '--load',
        'brief',
        '--budget',
        '60s',
        '--duration',
        '1s',
        '--delta',
        '20%',
        '--generator',
        'k6=2',
      ],
      /k6 v\d.*, 2 processes on this machine/,
    ],
    [
      'its operator',
      [
        'experiment',
        './mine.json',
        '--generator',
        'k6-operator=2',
        '--k6-context',
        'here',
        '--k6-namespace',
        'load',
        '--k6-url',
        'http://127.0.0.1:{port}',
      ],
      /k6 \d.*, 2 runners of the k6 operator \(context here, namespace load\)/,
    ],
  ])('is found with %s, and the report says who put the load on', { timeout: 400_000 }, async (_who, command, generator) => {
    const { code, text } = await benchside(...command);
    expect(text).toContain('workers 8');
    expect([0, 4], text).toContain(code);
    const { text: markdown } = await benchside('report', 'last', '--format', 'markdown');
    expect(markdown).toMatch(generator);
    expect(markdown).toContain('k6 put the load of the rounds on; warm-ups and p99 at a fixed rate are of Benchside’s own generator.');
    expect(cluster.objects).toEqual([]);
  });

  it('is refused where k6 cannot be told to do the same', async () => {
    const refusals: [string[], RegExp][] = [
      [
        ['tune', '-t', 'pooled', '--set', 'workers=1,8', '--load', 'brief', '--connections', '2', '--generator', 'k6=3'],
        /3 processes of k6 cannot share 2 connections/,
      ],
      [['tune', '-t', 'pooled', '--set', 'workers=1,8', '--load', 'brief', '--generator', 'k6-operator'], /a context .* was not named/],
      [['experiment', 'C1', '--generator', 'k6'], /Published experiments are repeated with Benchside’s own generator/],
    ];
    for (const [command, sentence] of refusals) {
      const { code, text } = await benchside(...command);
      expect([code, text]).toEqual([2, expect.stringMatching(sentence)]);
    }
  });
});

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ParamsInput, type RequestName, requests } from '../../src/model/protocol/protocol.ts';
import { declaration, service } from '../support/computingService.ts';
import { removeTemporaryFolders, repositoryDir, temporaryFolder, TestEngine } from '../support/engine.ts';
import { gitIn } from '../support/gitRepository.ts';
import { type PlantedRepository, plantedRepository, startedByStatus } from '../support/programsOfGit.ts';
import { longTest, slowHalf } from '../support/testTags.ts';

const slow = 240_000;
const files = { 'benchside.json': JSON.stringify(declaration), 'server.js': service(1000), '.gitignore': '.benchside\n' };
const brief = { load: 'brief', durationS: 0.5 };
let planted: PlantedRepository;

beforeAll(() => {
  planted = plantedRepository(files);
});
afterAll(removeTemporaryFolders);

function benchside(args: readonly string[]): { said: string } {
  const { stdout, stderr } = spawnSync(process.execPath, [path.join(repositoryDir, 'dist', 'cli.cjs'), ...args], {
    cwd: planted.top,
    encoding: 'utf8',
    timeout: 60_000,
    env: { ...process.env, BENCHSIDE_STORAGE: temporaryFolder('storage') },
  });
  return { said: `${stdout}${stderr}` };
}

type Ways = Readonly<Record<string, readonly string[][]>>;

/** Each command with what it is tried with, one that touches Git twice. */
const commands: Ways = {
  run: [['--target', 'shop', '--load', 'brief', '--duration', '0.5', '--rounds', '1']],
  experiment: [['--list']],
  raw: [['list']],
  runs: [[]],
  compare: [['previous', 'last']],
  diff: [['HEAD', 'HEAD'], []],
  baseline: [['set', 'last'], ['show'], ['clear']],
  report: [['last']],
  predict: [['last']],
  flamegraph: [['last']],
  databases: [[]],
  'check-routes': [[]],
  init: [['--files-only']],
  export: [['k6', 'last', '-o', 'exported']],
  traffic: [['server.js']],
  import: [['k6', 'exported/plan.json', 'server.js']],
  mcp: [['--forbid']],
  delete: [['last']],
  stop: [[]],
  help: [['run']],
};

/** Those that measure for long: the requests that they send are tried one by one below. */
const measuring: Ways = {
  tune: [['--target', 'shop', '--set', 'instances=1,2', '--load', 'brief', '--budget', '8']],
  advise: [['--target', 'shop', '--load', 'brief', '--budget', '30']],
  diff: [['HEAD~1', 'HEAD', '--budget', '8', '--load', 'brief', '--figures-only', '--p99', 'none']],
  leak: [['--target', 'shop', '--load', 'brief', '--budget', '20']],
  startup: [['--target', 'shop', '--starts', '3', '--steady', '0']],
  bisect: [['HEAD~2', 'HEAD~1', '--budget', '8', '--load', 'brief']],
  check: [[]],
};

/** Each request with what it is tried with, one after the other, or why it is not. */
const tried: { readonly [N in RequestName]: ParamsInput<N> | ParamsInput<N>[] | string } = {
  'engine/initialize': 'was asked by then',
  'engine/configure': 'changes settings alone',
  'consent/give': { id: 'none', remember: false },
  'databases/list': {},
  'databases/remove': { names: [] },
  'catalog/get': {},
  'target/start': { id: 'shop' },
  'routes/count': { target: 'shop' },
  'target/log': { id: 'shop' },
  'target/stop': { id: 'shop' },
  'measure/start': [
    { request: { kind: 'run', targets: ['shop'], rounds: 1, ...brief } },
    { request: { kind: 'tune', targets: ['shop'], settings: { instances: [1, 2] }, load: 'brief', budgetS: 8 } },
    { request: { kind: 'diff', base: 'HEAD', head: null, budgetS: 8, load: 'brief' } },
  ],
  'live/start': { target: 'shop', load: 'brief' },
  'live/set': { setting: 'pool', value: 2 },
  'live/keep': {},
  'live/stop': {},
  'savedRequests/list': {},
  'savedRequests/save': 'writes what it is given',
  'experiments/list': {},
  'diff/names': {},
  'diff/commits': { good: 'HEAD~1', bad: 'HEAD' },
  'raw/list': {},
  'raw/load': 'starts PostgreSQL alone',
  'raw/query': 'asks PostgreSQL alone',
  'raw/export': { runId: 'none', format: 'csv', file: '/nowhere/file.csv' },
  'k6/export': { of: { run: 'none' }, folder: '/nowhere', url: 'http://127.0.0.1:1', parallelism: 1 },
  'k6/import': { files: ['/nowhere/plan.json'], as: null },
  'runs/mark': 'writes a mark',
  'workspace/discover': {},
  'workspace/look': 'starts the service as a run does',
  'traffic/record': { port: 1 },
  'traffic/stop': { name: 'session' },
  'traffic/read': { files: ['/nowhere/session.har'], name: 'session' },
  'service/leak': 'starts the service as a run does',
  'service/startup': 'starts the service as a run does',
  'settings/where': { target: 'shop', setting: 'instances', value: 2 },
  'run/cancel': {},
  'runs/list': {},
  'runs/get': { id: 'none' },
  'runs/delete': { id: 'none' },
  'runs/restore': { id: 'none' },
  'runs/compare': { a: 'none', b: 'none' },
  'runs/report': { id: 'none', format: 'html' },
  'advice/list': {},
  'advice/get': { id: 'none' },
  'advice/delete': { id: 'none' },
  'advice/restore': { id: 'none' },
  'advice/report': { id: 'none', format: 'html' },
  'recorders/list': {},
  'recorders/install': 'fetches',
  'processes/list': {},
  'processes/ports': { pid: process.pid },
  'recording/start': 'records what a run starts',
  'recordings/list': {},
  'recordings/delete': { id: 'none' },
  'recordings/restore': { id: 'none' },
  'profile/open': 'reads one file',
  'profile/piece': 'reads what was opened',
  'profile/frame': 'reads what was opened',
  'profile/lines': 'reads what was opened',
  'profile/export': 'reads what was opened',
  'profile/close': { profileId: 'none' },
  'check/run': 'is one of the commands',
  'engine/stopEverything': {},
};

function startNone(ways: Ways): void {
  for (const [name, tries] of Object.entries(ways))
    for (const args of tries) {
      const { said } = benchside([name, ...args]);
      expect(planted.started(), `benchside ${name} ${args.join(' ')}: ${said}`).toEqual([]);
      if (name === 'run') expect(said).toMatch(/shop/);
    }
}

describe('programs that the Git configuration of a repository names', { timeout: slow }, () => {
  it('are started by Git as people call it', () => {
    gitIn(planted.top, 'status');
    expect(planted.started()).toEqual(expect.arrayContaining(startedByStatus));
  });

  it('are tried with each command there is', () => {
    const known = benchside(['--help']).said.split('Options of all commands')[0] ?? '';
    const names = [...known.matchAll(/^ {2}([a-z][a-z-]*)/gm)].map(([, name]) => name ?? '');
    expect(new Set(names)).toEqual(new Set(Object.keys({ ...commands, ...measuring })));
  });

  it('are started by no command that measures for long', slowHalf, () => startNone(measuring));
  it('are started by no other command', slowHalf, () => startNone(commands));

  it('are started by no request of the engine', longTest, async () => {
    expect(new Set(Object.keys(tried))).toEqual(new Set(Object.keys(requests)));
    const engine = await TestEngine.start({ workspaceDir: planted.top });
    try {
      for (const [name, params] of Object.entries(tried)) {
        if (typeof params === 'string') continue;
        for (const one of [params].flat()) {
          const asked = engine.request(name as RequestName, one as ParamsInput<RequestName>).catch(() => null);
          // A live session goes on until it is ended.
          if (name !== 'live/start') await asked;
          expect(planted.started(), name).toEqual([]);
        }
      }
    } finally {
      await engine.dispose();
    }
    expect(planted.started()).toEqual([]);
  });

  it('are not started where a folder of a clone is a repository by itself', () => {
    const inside = path.join(planted.top, 'docs');
    mkdirSync(inside, { recursive: true });
    gitIn(inside, 'init', '--quiet', '--initial-branch=main');
    for (const [key, value] of [
      ['core.bare', 'false'],
      ['core.worktree', '.'],
    ] as const)
      execFileSync('git', ['config', key, value], { cwd: inside });
    execFileSync('git', ['config', 'core.fsmonitor', path.join(temporaryFolder('programs'), 'none')], { cwd: inside });
    for (const name of ['HEAD', 'config', 'objects', 'refs']) renameSync(path.join(inside, '.git', name), path.join(inside, name));
    renameSync(path.join(inside, '.git'), path.join(planted.top, 'rest-of-git'));
    writeFileSync(path.join(inside, 'benchside.json'), files['benchside.json']);
    const { said } = benchside(['diff', '--workspace', inside]);
    expect(said).toMatch(/is a bare repository: it has no working tree/);
    expect(planted.started()).toEqual([]);
  });
});

describe('the record of a run', { timeout: slow }, () => {
  it('names the commit of its own folder, whatever the environment says of another repository', longTest, async () => {
    const other = plantedRepository({ 'other.txt': '' });
    const engine = await TestEngine.start({
      workspaceDir: planted.top,
      env: { GIT_DIR: path.join(other.top, '.git'), GIT_WORK_TREE: other.top },
    });
    try {
      const run = await engine.run({ targets: ['shop'], rounds: 1, ...brief });
      expect(run.environment.git).toEqual({ commit: gitIn(planted.top, 'rev-parse', 'HEAD'), dirty: true });
    } finally {
      await engine.dispose();
    }
    expect(other.started()).toEqual([]);
  });
});

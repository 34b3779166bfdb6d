import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { briefLoad, failureOf, removeTemporaryFolders, temporaryFolder, TestEngine } from '../support/engine.ts';
import { shopSchema, shopTarget } from '../support/shopTarget.ts';
import { longTest, slowHalf } from '../support/testTags.ts';
import { diffHeadline, diffReasons } from '../../src/model/presentation/diffWords.ts';
import type { AskedOf } from '../../src/model/protocol/measureRequest.ts';

const slow = 120_000;
const slower = 300_000;

const service = (query: string): string => `
  const http = require('node:http');
  const { Pool } = require('pg');
  const pool = new Pool({ connectionString: process.env.DATABASE_URL, max: 4 });
  const one = (id) => pool.query('select id, name from items where id = $1', [id]);
  http.createServer(async (request, response) => {
    if (request.url === '/health') return response.end('ok');
    if (request.url === '/missing') return response.writeHead(404).end();
    ${query}
    response.end(JSON.stringify(rows));
  }).listen(process.env.PORT);`;
const joined = `const { rows } = await pool.query('select id, name from items where id < 9');`;
const oneByOne = `const { rows } = await pool.query('select id from items where id < 9'); for (const row of rows) await one(row.id);`;

/** A repository with a service of a user’s, in a folder with a blank in its name, below the top. */
let top: string;
let workspaceDir: string;
let storageDir: string;
/** Where the engine makes its copies: other tests have theirs at the same time. */
let scratch: string;

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: top, encoding: 'utf8' }).trim();
}

/** Everything that Git knows of the repository and of the working tree, to see that nothing of it is touched. */
function stateOf(): unknown {
  const files = (dir: string): [string, number][] =>
    readdirSync(dir, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name))
      .filter((file) => !file.includes('.benchside'))
      .map((file): [string, number] => [file, statSync(file).mtimeMs])
      .sort();
  return { files: files(top), branches: git('branch', '--list'), worktrees: git('worktree', 'list'), stash: git('stash', 'list') };
}

async function withEngine<T>(work: (engine: TestEngine) => Promise<T>): Promise<T> {
  const engine = await TestEngine.start({ workspaceDir, storageDir, env: { TMPDIR: scratch } });
  try {
    return await work(engine);
  } finally {
    await engine.dispose();
  }
}

function diff(request: Partial<AskedOf<'diff'>> = {}) {
  return withEngine((engine) => engine.measure({ kind: 'diff', connections: 4, budgetS: 40, load: 'short', p99: 'none', ...request }));
}

beforeAll(() => {
  top = temporaryFolder('repository');
  workspaceDir = path.join(top, 'a service');
  storageDir = temporaryFolder('storage');
  scratch = temporaryFolder('scratch');
  // PostgreSQL runs as another user where this one is root.
  chmodSync(scratch, 0o755);
  mkdirSync(workspaceDir);
  const write = (file: string, text: string): void => writeFileSync(path.join(workspaceDir, file), text);
  write('server.js', service(joined));
  write('schema.sql', shopSchema);
  write(
    'benchside.json',
    JSON.stringify({
      // What is counted is the same after a second as after ten.
      loadProfiles: [{ ...briefLoad, name: 'short', durationS: 1, rounds: 3, warmUp: { minS: 1, maxS: 3 }, timeoutMs: 5000 }],
      targets: [
        {
          ...shopTarget,
          build: [['node', '-e', "require('fs').writeFileSync('built.txt', '')"]],
          requires: ['built.txt'],
        },
      ],
    }),
  );
  write('.gitignore', 'built.txt\n.benchside\n');
  git('init', '--quiet', '--initial-branch=main');
  git('config', 'user.email', 'someone@example.org');
  git('config', 'user.name', 'Someone');
  git('add', '--all');
  git('commit', '--quiet', '--message=first');
  git('tag', 'first');
});
afterAll(removeTemporaryFolders);

describe('two versions of the code', () => {
  it('are not measured where they are the same code, also where two branches parted', { timeout: slow }, async () => {
    // A branch of its own, on which everything is gone: its tree is another one, and what it shares with HEAD is HEAD.
    git('branch', 'side', git('commit-tree', git('mktree'), '-p', 'HEAD', '-m', 'elsewhere'));
    const found = await withEngine(async (engine) => [
      await engine.measure({ kind: 'diff' }),
      await engine.measure({ kind: 'diff', base: 'side', head: 'HEAD', mergeBase: true }),
    ]);
    expect(found.map(({ run }) => run)).toEqual([null, null]);
    const diffs = found.flatMap(({ compared }) => (compared === undefined ? [] : [compared.diff]));
    expect(diffs).toEqual(Array(2).fill(expect.objectContaining({ sameCode: true, verdict: 'same' })));
    const [first = '', second = ''] = diffs.map(diffHeadline);
    expect(first).toMatch(/^The working tree and HEAD \([0-9a-f]{7}\) are the same code/);
    expect(second).toMatch(/^HEAD \([0-9a-f]{7}\) and the merge base of side and HEAD \([0-9a-f]{7}\) are the same code/);
  });

  it('are not measured where the working tree has other documentation only', { timeout: slow }, async () => {
    writeFileSync(path.join(workspaceDir, 'README.md'), '# A service\n');
    mkdirSync(path.join(top, 'docs'));
    writeFileSync(path.join(top, 'docs', 'why.md'), 'Because.\n');
    const { compared, run } = await withEngine((engine) => engine.measure({ kind: 'diff' }));
    rmSync(path.join(top, 'docs'), { recursive: true });
    rmSync(path.join(workspaceDir, 'README.md'));
    expect(run).toBeNull();
    expect(compared?.diff).toMatchObject({ sameCode: true, verdict: 'same' });
    expect(compared && diffHeadline(compared.diff)).toMatch(
      /^The working tree and HEAD \(.{7}\) differ in documentation only \(a service\/README\.md and 1 more\)/,
    );
  });

  it(
    'that differ by a statement for each row are told apart by their counts, and nothing of the repository is touched',
    { timeout: slower, ...longTest },
    async () => {
      writeFileSync(path.join(workspaceDir, 'server.js'), service(oneByOne));
      git('status');
      const before = stateOf();
      const { compared, run } = await diff();
      const found = compared?.diff;
      expect(stateOf()).toEqual(before);
      expect(found?.verdict).toBe('worse');
      const statements = found?.metrics.find(({ name }) => name === 'statements per request');
      expect(statements).toMatchObject({ exact: true, verdict: 'worse' });
      expect(statements?.base).toBeCloseTo(1, 0);
      // Requests straddle the edges of a block, the more the busier the machine is.
      expect(statements?.head).toBeGreaterThan(7);
      expect(statements?.head).toBeLessThan(11);
      expect(found?.statements[0]).toMatchObject({ kind: 'new', nPlusOne: true, sql: expect.stringContaining('where id = $1') as string });
      expect(found && diffReasons(found)[0]).toMatch(
        /^Sent 0 → [678](\.\d+)? times per request \(N\+1: once for each row of another statement\): select id, name from items where id = \$1$/,
      );
      expect(found?.files).toEqual([{ path: 'server.js', added: 1, removed: 1 }]);
      // By what it waits for or by its CPU: the function with the changed line answers for it, by its place in the user’s own folder.
      expect(found?.why?.functions[0]).toMatchObject({ file: 'server.js', line: 9, touched: true });
      expect(found?.why?.functions[0]?.change).toBeGreaterThan(0);
      expect(found?.why?.flame?.boxes.some(({ touched }) => touched)).toBe(true);
      expect(found?.why?.excerpt?.lines.filter(({ kind }) => kind === 'new')).toMatchObject([{ line: 9 }]);
      expect(run?.result).toEqual(found);
      expect(run?.recordings.map(({ id }) => id)).toEqual([found?.why?.recordings?.base, found?.why?.recordings?.head]);
      expect(run?.trials.map(({ target }) => target)).toEqual(['shop-base', 'shop-head']);
      expect(compared?.markdown).toMatch(/^<!-- benchside-diff -->\n### /);
      expect(readdirSync(scratch).filter((name) => name.startsWith('benchside-versions-'))).toEqual([]);
    },
  );

  it('are built once for each state of the code', { timeout: slow, ...longTest }, async () => {
    const kept = (): string[] => readdirSync(path.join(storageDir, 'versions'));
    const before = kept();
    expect(before).toHaveLength(2);
    // Asked for what is not there, it ends before anything is measured.
    expect(await failureOf(diff({ route: '/missing' }))).toMatchObject({ code: 'route-fails' });
    expect(kept().sort()).toEqual(before.sort());
  });

  it('whose build fails say which one, and end with its output', { timeout: slow }, async () => {
    const file = path.join(workspaceDir, 'benchside.json');
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replace(/"-e","[^"]*"/, '"-e","console.error(\'no compiler here\');process.exit(3)"'));
    try {
      const failure = await failureOf(diff());
      expect(failure).toMatchObject({ code: 'build-failed', detail: expect.stringContaining('no compiler here') as string });
      expect(failure.message).toMatch(/^HEAD \([0-9a-f]{7}\) could not be built: .* exited with code 3\.$/);
    } finally {
      writeFileSync(file, text);
    }
  });

  it('that cannot be found are refused with what to do', { timeout: slow, ...slowHalf }, async () => {
    const asked = (request: Partial<AskedOf<'diff'>>): Promise<{ code: string; message: string; cure: string }> => failureOf(diff(request));
    expect(await asked({ base: 'nowhere' })).toMatchObject({
      code: 'unknown-version',
      message: 'There is no commit, branch or tag “nowhere” here.',
    });
    expect((await asked({ base: 'a service/benchside.json' })).cure).toMatch(/is a file/);
    expect(await asked({ base: '--output=/tmp/x' })).toMatchObject({ code: 'unknown-version' });
    const elsewhere = temporaryFolder('plain');
    cpSync(path.join(workspaceDir, 'benchside.json'), path.join(elsewhere, 'benchside.json'));
    const engine = await TestEngine.start({ workspaceDir: elsewhere, storageDir });
    try {
      expect(await failureOf(engine.measure({ kind: 'diff' }))).toMatchObject({ code: 'no-repository' });
    } finally {
      await engine.dispose();
    }
    expect(existsSync(path.join(elsewhere, '.git'))).toBe(false);
  });
});

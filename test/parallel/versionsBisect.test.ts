import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { failureOf, removeTemporaryFolders, repositoryDir, temporaryFolder, TestEngine } from '../support/engine.ts';
import { commitFiles, gitIn, gitRepository } from '../support/gitRepository.ts';
import { exampleEnvironment, exampleRun } from '../support/runRecords.ts';
import { declaration, service } from '../support/computingService.ts';
import { longTest, slowHalf } from '../support/testTags.ts';

const slow = 90_000;
const files = { 'benchside.json': JSON.stringify(declaration), 'server.js': service(1000), '.gitignore': '.benchside\n' };

afterAll(removeTemporaryFolders);

function benchside(cwd: string, storage: string, ...args: string[]): { code: number | null; stdout: string; stderr: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [path.join(repositoryDir, 'dist', 'cli.cjs'), ...args], {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, BENCHSIDE_STORAGE: storage },
  });
  return { code: status, stdout, stderr };
}

describe('which commit made it slower', () => {
  it('is looked for among those after the good one, and refused where there are none', { timeout: slow, ...longTest }, async () => {
    const top = gitRepository(files);
    commitFiles(top, { 'a.txt': '' }, 'second');
    commitFiles(top, { 'b.txt': '' }, 'third');
    const engine = await TestEngine.start({ workspaceDir: top });
    try {
      const { commits, bad } = await engine.request('diff/commits', { good: 'HEAD~2', bad: 'HEAD' });
      expect(commits.map(({ subject }) => subject)).toEqual(['second', 'third']);
      expect(commits.at(-1)?.commit).toBe(bad);
      // A branch that is called as a file is: the name means the branch.
      gitIn(top, 'branch', 'a.txt', 'HEAD~1');
      const { commits: after } = await engine.request('diff/commits', { good: 'a.txt', bad: 'HEAD' });
      expect(after.map(({ subject }) => subject)).toEqual(['third']);
      // To choose from there is what Git calls them, and not what only points to another one.
      gitIn(top, 'tag', 'v1');
      gitIn(top, 'update-ref', 'refs/remotes/origin/main', 'HEAD');
      gitIn(top, 'symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/main');
      const { branches, tags, commits: recent } = await engine.request('diff/names', {});
      expect([...branches].sort()).toEqual(['a.txt', 'main', 'origin/main']);
      expect(tags).toEqual(['v1']);
      expect(recent.map(({ subject }) => subject)).toEqual(['third', 'second', 'first']);
      expect(await failureOf(engine.request('diff/commits', { good: 'HEAD', bad: 'HEAD~1' }))).toMatchObject({ code: 'unknown-version' });
      expect(await failureOf(engine.request('diff/commits', { good: 'HEAD', bad: 'HEAD' }))).toMatchObject({ code: 'unknown-version' });
    } finally {
      await engine.dispose();
    }
  });

  it('is found, with what is left out and with its evidence, and found again from the log', { timeout: 580_000, ...slowHalf }, () => {
    const top = gitRepository(files);
    const storage = temporaryFolder('storage');
    commitFiles(top, { 'a.txt': '' }, 'harmless');
    commitFiles(top, { 'server.js': 'this is no program' }, 'does not start');
    commitFiles(top, { 'server.js': service(400_000) }, 'much more work');
    commitFiles(top, { 'b.txt': '' }, 'harmless too');
    const asked = ['bisect', 'HEAD~4', 'HEAD~0', '--load', 'brief', '--budget', '30'];
    const first = benchside(top, storage, ...asked);
    // The one that does not start cannot be judged, so that it may be the one as well.
    expect(first.stderr).toMatch(/“does not start”: left out/);
    expect(first.stdout).toMatch(/^One of these (most likely )?made it slower[^:]*: .*“does not start”, .*“much more work”/);
    expect(first.code).toBe(4);
    const again = benchside(top, storage, ...asked, '--json');
    expect(again.stderr).toMatch(/comparisons are in the log already/);
    expect((JSON.parse(again.stdout) as { bisect: { culprits: string[] } }).bisect.culprits).toContain(gitIn(top, 'rev-parse', 'HEAD~1'));
    expect(gitIn(top, 'status', '--porcelain')).toBe('');
  });
});

describe('a baseline', () => {
  it('is set, shown, counted on its own machine alone, and cleared', { timeout: slow, ...slowHalf }, () => {
    const folder = temporaryFolder('workspace');
    const storage = temporaryFolder('storage');
    const ids = ['mb2k9x1a-0123456789abcdef01234567', 'mb2k9x1b-0123456789abcdef01234567', 'mb2k9x1c-0123456789abcdef01234567'];
    const elsewhere = exampleEnvironment({ cpuModel: 'Another CPU' });
    for (const [index, id] of ids.entries()) {
      const dir = path.join(folder, '.benchside', 'runs', id);
      mkdirSync(dir, { recursive: true });
      const run = exampleRun({ id, startedAt: `2026-11-2${index}T10:00:00.000Z`, ...(index === 2 ? { environment: elsewhere } : {}) });
      writeFileSync(path.join(dir, 'run.json'), JSON.stringify(run));
    }
    const [first, second, third] = ids as [string, string, string];
    const ask = (...args: string[]) => benchside(folder, storage, ...args);
    expect(ask('baseline', 'set', first).stderr).toMatch(new RegExp(`^${first} is the baseline of `));
    expect(ask('baseline', 'set', second).code).toBe(0);
    // Of the same targets the one that was set last counts.
    expect(ask('baseline', 'show').stdout.trim().split('\n')).toHaveLength(1);
    const xml = path.join(folder, 'out.xml');
    const same = ask('compare', 'baseline', first, '--fail-on', 'worse', '--undecided', 'pass', '--junit', xml);
    expect(same.stderr).toContain(`The baseline is ${second}, measured on the same machine`);
    expect(same.code).toBe(0);
    expect(readFileSync(xml, 'utf8')).toContain('<testsuite name=');
    const other = ask('compare', 'baseline', third, '--fail-on', 'worse');
    expect(other.stderr).toMatch(/does not count: it was measured on another machine \(.*Another CPU/);
    expect(other.code).toBe(4);
    expect(ask('baseline', 'clear').stderr).toContain(second);
  });
});

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { removeTemporaryFolders, repositoryDir, temporaryFolder } from '../support/engine.ts';
import { commitFiles, gitIn, gitRepository } from '../support/gitRepository.ts';
import { declaration, service } from '../support/computingService.ts';
import { slowHalf } from '../support/testTags.ts';

const slow = 120_000;

let origin: string;

/** What a job of CI does: a clone of the newest commit alone, and the script in it. */
function gate(
  branch: string,
  base: string,
  ...options: string[]
): { code: number | null; said: string; markdown: string; junit: string; summary: string } {
  const clone = path.join(temporaryFolder('job'), 'clone');
  gitIn(path.dirname(clone), 'clone', '--quiet', '--depth=1', `--branch=${branch}`, `file://${origin}`, clone);
  const summary = path.join(path.dirname(clone), 'summary.md');
  const { status, stdout, stderr } = spawnSync(path.join(repositoryDir, 'ci', 'benchside-gate.sh'), [base, ...options], {
    cwd: clone,
    encoding: 'utf8',
    env: {
      ...process.env,
      BENCHSIDE: `${process.execPath} ${path.join(repositoryDir, 'dist', 'cli.cjs')}`,
      BENCHSIDE_STORAGE: temporaryFolder('storage'),
      GITHUB_STEP_SUMMARY: summary,
    },
  });
  const read = (file: string): string => readFileSync(file, 'utf8');
  const written = status === 0 || status === 3;
  return {
    code: status,
    said: `${stdout}${stderr}`,
    ...(written
      ? { markdown: read(path.join(clone, 'benchside.md')), junit: read(path.join(clone, 'benchside.xml')), summary: read(summary) }
      : { markdown: '', junit: '', summary: '' }),
  };
}

beforeAll(() => {
  origin = gitRepository({ 'benchside.json': JSON.stringify(declaration), 'server.js': service(1000), '.gitignore': '.benchside\n' });
  gitIn(origin, 'checkout', '--quiet', '-b', 'unchanged');
  commitFiles(origin, {}, 'nothing');
  gitIn(origin, 'checkout', '--quiet', '-b', 'slower');
  commitFiles(origin, { 'server.js': service(400_000) }, 'more work');
});
afterAll(removeTemporaryFolders);

describe('the script of a job of CI, in a clone of the newest commit alone', () => {
  it('fetches what it compares with, and passes what is the same', { timeout: slow }, () => {
    const { code, said, markdown, junit, summary } = gate('unchanged', 'origin/main');
    expect(said).toMatch(/are the same code/);
    expect(code).toBe(0);
    expect(markdown).toMatch(/^<!-- benchside-diff -->\n### .* are the same code/);
    expect(summary).toBe(markdown);
    expect(junit).toContain('tests="1" failures="0"');
  });

  it('is wrong usage without a commit, and fails on one that nobody has', { timeout: slow }, () => {
    expect(gate('unchanged', 'origin/nowhere').code).not.toBe(0);
    expect(spawnSync(path.join(repositoryDir, 'ci', 'benchside-gate.sh'), [], { encoding: 'utf8' }).status).toBe(2);
  });

  it('ends with 3 on what is much slower, and says so to a person and to CI', { timeout: 400_000, ...slowHalf }, () => {
    const { code, markdown, junit } = gate('slower', 'origin/main', '--load', 'brief', '--budget', '60');
    expect(code).toBe(3);
    expect(markdown).toMatch(/### HEAD .* slower than/);
    expect(junit).toMatch(/<testcase classname="GET \/" name="verdict">\n\s*<failure message="[^"]+" type="worse"\/>/);
  });
});

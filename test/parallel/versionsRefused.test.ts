import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Failure } from '../../src/model/domain/failure.ts';
import { Supervisor } from '../../src/engine/supervise/supervisor.ts';
import { inRepository, Repository } from '../../src/engine/versions/git.ts';
import { failureOf, removeTemporaryFolders, temporaryFolder, TestEngine } from '../support/engine.ts';
import { commitFiles, gitIn, gitRepository } from '../support/gitRepository.ts';
import { slowHalf } from '../support/testTags.ts';
import type { AskedOf } from '../../src/model/protocol/measureRequest.ts';

const slow = 90_000;
const declaration = (more: Record<string, unknown> = {}): string =>
  JSON.stringify({
    targets: [{ id: 'shop', runtime: 'node', command: ['node', 'server.js'], routes: [{ path: '/' }], build: [], ...more }],
  });
const service = `require('node:http').createServer((_, response) => response.end('ok')).listen(process.env.PORT);`;
const files = { 'benchside.json': declaration(), 'server.js': service, '.gitignore': '.benchside\n' };

afterAll(removeTemporaryFolders);

async function refusal(workspaceDir: string, request: AskedOf<'diff'> = {}, env: Record<string, string> = {}): Promise<Failure> {
  const engine = await TestEngine.start({ workspaceDir, env });
  try {
    return await failureOf(engine.measure({ kind: 'diff', ...request }));
  } finally {
    await engine.dispose();
  }
}

describe('what cannot be compared is refused', { timeout: slow }, () => {
  it('without Git on the machine', slowHalf, async () => {
    const top = gitRepository(files);
    const bin = temporaryFolder('bin');
    for (const program of ['node', 'tar'])
      symlinkSync(execFileSync('which', [program], { encoding: 'utf8' }).trim(), path.join(bin, program));
    expect(await refusal(top, {}, { PATH: bin })).toMatchObject({ code: 'git-missing', message: 'git cannot be started on this machine.' });
  });

  it('in a bare repository', slowHalf, async () => {
    const bare = temporaryFolder('bare');
    gitIn(bare, 'init', '--quiet', '--bare');
    writeFileSync(path.join(bare, 'benchside.json'), declaration());
    expect((await refusal(bare)).message).toMatch(/is a bare repository: it has no working tree\.$/);
  });

  it('where a shallow clone does not have the other commit, with how to get it', async () => {
    const origin = gitRepository(files);
    commitFiles(origin, { 'server.js': `${service}\n` }, 'second');
    const clone = path.join(temporaryFolder('clone'), 'shallow one');
    gitIn(path.dirname(clone), 'clone', '--quiet', '--depth=1', `file://${origin}`, clone);
    expect(await refusal(clone, { base: 'HEAD~1', head: 'HEAD' })).toMatchObject({
      code: 'unknown-version',
      cure: expect.stringContaining('git fetch --unshallow') as string,
    });
  });

  it('where a partial clone does not have a file: nothing is fetched, by whatever program its configuration names', async () => {
    const origin = gitRepository(files);
    gitIn(origin, 'config', 'uploadpack.allowFilter', 'true');
    const clone = path.join(temporaryFolder('clone'), 'partial');
    gitIn(path.dirname(clone), 'clone', '--quiet', '--no-checkout', '--filter=blob:none', `file://${origin}`, clone);
    const started = path.join(temporaryFolder('evidence'), 'started');
    gitIn(clone, 'config', 'remote.origin.uploadpack', `touch ${started}; git-upload-pack`);
    const [scratch, signal] = [temporaryFolder('scratch'), new AbortController().signal];
    const repository = await Repository.around(new Supervisor(), clone, scratch, signal);
    const version = await repository.version('HEAD');
    expect(await failureOf(repository.checkOut(version, path.join(scratch, 'copy')))).toMatchObject({
      code: 'version-incomplete',
      cure: expect.stringContaining('git fetch --refetch --no-filter') as string,
    });
    expect(existsSync(started)).toBe(false);
    const untrusted = { supervisor: new Supervisor(), signal, trusted: false };
    expect((await failureOf(inRepository(untrusted, clone, (repository) => repository.names()))).code).toBe('untrusted');
  });

  it('before the first commit', slowHalf, async () => {
    const top = temporaryFolder('empty');
    gitIn(top, 'init', '--quiet');
    writeFileSync(path.join(top, 'benchside.json'), declaration());
    expect(await refusal(top)).toMatchObject({ code: 'unknown-version' });
  });

  it('where this clone does not have a submodule, or the content of a file in Git LFS; with both it is built', slowHalf, async () => {
    const library = gitRepository({ 'index.js': 'exports.is = 1;' });
    const built = declaration({ build: [['node', 'build.js']] });
    const build = `const seen = require('./library').is + require('node:fs').readFileSync('data/large.bin', 'utf8');
      console.error(seen); process.exit(2);`;
    const top = gitRepository({ ...files, 'benchside.json': built, 'build.js': build });
    gitIn(top, 'submodule', '--quiet', 'add', '--name', 'a library', library, 'library');
    // Says only what “git status” shows.
    gitIn(top, 'config', '--file', '.gitmodules', 'submodule.a library.ignore', 'all');
    const content = 'more than a repository should hold';
    const oid = createHash('sha256').update(content).digest('hex');
    const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${oid}\nsize ${content.length}\n`;
    const attributes = '*.bin filter=lfs diff=lfs merge=lfs -text\n';
    commitFiles(top, { 'data/.gitattributes': attributes, 'data/large.bin': pointer }, 'with a library and a large file');
    const engine = await TestEngine.start({ workspaceDir: top });
    const refused = (): Promise<Failure> => failureOf(engine.measure({ kind: 'diff', base: 'HEAD', head: null }));
    writeFileSync(path.join(top, 'new.txt'), '');
    expect((await refused()).message).toMatch(/^HEAD \([0-9a-f]{7}\) keeps data\/large\.bin in Git LFS/);
    const stored = path.join(top, '.git', 'lfs', 'objects', oid.slice(0, 2), oid.slice(2, 4));
    mkdirSync(stored, { recursive: true });
    writeFileSync(path.join(stored, oid), content);
    expect(await refused()).toMatchObject({ code: 'build-failed', detail: expect.stringContaining(`1${content}`) as string });
    writeFileSync(path.join(top, 'library', 'index.js'), 'exports.is = 2;');
    expect((await refused()).message).toMatch(/changes within the submodule library that are not committed/);
    rmSync(path.join(top, '.git', 'modules'), { recursive: true });
    rmSync(path.join(top, 'library'), { recursive: true });
    expect((await refused()).message).toMatch(/has the submodule library at [0-9a-f]{7}, which this clone does not have/);
    await engine.dispose();
  });

  it('where files are readable only by a filter of Git’s configuration, which is not run', slowHalf, async () => {
    const top = gitRepository({ ...files, 'data/.gitattributes': '*.key filter=crypt\n', 'data/one.key': 'as it is stored' });
    const started = path.join(temporaryFolder('evidence'), 'started');
    gitIn(top, 'config', 'filter.crypt.smudge', `touch ${started}; cat`);
    writeFileSync(path.join(top, 'new.txt'), '');
    expect(await refusal(top)).toMatchObject({ code: 'version-incomplete', message: expect.stringContaining('“crypt”') as string });
    expect(existsSync(started)).toBe(false);
  });

  it('where only the newer one does not build, which is said with its output', async () => {
    const top = gitRepository({ ...files, 'benchside.json': declaration({ build: [['node', 'build.js']] }), 'build.js': '' });
    commitFiles(top, { 'build.js': `console.error('cannot find the compiler'); process.exit(2);` }, 'broken');
    const failure = await refusal(top, { base: 'HEAD~1', head: 'HEAD' });
    expect(failure).toMatchObject({ code: 'build-failed', detail: expect.stringContaining('cannot find the compiler') as string });
    expect(failure.message).toMatch(/^HEAD \([0-9a-f]{7}\) could not be built/);
  });

  it('where what is started now is not there in the older one, which is named', slowHalf, async () => {
    const top = gitRepository({ ...files, 'benchside.json': declaration({ requires: ['made.txt'] }) });
    commitFiles(top, { 'made.txt': '' }, 'with what it requires');
    expect((await refusal(top, { base: 'HEAD~1', head: 'HEAD' })).message).toMatch(/^HEAD~1 \([0-9a-f]{7}\): /);
  });

  it('but not a linked worktree with a blank in its path, of which nothing is written either', async () => {
    const top = gitRepository(files);
    const linked = path.join(temporaryFolder('linked'), 'another tree');
    gitIn(top, 'worktree', 'add', '--quiet', '-b', 'other', linked);
    writeFileSync(path.join(linked, 'new.txt'), '');
    const before = gitIn(top, 'worktree', 'list', '--porcelain');
    // Both versions are read and copied, and what both lack is refused.
    writeFileSync(path.join(linked, 'benchside.json'), declaration({ requires: ['nowhere.txt'] }));
    expect((await refusal(linked)).message).toMatch(/^HEAD \([0-9a-f]{7}\): /);
    expect(gitIn(top, 'worktree', 'list', '--porcelain')).toBe(before);
    expect(gitIn(linked, 'status', '--porcelain')).toBe('M benchside.json\n?? new.txt');
  });

  it('but not one in a path with a colon, quotes or a line break, nor with a temporary folder of such a path', slowHalf, async () => {
    const top = path.join(temporaryFolder('odd'), 'a: "b" \\ c\nd');
    mkdirSync(top);
    gitIn(top, 'init', '--quiet', '--initial-branch=main');
    commitFiles(top, files, 'first');
    writeFileSync(path.join(top, 'new.txt'), 'new');
    const temporary = path.join(temporaryFolder('odd'), 'e: f');
    mkdirSync(temporary);
    writeFileSync(path.join(top, 'benchside.json'), declaration({ requires: ['nowhere.txt'] }));
    expect((await refusal(top, {}, { TMPDIR: temporary })).message).toMatch(/^HEAD \([0-9a-f]{7}\): /);
  });

  it('of a sub-folder only where it lies, with the lockfile above it and whatever a hook says of the repository', async () => {
    const top = gitRepository({ 'package.json': '{"workspaces":["services/*"]}', 'package-lock.json': 'no lockfile' });
    const shop = path.join(top, 'services', 'a shop');
    mkdirSync(shop, { recursive: true });
    const target = { id: 'shop', runtime: 'node', command: ['node', 'server.js'], routes: [{ path: '/' }] };
    commitFiles(shop, { 'benchside.json': JSON.stringify({ targets: [target] }), 'server.js': service }, 'a service');
    commitFiles(shop, { 'server.js': `${service}\n` }, 'changed');
    const failure = await refusal(shop, { base: 'HEAD~1', head: 'HEAD' }, { GIT_DIR: '/nowhere', GIT_INDEX_FILE: '/nowhere/index' });
    // It was built from the top, where the lockfile is, and not from the folder of the service.
    expect(failure).toMatchObject({ code: 'build-failed' });
    expect(failure.message).toMatch(/npm ci/);
  });
});

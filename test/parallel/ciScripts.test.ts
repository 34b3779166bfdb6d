import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { removeTemporaryFolders, repositoryDir, temporaryFolder } from '../support/engine.ts';

const script = (name: string): string => path.join(repositoryDir, 'ci', name);
afterAll(removeTemporaryFolders);

interface Comment {
  id: number;
  body: string;
  user: { login: string };
  author: { username: string };
}

/** What the two forges have of comments, as their documentation says: listed by pages, written, edited. */
async function forge(comments: Comment[], { me = null as string | null } = {}) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      const url = new URL(request.url ?? '', 'http://forge');
      const answer = (status: number, value: unknown): void =>
        void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
      if (request.headers.authorization !== 'Bearer secret' && request.headers['private-token'] !== 'secret') return answer(401, {});
      asked.push(`${request.method} ${url.pathname}`);
      if (url.pathname.endsWith('/user')) return me === null ? answer(403, {}) : answer(200, { login: me, username: me });
      const body = text === '' ? '' : (JSON.parse(text) as { body: string }).body;
      if (request.method === 'GET') {
        const page = Number(url.searchParams.get('page'));
        return answer(200, comments.slice(100 * (page - 1), 100 * page));
      }
      const author = me ?? 'github-actions[bot]';
      const id = Number(/(\d+)$/.exec(url.pathname)?.[1]);
      const found = request.method === 'POST' ? undefined : comments.find((one) => one.id === id);
      if (request.method === 'POST')
        comments.push({ id: comments.length + 1, body, user: { login: author }, author: { username: author } });
      else if (found !== undefined) found.body = body;
      return answer(200, {});
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const folder = temporaryFolder('job');
  const event = path.join(folder, 'event.json');
  writeFileSync(event, JSON.stringify({ pull_request: { number: 7 } }));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    asked,
    stop: () => server.close(),
    async comment(markdown: string, name: string[], env: Record<string, string>) {
      writeFileSync(path.join(folder, 'benchside.md'), markdown);
      const child = spawn(process.execPath, [script('comment.mjs'), 'benchside.md', ...name], {
        cwd: folder,
        env: { PATH: process.env['PATH'], ...env },
      });
      let said = '';
      child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
      const [code] = (await once(child, 'close')) as [number];
      return { code, said };
    },
    github: { GITHUB_EVENT_PATH: event, GITHUB_REPOSITORY: 'somebody/shop', GITHUB_API_URL: url, GITHUB_TOKEN: 'secret' },
    gitlab: { CI_API_V4_URL: url, CI_PROJECT_ID: '3', CI_MERGE_REQUEST_IID: '7', BENCHSIDE_TOKEN: 'secret' },
  };
}

const from = (login: string, body: string, id: number): Comment => ({ id, body, user: { login }, author: { username: login } });
const markdown = (text: string): string => `<!-- benchside-diff -->\n### ${text}\n`;

describe('the comment on a pull request', () => {
  it('is written once and then brought up to date, behind a hundred others, and nobody else’s is touched', async () => {
    const others = Array.from({ length: 120 }, (_, index) => from('somebody', 'Nice.', index + 1));
    const theirs = from('somebody', markdown('not yours'), 200);
    const comments = [theirs, ...others];
    const { comment, github, stop } = await forge(comments);
    expect(await comment(markdown('first'), [], github)).toEqual({ code: 0, said: 'Commented.\n' });
    expect(await comment(markdown('second'), [], github)).toEqual({ code: 0, said: 'The comment was brought up to date.\n' });
    stop();
    expect(comments).toHaveLength(122);
    expect(comments.at(-1)?.body).toBe(markdown('second'));
    expect(theirs.body).toBe(markdown('not yours'));
  });

  it('is one for each job with a name', async () => {
    const comments: Comment[] = [];
    const { comment, github, stop } = await forge(comments);
    for (const name of [['shop'], [], ['users'], ['shop'], []]) await comment(markdown(`of ${name.join('')}`), name, github);
    stop();
    expect(comments.map(({ body }) => body.split('\n').find((line) => line.startsWith('###')))).toEqual([
      '### of shop',
      '### of ',
      '### of users',
    ]);
  });

  it('is a note of a merge request on GitLab', async () => {
    const comments: Comment[] = [];
    const { comment, gitlab, asked, stop } = await forge(comments, { me: 'project_3_bot' });
    await comment(markdown('first'), [], gitlab);
    await comment(markdown('second'), [], gitlab);
    stop();
    expect(comments.map(({ body }) => body)).toEqual([markdown('second')]);
    expect(asked).toContain('PUT /projects/3/merge_requests/7/notes/1');
  });

  it('is left out where there is nothing to comment on, and told where it is not allowed', async () => {
    const { comment, github, stop } = await forge([]);
    expect((await comment(markdown('x'), [], {})).code).toBe(0);
    expect(await comment(markdown('x'), [], { ...github, GITHUB_TOKEN: 'wrong' })).toEqual({
      code: 1,
      said: 'The comments could not be read: 401.\n',
    });
    expect((await comment(markdown('x'), [], { ...github, GITHUB_TOKEN: '' })).said).toMatch(/GITHUB_TOKEN is not set/);
    stop();
  });
});

describe('annotations at lines', () => {
  const diff = {
    diff: {
      why: {
        functions: [
          { name: 'load\n::error::x', file: 'src/a,b.js', line: 3, touched: true, change: 910_000, event: 'cpu', unit: 'ns' },
          { name: 'faster', file: 'src/c.js', line: 4, touched: true, change: -5, event: 'cpu', unit: 'ns' },
          { name: 'elsewhere', file: 'src/d.js', line: 5, touched: false, change: 5, event: 'cpu', unit: 'ns' },
        ],
      },
    },
  };
  const routes = {
    routes: [
      { route: 'GET /items', place: { file: 'server.js', line: 12 }, above: ['11 statements, budget 3'], problem: null },
      { route: 'GET /ok', place: { file: 'server.js', line: 20 }, above: [], problem: null },
      { route: 'GET /broken', place: null, above: [], problem: 'was answered with 500' },
    ],
  };
  const annotate = (env: Record<string, string>): { folder: string; stdout: string } => {
    const folder = temporaryFolder('annotated');
    writeFileSync(path.join(folder, 'diff.json'), JSON.stringify(diff));
    writeFileSync(path.join(folder, 'routes.json'), JSON.stringify(routes));
    const { stdout } = spawnSync(process.execPath, [script('annotations.mjs'), 'diff.json', 'routes.json', 'none.json'], {
      cwd: folder,
      encoding: 'utf8',
      env,
    });
    return { folder, stdout };
  };

  it('are commands of GitHub’s runner, one for each line that takes more, which no name ends or begins', () => {
    expect(annotate({ FOLDER: 'services/shop' }).stdout).toBe(
      [
        '::warning file=services/shop/src/a%2Cb.js,line=3,title=Benchside::load%0A::error::x takes 0.91 ms more for each request (cpu)',
        '::error file=services/shop/server.js,line=12,title=Benchside::GET /items: 11 statements, budget 3',
        '',
      ].join('\n'),
    );
  });

  it('are a report on code quality for GitLab', () => {
    const { folder } = annotate({ CODE_QUALITY: 'lines.json' });
    expect(JSON.parse(readFileSync(path.join(folder, 'lines.json'), 'utf8'))).toEqual([
      expect.objectContaining({ severity: 'minor', location: { path: 'src/a,b.js', lines: { begin: 3 } } }),
      expect.objectContaining({
        severity: 'major',
        description: 'GET /items: 11 statements, budget 3',
        location: { path: 'server.js', lines: { begin: 12 } },
      }),
    ]);
  });
});

describe('the script that publishes', () => {
  const publish = (folder: string, ...options: string[]) =>
    spawnSync(process.execPath, [path.join(repositoryDir, 'scripts/publish.mjs'), folder, ...options], { encoding: 'utf8' });
  const packed = (): string => {
    const folder = temporaryFolder('release');
    const files = { 'benchside-linux-x64-1.0.0.vsix': 'edition', 'benchside-1.0.0.tgz': 'package' };
    const sums = Object.entries(files).map(([name, text]) => `${createHash('sha256').update(text).digest('hex')}  ${name}\n`);
    for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
    writeFileSync(path.join(folder, 'SHA256SUMS'), sums.join(''));
    return folder;
  };

  it('says what it would do: each edition to both markets, the package to npm', () => {
    const { status, stdout } = publish(packed(), '--dry-run');
    expect(status).toBe(0);
    expect(stdout.trim().split('\n')).toEqual([
      expect.stringMatching(/vsce publish --packagePath .*\.vsix$/),
      expect.stringMatching(/--yes ovsx@[\d.]+ publish .*\.vsix$/),
      expect.stringMatching(/^npm publish .*\.tgz --access public --provenance$/),
    ]);
  });

  it('publishes nothing that was changed since, or is not listed, nor under names that nobody has', () => {
    const [changed, more] = [packed(), packed()];
    writeFileSync(path.join(changed, 'benchside-1.0.0.tgz'), 'another');
    writeFileSync(path.join(more, 'other.tgz'), '');
    expect(publish(changed, '--dry-run').stderr).toContain('its checksum differs');
    expect(publish(more, '--dry-run').stderr).toContain('does not list other.tgz');
    const { status, stderr } = publish(packed());
    expect([status, stderr]).toEqual([1, expect.stringContaining('placeholders')]);
  });
});

// Puts a Markdown file on the pull request or merge request of this job, in place of what it said there before: it finds its own comment by the first lines of it and by its author.
// Usage: node comment.mjs FILE [NAME]   (NAME: where several jobs comment, each has one of its own)
// GitHub: GITHUB_TOKEN, and what a job has in its environment. GitLab: BENCHSIDE_TOKEN, a project's access token that may use the API.
// Exit status 1 where it could not be put there, 0 where there is nothing to comment on.
import { existsSync, readFileSync } from 'node:fs';

const mark = '<!-- benchside-diff -->';
/** Comments are listed so many at a time, and no more than so many lists are read. */
const [pageSize, mostPages] = [100, 20];
const patienceMs = 30_000;

/** Each forge: where this job's comments are, who we are there, and how one is written. Null where this is none of its jobs. */
const forges = [
  function github(env) {
    const event = env.GITHUB_EVENT_PATH === undefined ? {} : JSON.parse(readFileSync(env.GITHUB_EVENT_PATH, 'utf8'));
    const number = event.pull_request?.number;
    if (env.GITHUB_REPOSITORY === undefined || !Number.isInteger(number)) return null;
    const repository = `${env.GITHUB_API_URL ?? 'https://api.github.com'}/repos/${env.GITHUB_REPOSITORY}`;
    return {
      token: env.GITHUB_TOKEN,
      tokenName: 'GITHUB_TOKEN',
      headers: (token) => ({ authorization: `Bearer ${token}`, accept: 'application/vnd.github+json' }),
      comments: `${repository}/issues/${number}/comments`,
      edited: ({ id }) => ['PATCH', `${repository}/issues/comments/${id}`],
      me: `${env.GITHUB_API_URL ?? 'https://api.github.com'}/user`,
      // The token of a job may not ask who it is.
      authorOf: ({ user }) => user?.login,
      nameOf: (me) => me?.login ?? 'github-actions[bot]',
    };
  },
  function gitlab(env) {
    const { CI_API_V4_URL: api, CI_PROJECT_ID: project, CI_MERGE_REQUEST_IID: number } = env;
    if ([api, project, number].includes(undefined)) return null;
    const notes = `${api}/projects/${encodeURIComponent(project)}/merge_requests/${number}/notes`;
    return {
      token: env.BENCHSIDE_TOKEN,
      tokenName: 'BENCHSIDE_TOKEN',
      headers: (token) => ({ 'private-token': token }),
      comments: notes,
      edited: ({ id }) => ['PUT', `${notes}/${id}`],
      me: `${api}/user`,
      authorOf: ({ author }) => author?.username,
      nameOf: (me) => me?.username,
    };
  },
];

async function main([file, name = '']) {
  if (file === undefined) return say('comment.mjs: which file?', 2);
  if (!existsSync(file)) return say(`There is no ${file}: nothing to comment.`, 0);
  const forge = forges.map((one) => one(process.env)).find((one) => one !== null);
  if (forge === undefined) return say('This is no job of a pull request or merge request: nothing to comment on.', 0);
  if (!forge.token) return say(`${forge.tokenName} is not set: nothing was commented.`, 1);
  const own = name === '' ? mark : `${mark}\n<!-- benchside: ${name.replace(/[^\w .:/-]/g, '')} -->`;
  const body = readFileSync(file, 'utf8').replace(mark, own);
  const ask = async (method, url, content) => {
    const answer = await fetch(url, {
      method,
      headers: { ...forge.headers(forge.token), 'content-type': 'application/json', 'user-agent': 'benchside' },
      body: content === undefined ? undefined : JSON.stringify(content),
      signal: AbortSignal.timeout(patienceMs),
    });
    return { ok: answer.ok, status: answer.status, json: await answer.json().catch(() => null) };
  };
  const me = await ask('GET', forge.me);
  const author = forge.nameOf(me.ok ? me.json : null);
  const isOwn = (comment) => forge.authorOf(comment) === author && isMarked(comment.body, own);
  let found;
  for (let page = 1; page <= mostPages && found === undefined; page += 1) {
    const listed = await ask('GET', `${forge.comments}?per_page=${pageSize}&page=${page}`);
    if (!listed.ok) return say(`The comments could not be read: ${listed.status}.`, 1);
    found = listed.json.find(isOwn);
    if (listed.json.length < pageSize) break;
  }
  const [method, url] = found === undefined ? ['POST', forge.comments] : forge.edited(found);
  const written = await ask(method, url, { body });
  return written.ok
    ? say(found === undefined ? 'Commented.' : 'The comment was brought up to date.', 0)
    : say(`It could not be commented: ${written.status}.`, 1);
}

/** That of a job without a name is followed by no name. */
function isMarked(body, own) {
  const text = String(body ?? '').replaceAll('\r', '');
  return text.startsWith(own) && (own !== mark || !text.startsWith(`${mark}\n<!-- benchside: `));
}

function say(text, code) {
  console.error(text);
  return code;
}

process.exitCode = await main(process.argv.slice(2)).catch((error) => say(`It could not be commented: ${error.message}`, 1));

// What Maven builds with, by checksum: every artefact (plugins, dependencies and their POMs) is checked against scripts/mavenArtefacts.sha256 before Maven sees it, and
// Maven then works offline in a repository that holds nothing else. Maven 3.9 could check on its own, but only what it has fetched just before it runs it; 3.8 cannot.
// Usage: node scripts/mavenArtefacts.mjs            checks and fetches, builds nothing
//        node scripts/mavenArtefacts.mjs --record   after a change of a version in a pom.xml: fetches again what is needed, by Maven, and writes the list
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const mavenListFile = 'scripts/mavenArtefacts.sha256';
/** The projects that are built, below the repository. */
const projects = ['src/probe/jvm', 'samples/lab'];
const central = 'https://repo.maven.apache.org/maven2';
const atOnce = 8;
const fetchMs = 60_000;

/** The list: a line for each artefact, its SHA-256 and its path in a repository. */
export function readMavenList(text) {
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const match = /^([0-9a-f]{64}) {2}([\w+-][\w.+-]*(?:\/[\w+-][\w.+-]*)+)$/.exec(line);
      if (match === null) throw new Error(`${mavenListFile} has a line that is none: ${line.slice(0, 200)}`);
      return { sha256: match[1], file: match[2] };
    });
}

function sha256Of(bytes) {
  return createHash('sha256').update(bytes).digest('hex');
}

/**
 * Makes `repository` hold the listed artefacts and nothing else. What is missing comes from `known`, another local repository, or from `remote`, an address; either is used
 * only where its checksum is the listed one. Throws with the artefact's name where no source has the file that was checked.
 */
export async function fillRepository({ list, repository, known, remote }) {
  const marker = path.join(repository, '.checked');
  const id = sha256Of(JSON.stringify(list));
  const entire = existsSync(marker) && readFileSync(marker, 'utf8') === id;
  // Whoever may write here may write the sources, too; but what a build that was broken off has left is looked at again.
  const kept = new Map();
  for (const { file, sha256 } of list) {
    const target = path.join(repository, file);
    if (existsSync(target) && sha256Of(readFileSync(target)) === sha256) kept.set(file, readFileSync(target));
  }
  if (entire && kept.size === list.length && filesIn(repository).length === list.length) return;
  const next = `${repository}.${process.pid}`;
  rmSync(next, { recursive: true, force: true });
  try {
    const open = [...list];
    const work = async () => {
      for (let one = open.shift(); one !== undefined; one = open.shift()) {
        const bytes = kept.get(one.file) ?? (await checkedBytes(one, { known, remote }));
        mkdirSync(path.dirname(path.join(next, one.file)), { recursive: true });
        writeFileSync(path.join(next, one.file), bytes);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    writeFileSync(path.join(next, '.checked'), id);
    rmSync(repository, { recursive: true, force: true });
    renameSync(next, repository);
  } finally {
    rmSync(next, { recursive: true, force: true });
  }
}

async function checkedBytes({ file, sha256 }, { known, remote }) {
  const local = path.join(known, file);
  if (existsSync(local)) {
    const bytes = readFileSync(local);
    if (sha256Of(bytes) === sha256) return bytes;
  }
  const where = `${remote}/${file}`;
  let answer;
  try {
    answer = await fetch(where, { signal: AbortSignal.timeout(fetchMs) });
    if (!answer.ok) throw new Error(`it answered ${answer.status}`);
  } catch (error) {
    throw new Error(
      `${file} could not be fetched (${error.cause?.code ?? error.message}). Where Maven needs a proxy or a password, run “mvn package” in ${projects.join(' and ')} once: what it fetches is taken from its own repository, by checksum.`,
    );
  }
  const bytes = Buffer.from(await answer.arrayBuffer());
  const found = sha256Of(bytes);
  if (found === sha256) return bytes;
  throw new Error(`${file} is not the file that was checked: its SHA-256 is ${found}, not ${sha256}. Nothing is built with it.`);
}

/** Files of a local repository that are artefacts: Maven writes notes of its own next to them. */
function filesIn(repository) {
  return readdirSync(repository, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:jar|pom)$/.test(entry.name))
    .map((entry) => path.relative(repository, path.join(entry.parentPath ?? entry.path, entry.name)).replaceAll(path.sep, '/'))
    .sort();
}

/** Where Maven fetches from on this machine: its mirror of everything, where its settings name one. */
function remoteOf() {
  const home = /^Maven home: (.+)$/m.exec(
    spawnSync('mvn', ['-version'], { encoding: 'utf8', shell: process.platform === 'win32' }).stdout ?? '',
  )?.[1];
  const files = [
    path.join(os.homedir(), '.m2', 'settings.xml'),
    ...(home === undefined ? [] : [path.join(home.trim(), 'conf', 'settings.xml')]),
  ];
  for (const file of files.filter((one) => existsSync(one))) {
    const text = readFileSync(file, 'utf8').replace(/<!--[^]*?-->/g, '');
    for (const [, mirror] of text.matchAll(/<mirror>([^]*?)<\/mirror>/g)) {
      const tag = (name) => new RegExp(`<${name}>\\s*([^<\\s]+)\\s*</${name}>`).exec(mirror)?.[1];
      if (['*', 'central', 'external:*'].includes(tag('mirrorOf')) && tag('url') !== undefined) return tag('url').replace(/\/+$/, '');
    }
  }
  return central;
}

/** Options for Maven to build with the listed artefacts alone. Throws when one of them is another file, or is not to be had. */
export async function checkedMaven(root) {
  const list = readMavenList(readFileSync(path.join(root, mavenListFile), 'utf8'));
  const repository = path.join(root, '.cache', 'maven');
  mkdirSync(path.dirname(repository), { recursive: true });
  await fillRepository({ list, repository, known: path.join(os.homedir(), '.m2', 'repository'), remote: remoteOf() });
  return ['-o', `-Dmaven.repo.local=${repository}`];
}

function record(root) {
  const repository = mkdtempSync(path.join(os.tmpdir(), 'benchside-maven-'));
  const copy = mkdtempSync(path.join(os.tmpdir(), 'benchside-projects-'));
  try {
    // In a copy, so that nothing of an earlier build lets a step be left out.
    for (const folder of ['src/probe/jvm', 'samples'])
      cpSync(path.join(root, folder), path.join(copy, folder), {
        recursive: true,
        filter: (file) => !/[\\/](?:target|node_modules)$/.test(file),
      });
    for (const project of projects) {
      const args = ['-q', '-B', '-ntp', `-Dmaven.repo.local=${repository}`, 'package'];
      const built = spawnSync('mvn', args, { cwd: path.join(copy, project), stdio: 'inherit', shell: process.platform === 'win32' });
      if (built.status !== 0) throw new Error(`Maven could not build ${project}.`);
    }
    const lines = filesIn(repository).map((file) => `${sha256Of(readFileSync(path.join(repository, file)))}  ${file}`);
    writeFileSync(path.join(root, mavenListFile), `# Written by “node scripts/mavenArtefacts.mjs --record”.\n${lines.join('\n')}\n`);
    console.log(`${lines.length} artefacts`);
  } finally {
    for (const folder of [repository, copy]) rmSync(folder, { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = path.resolve(path.dirname(process.argv[1]), '..');
  try {
    if (process.argv.includes('--record')) record(root);
    else await checkedMaven(root);
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}

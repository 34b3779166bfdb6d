import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { repositoryDir } from '../../support/engine.ts';

/** Where files and programs of the corpus are kept; it may be removed at any time. */
export const cacheDir = path.join(repositoryDir, '.cache', 'profile-corpus');
/** The programs that are recorded. */
export const programsDir = path.join(repositoryDir, 'test', 'fixtures', 'profileCorpus');
const peersDir = path.join(repositoryDir, 'tools', 'profile-peers');
const timeoutMs = 600_000;

interface RunOptions {
  cwd?: string;
  env?: Record<string, string>;
  /** Codes of exit that are right, in addition to 0. */
  codes?: readonly number[];
}

/** Runs a program to its end and gives what it printed; fails with what it said. */
export function run(program: string, args: readonly string[], { cwd = cacheDir, env = {}, codes = [] }: RunOptions = {}): Promise<string> {
  mkdirSync(cwd, { recursive: true });
  return new Promise((resolve, reject) => {
    const environment = { ...process.env, SECONDS: '4', ...env };
    execFile(program, args, { cwd, env: environment, maxBuffer: 1 << 29, timeout: timeoutMs }, (error, stdout, stderr) => {
      if (error === null || (typeof error.code === 'number' && codes.includes(error.code))) return resolve(stdout);
      return reject(new Error(`${path.basename(program)} ${args.join(' ')}: ${(stderr || error.message).trim().slice(-600)}`));
    });
  });
}

/** A file without gzip around it, in the cache; what has none is left where it is. */
export async function unpacked(file: string): Promise<string> {
  if (!file.endsWith('.gz')) return file;
  const plain = path.join(cacheDir, 'unpacked', path.basename(file, '.gz'));
  mkdirSync(path.dirname(plain), { recursive: true });
  writeFileSync(plain, gunzipSync(readFileSync(file)));
  return plain;
}

const made = new Map<string, Promise<unknown>>();

/** Does something once, whoever asks for it. */
export function once<T>(name: string, make: () => Promise<T>): Promise<T> {
  const known = made.get(name) as Promise<T> | undefined;
  if (known !== undefined) return known;
  const promise = make();
  made.set(name, promise);
  return promise;
}

/** A folder that is made once, and whole, in the cache. */
export function madeFolder(name: string, make: (folder: string) => Promise<void>): Promise<string> {
  return once(name, async () => {
    const folder = path.join(cacheDir, name);
    const mark = path.join(folder, '.made');
    if (existsSync(mark)) return folder;
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    await make(folder);
    writeFileSync(mark, '');
    return folder;
  });
}

/** A package of tools/profile-peers, absolute. */
export async function npmPackage(name: string): Promise<string> {
  await once('npm', async () => {
    if (existsSync(path.join(peersDir, 'node_modules', '.package-lock.json'))) return;
    await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: peersDir });
  });
  return path.join(peersDir, 'node_modules', name);
}

/** A command of the Python packages of tools/profile-peers/requirements.txt. */
export async function pythonCommand(name: string): Promise<string> {
  const folder = await madeFolder('python', async (place) => {
    await run('python3', ['-m', 'venv', place]);
    await run(path.join(place, 'bin', 'pip'), ['install', '--quiet', '-r', path.join(peersDir, 'requirements.txt')]);
  });
  return path.join(folder, 'bin', name);
}

/** A jar of Maven, absolute. */
export function mavenJar(group: string, artefact: string, version: string, classifier = ''): Promise<string> {
  return once(`${artefact}:${version}`, async () => {
    const name = `${artefact}-${version}${classifier === '' ? '' : `-${classifier}`}.jar`;
    const jar = path.join(homedir(), '.m2', 'repository', ...group.split('.'), artefact, version, name);
    const coordinates = `${group}:${artefact}:${version}${classifier === '' ? '' : `:jar:${classifier}`}`;
    if (!existsSync(jar)) await run('mvn', ['-q', 'dependency:get', '-Dtransitive=false', `-Dartifact=${coordinates}`]);
    return jar;
  });
}

/** Homes of the JDKs of this machine, by their major version. */
export function jdks(): ReadonlyMap<number, string> {
  const base = '/usr/lib/jvm';
  const names = existsSync(base) ? readdirSync(base).sort() : [];
  return new Map(
    names.flatMap((name): [number, string][] => {
      const major = Number(/(?:java|temurin|jdk)-(?:1\.)?(\d+)/.exec(name)?.[1] ?? 0);
      return major > 0 && existsSync(path.join(base, name, 'bin', 'javac')) ? [[major, path.join(base, name)]] : [];
    }),
  );
}

/** A program of the newest JDK: its tools read the files of all before it. */
export function jdkTool(name: string): string {
  const newest = [...jdks()].sort(([a], [b]) => b - a)[0];
  if (newest === undefined) throw new Error('No JDK was found.');
  return path.join(newest[1], 'bin', name);
}

/** The program that is recorded in Java, compiled. */
export function javaClasses(): Promise<string> {
  return once('classes', async () => {
    const folder = path.join(cacheDir, 'classes');
    const home = jdks().get(17) ?? path.dirname(path.dirname(jdkTool('javac')));
    await run(path.join(home, 'bin', 'javac'), ['-g', '-d', folder, path.join(programsDir, 'Work.java')]);
    return folder;
  });
}

/** A program of the corpus in Go, built; a folder of `programsDir`. */
export function goProgram(name: string): Promise<string> {
  return once(`go ${name}`, async () => {
    const file = path.join(cacheDir, 'go', name);
    if (!existsSync(file)) await run('go', ['build', '-o', file, '.'], { cwd: path.join(programsDir, name) });
    return file;
  });
}

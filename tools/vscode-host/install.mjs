/**
 * Installs the VS Code host of the end-to-end tests in the user's folder of caches, once for all clones, and links this folder's node_modules to it.
 * Plain Node, no dependency.
 *
 *     node tools/vscode-host/install.mjs          install, or return at once when it is installed
 *     node tools/vscode-host/install.mjs --force  install again from nothing
 *
 * Its folder is named after the lockfile, this installer and Node: where those are the same, nothing is to be done. One that no clone asked for in
 * thirty days is removed.
 * Nothing is downloaded but npm packages (and Node's headers, where the Node at hand came without them).
 */
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const HERE = dirname(fileURLToPath(import.meta.url));
const LINK = join(HERE, 'node_modules');
/** As npm and Playwright keep theirs: what compiles for a minute is not compiled again for each clone. */
const STORES = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'benchside-development', 'vscode-host');
const STORE = join(STORES, storeName());
const NODE_MODULES = join(STORE, 'node_modules');
const VSCODE = join(NODE_MODULES, 'code-server', 'lib', 'vscode');
/** Written last, and touched at each use. */
const MARKER = join(STORE, 'installed');
const UNUSED_AFTER_MS = 30 * 24 * 3_600_000;
/** Without these, output channels stay empty, terminals do not run, and extension hosts outlive a killed server. */
const NATIVE_MODULES = ['node-pty', '@vscode/spdlog', 'native-watchdog'];
/** The longest step takes one to two minutes; npm waits much longer than this for a registry that it cannot reach. */
const STEP_LIMIT_MS = 600_000;
const PACKAGES_CURE = 'On Debian, as root, run: node scripts/installSystemPackages.mjs';

class InstallError extends Error {}

/** The first program of these names in PATH, or undefined. */
function findProgram(...names) {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find((file) => existsSync(file));
}

function requirePrograms() {
  if (process.platform === 'win32') {
    throw new InstallError('The VS Code host of the end-to-end tests runs on Linux and macOS only. Run these tests in WSL.');
  }
  const ripgrep = findProgram('rg');
  if (ripgrep === undefined) throw new InstallError(`ripgrep (rg) was not found in PATH; VS Code searches with it. ${PACKAGES_CURE}`);
  const chosen = process.env.BENCHSIDE_CHROMIUM;
  if (!existsSync(chosen || '/usr/bin/chromium')) {
    throw new InstallError(
      chosen
        ? `BENCHSIDE_CHROMIUM names ${chosen}, which does not exist. Set it to the path of a Chromium or Chrome.`
        : `There is no /usr/bin/chromium. ${PACKAGES_CURE} – or set BENCHSIDE_CHROMIUM to the path of a Chromium or Chrome.`,
    );
  }
  return { ripgrep };
}

function requireBuildTools() {
  const missing = [
    ['python3', findProgram('python3')],
    ['make', findProgram('make')],
    ['a C++ compiler (g++ or clang++)', findProgram('g++', 'clang++')],
  ].filter(([, found]) => found === undefined);
  if (missing.length > 0) {
    const names = missing.map(([name]) => name).join(', ');
    throw new InstallError(`Missing to build VS Code's native modules: ${names}. ${PACKAGES_CURE}`);
  }
}

function storeName() {
  const hash = createHash('sha256');
  for (const file of ['package-lock.json', 'install.mjs']) hash.update(readFileSync(join(HERE, file)));
  return `${hash.digest('hex').slice(0, 16)}-node-${process.version}-${process.platform}-${process.arch}`;
}

function isInstalled() {
  return existsSync(MARKER) && existsSync(join(VSCODE, 'out', 'server-main.js'));
}

function linkHere() {
  if (existsSync(LINK) && realpathSync(LINK) === realpathSync(NODE_MODULES)) return;
  link(NODE_MODULES, LINK);
}

/** Notes that this one is in use, and removes those that nobody used for long. */
function keepInUse() {
  const now = new Date();
  utimesSync(MARKER, now, now);
  for (const name of readdirSync(STORES)) {
    // One that is not whole has no marker; one that another clone has just removed has nothing.
    const [used] = ['installed', '.'].flatMap((part) => statSync(join(STORES, name, part), { throwIfNoEntry: false }) ?? []);
    if (used !== undefined && now.getTime() - used.mtimeMs > UNUSED_AFTER_MS) rmSync(join(STORES, name), { recursive: true, force: true });
  }
}

/** The settings a surrounding `npm test` hands down belong to another project; only those that say where packages come from are kept. */
function npmEnvironment(extra) {
  const kept =
    /^npm_config_(registry|cache|userconfig|globalconfig|https?_proxy|proxy|noproxy|cafile|ca|strict_ssl|nodedir|disturl|dist_url)$/i;
  const own = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name) || kept.test(name));
  return { ...Object.fromEntries(own), npm_config_engine_strict: 'false', npm_config_loglevel: 'error', ...extra };
}

/** Runs npm; its output is kept in a file and shown only when it fails. */
async function npm(what, cwd, args, extraEnvironment = {}) {
  const startedAt = performance.now();
  const logFile = join(tmpdir(), `benchside-vscode-host-${process.pid}.log`);
  const log = openSync(logFile, 'w+');
  // A group of its own: a compiler left behind would write into the folder that the next attempt removes.
  const child = spawn('npm', args, { cwd, env: npmEnvironment(extraEnvironment), stdio: ['ignore', log, log], detached: true });
  const endGroup = () => {
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch {
      return;
    }
  };
  const onSignal = () => {
    endGroup();
    rmSync(logFile, { force: true });
    process.exit(130);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, onSignal);
  const limit = setTimeout(endGroup, STEP_LIMIT_MS);
  try {
    const code = await new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', (exitCode, signal) => resolve(exitCode ?? signal));
    }).catch((error) => {
      throw new InstallError(`npm could not be started (${error.message}). Install npm; it comes with Node.`);
    });
    if (code !== 0) {
      const text = readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-40).join('\n');
      throw new InstallError(
        `${what} failed: npm ${args[0]} ended with ${code}. Look at npm's output below, then run this again.\n${text}`,
      );
    }
  } finally {
    clearTimeout(limit);
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.off(signal, onSignal);
    closeSync(log);
    rmSync(logFile, { force: true });
  }
  say(`${what} (${((performance.now() - startedAt) / 1000).toFixed(0)} s)`);
}

function say(text) {
  process.stderr.write(`vscode-host: ${text}\n`);
}

function link(target, path) {
  rmSync(path, { recursive: true, force: true });
  symlinkSync(target, path);
}

/** Headers of the Node at hand, where they lie next to it (system packages, nvm, the official archives); else node-gyp fetches them. */
function nodeHeaders() {
  const prefix = dirname(dirname(process.execPath));
  const header = join(prefix, 'include', 'node', 'node_version.h');
  if (!existsSync(header)) return {};
  const text = readFileSync(header, 'utf8');
  const version = ['MAJOR', 'MINOR', 'PATCH'].map((part) => new RegExp(`#define NODE_${part}_VERSION (\\d+)`).exec(text)?.[1]).join('.');
  return version === process.versions.node ? { npm_config_nodedir: prefix } : {};
}

async function install() {
  const { ripgrep } = requirePrograms();
  requireBuildTools();
  say('installing VS Code for the end-to-end tests, one to two minutes …');
  rmSync(MARKER, { force: true });
  mkdirSync(STORE, { recursive: true });
  for (const file of ['.npmrc', 'package.json', 'package-lock.json']) copyFileSync(join(HERE, file), join(STORE, file));
  await npm('code-server', STORE, ['ci', '--ignore-scripts']);
  // Both carry a shrinkwrap file, so this too gives the same versions every time.
  const withoutScripts = ['install', '--omit=dev', '--ignore-scripts', '--no-save'];
  await npm("VS Code's modules", VSCODE, withoutScripts);
  await npm("VS Code's built-in extensions", join(VSCODE, 'extensions'), withoutScripts);
  const platform = process.platform === 'darwin' ? 'darwin' : 'linux';
  link('node_modules', join(VSCODE, 'node_modules.asar'));
  link(`code-${platform}.sh`, join(VSCODE, 'bin', 'remote-cli', 'code-server'));
  link(`browser-${platform}.sh`, join(VSCODE, 'bin', 'helpers', 'browser.sh'));
  const ripgrepFolder = join(VSCODE, 'node_modules', '@vscode', 'ripgrep');
  mkdirSync(join(ripgrepFolder, 'bin'), { recursive: true });
  link(ripgrep, join(ripgrepFolder, 'bin', 'rg'));
  await npm('native modules', VSCODE, ['rebuild', '--ignore-scripts=false', ...NATIVE_MODULES], {
    npm_config_yes: 'true',
    ...nodeHeaders(),
  });
  proveNativeModules();
  writeFileSync(MARKER, '');
  say('installed');
}

/** A module that was built but cannot be loaded shows itself only as an empty output channel later: look now. */
function proveNativeModules() {
  const script = `for (const name of ${JSON.stringify(NATIVE_MODULES)}) require(name)`;
  const { status, stderr } = spawnSync(process.execPath, ['-e', script], { cwd: VSCODE, encoding: 'utf8' });
  if (status !== 0)
    throw new InstallError(`VS Code's native modules were built but cannot be loaded. Remove ${STORE} and run this again.\n${stderr}`);
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Two test runs may ask at the same time: the second waits for the first. */
async function withLock(work) {
  const lock = join(tmpdir(), `benchside-vscode-host-${createHash('sha256').update(STORE).digest('hex').slice(0, 12)}.lock`);
  for (;;) {
    try {
      writeFileSync(lock, String(process.pid), { flag: 'wx' });
      break;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
      const owner = readLockOwner(lock);
      if (owner !== undefined && !isAlive(owner)) rmSync(lock, { force: true });
      else await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
  try {
    await work();
  } finally {
    rmSync(lock, { force: true });
  }
}

/** Pid in the lock file; undefined while its owner is still writing it, or when it has just gone. */
function readLockOwner(lock) {
  try {
    const text = readFileSync(lock, 'utf8');
    return text === '' ? undefined : Number(text);
  } catch {
    return undefined;
  }
}

try {
  const force = process.argv.includes('--force');
  if (force || !isInstalled()) {
    await withLock(async () => {
      if (force || !isInstalled()) await install();
    });
  } else {
    requirePrograms();
  }
  keepInUse();
  linkHere();
} catch (error) {
  if (!(error instanceof InstallError)) throw error;
  say(error.message);
  process.exitCode = 1;
}

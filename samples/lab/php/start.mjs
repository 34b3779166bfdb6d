// Starts the PHP sample: Apache (prefork) with mod_php, from a configuration made for it in a temporary folder; nothing of /etc is used.
//
//     PORT=8080 DATABASE_URL=postgres://… APACHE_WITH_PHP='{"httpd":"/usr/sbin/apache2","modulesDir":"/usr/lib/apache2/modules",
//       "phpModule":"/usr/lib/apache2/modules/libphp8.4.so","extensions":["opcache","pgsql"]}' node start.mjs
//
// APACHE_WITH_PHP: where the server is, as Benchside finds it; `extensions` are those of PHP's to load.
// WORKERS (64): MaxRequestWorkers, the processes that answer; all are started at once. KEEP_ALIVE (on): on or off. STATIC_DIR (../static).
import { spawn } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { apacheConfig, phpConfig } from './apacheConfig.mjs';
import { searchText } from './searchText.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const FOLDER = 'benchside-php-';

const apache =
  JSON.parse(process.env.APACHE_WITH_PHP || 'null') ??
  fail('needs APACHE_WITH_PHP, which says where Apache 2.4 with mod_php and PHP’s client of PostgreSQL is; Benchside sets it.');
const settings = settingsOrExit(process.env);
clearLeftovers();
const folder = makeFolder();
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

let stopping = false;
const httpd = spawn(...wrapped([apache.httpd, '-DFOREGROUND', '-f', path.join(folder, 'httpd.conf')]), {
  stdio: ['ignore', 'inherit', 'inherit'],
  // On its end Apache signals its whole process group. Whoever started us in a group of our own expects the server in it, and nobody else is hit.
  detached: !leadsGroup(),
  env: { ...process.env, PHP_INI_SCAN_DIR: '', PGCONNECT_TIMEOUT: '2', PGAPPNAME: 'bulletin-board' },
});
httpd.once('error', (error) => fail(`${apache.httpd} could not be started: ${error.message}`));
httpd.once('exit', (code, signal) => {
  if (!stopping) process.stderr.write(errorLog());
  process.exit(stopping ? 0 : (code ?? (signal === null ? 1 : 128)) || 1);
});
for (const signal of ['SIGTERM', 'SIGINT']) {
  process.on(signal, () => {
    if (stopping) return;
    stopping = true;
    httpd.kill('SIGTERM');
  });
}

/** The folder with everything that the server reads and writes. As root the server's children are somebody else, who must be able to read it. */
function makeFolder() {
  const made = mkdtempSync(path.join(realpathSync(tmpdir()), `${FOLDER}${process.pid}-`));
  const asRoot = process.getuid() === 0;
  if (asRoot) chmodSync(made, 0o755);
  for (const name of ['run', 'php']) mkdirSync(path.join(made, name));
  cpSync(path.join(here, 'app'), path.join(made, 'app'), { recursive: true });
  writeFileSync(path.join(made, 'app', 'search.txt'), searchText(path.join(here, '../database/words.txt')));
  if (existsSync(settings.staticDir)) {
    if (asRoot) cpSync(settings.staticDir, path.join(made, 'static'), { recursive: true });
    else symlinkSync(settings.staticDir, path.join(made, 'static'));
  }
  writeFileSync(path.join(made, 'php', 'php.ini'), phpConfig(apache));
  writeFileSync(path.join(made, 'httpd.conf'), apacheConfig({ ...settings, apache, folder: made, asRoot }));
  return made;
}

/** Folders of starts that were killed. Their names hold the process. */
function clearLeftovers() {
  const parent = realpathSync(tmpdir());
  for (const name of readdirSync(parent)) {
    const pid = new RegExp(`^${FOLDER}(\\d+)-`).exec(name)?.[1];
    if (pid !== undefined && !existsSync(`/proc/${pid}`) && existsSync('/proc'))
      rmSync(path.join(parent, name), { recursive: true, force: true });
  }
}

/** On Linux the kernel ends the server, in order, when this process is killed. */
function wrapped([program, ...args]) {
  const setpriv = '/usr/bin/setpriv';
  return existsSync(setpriv) && !realpathSync(setpriv).endsWith('busybox')
    ? [setpriv, ['--pdeathsig', 'TERM', program, ...args]]
    : [program, args];
}

function leadsGroup() {
  try {
    const stat = readFileSync('/proc/self/stat', 'latin1');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[2]) === process.pid;
  } catch {
    return false;
  }
}

function errorLog() {
  try {
    return readFileSync(path.join(folder, 'run', 'error.log'), 'utf8').slice(-4000);
  } catch {
    return '';
  }
}

function settingsOrExit(environment) {
  const databaseUrl =
    environment.DATABASE_URL || fail('DATABASE_URL must be an address such as postgres://user:password@host:5432/database.');
  if (!/^postgres(ql)?:\/\//.test(databaseUrl))
    fail('DATABASE_URL must be an address such as postgres://user:password@host:5432/database.');
  const keepAlive = environment.KEEP_ALIVE || 'on';
  if (!['on', 'off'].includes(keepAlive)) fail(`KEEP_ALIVE must be on or off, but it is ${JSON.stringify(keepAlive)}.`);
  return {
    port: integer(environment, 'PORT', 8080, 1, 65535),
    workers: integer(environment, 'WORKERS', 64, 1, 1000),
    keepAlive: keepAlive === 'on',
    staticDir: path.resolve(here, environment.STATIC_DIR || '../static'),
  };
}

function integer(environment, name, preset, min, max) {
  const text = environment[name];
  if (text === undefined || text === '') return preset;
  const value = /^[0-9]{1,9}$/.test(text) ? Number(text) : NaN;
  if (!(value >= min && value <= max)) fail(`${name} must be a whole number from ${min} to ${max}, but it is ${JSON.stringify(text)}.`);
  return value;
}

function fail(text) {
  process.stderr.write(`bulletin-board (PHP): ${text}\n`);
  process.exit(1);
}

/**
 * Installs, by apt on Debian, the system packages that the tests need and that are missing: a browser, a font, ripgrep, what builds VS Code's
 * native modules, and the servers that run before or next to the samples. No server is started, now or with the machine, and no port is taken.
 * Quick and silent when all are there. On another system, or without root, it says what to install.
 *
 *     node scripts/installSystemPackages.mjs            exit code 0 when nothing is missing (any more), else 1
 *     node scripts/installSystemPackages.mjs --dry-run  only says what is missing
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Whether one of these programs is in PATH, or where servers are put. */
function hasProgram(...names) {
  return names.some((name) => [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin'].some((folder) => existsSync(join(folder, name))));
}

/** Whether a folder, or one below it, holds such a file. */
function holds(folder, name) {
  return existsSync(folder) && readdirSync(folder, { recursive: true }).some((file) => name.test(file));
}

const PACKAGES = [
  { name: 'chromium', what: 'the browser that VS Code is shown in', isPresent: () => hasBrowser() },
  {
    name: 'fonts-dejavu-core',
    what: 'a font for the browser',
    isPresent: () => existsSync('/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf'),
  },
  { name: 'ripgrep', what: "VS Code's file search", isPresent: () => hasProgram('rg') },
  { name: 'python3', what: "builds VS Code's native modules", isPresent: () => hasProgram('python3') },
  { name: 'make', what: "builds VS Code's native modules", isPresent: () => hasProgram('make') },
  { name: 'g++', what: "builds VS Code's native modules", isPresent: () => hasProgram('g++', 'clang++') },
  { name: 'nginx', what: 'the reverse proxy before several instances', isPresent: () => hasProgram('nginx'), service: 'nginx' },
  { name: 'openssl', what: 'makes the certificate of a proxy that speaks TLS', isPresent: () => hasProgram('openssl') },
  { name: 'apache2-bin', what: 'the server of the PHP sample', isPresent: () => hasProgram('apache2') },
  { name: 'libapache2-mod-php', what: 'PHP in that server', isPresent: () => holds('/usr/lib/apache2/modules', /^libphp[0-9.]*\.so$/) },
  { name: 'php-pgsql', what: "PHP's client of PostgreSQL", isPresent: () => holds('/usr/lib/php', /\/pgsql\.so$/) },
];

/** Without which the tests of what needs it are left out and the rest runs. */
const OPTIONAL = [
  { name: 'pgbouncer', what: 'the pooler before PostgreSQL', isPresent: () => hasProgram('pgbouncer'), service: 'pgbouncer' },
];

function hasBrowser() {
  const chosen = process.env.BENCHSIDE_CHROMIUM;
  return chosen ? existsSync(chosen) : existsSync('/usr/bin/chromium');
}

/** Debian itself: elsewhere the same names may stand for something else (Ubuntu's `chromium` is an empty shell). */
function isDebian() {
  return process.platform === 'linux' && existsSync('/etc/os-release') && /^ID=debian$/m.test(readFileSync('/etc/os-release', 'utf8'));
}

/** How apt-get ended. */
function tryApt(...args) {
  return spawnSync('apt-get', args, { stdio: ['ignore', 2, 2], env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } });
}

function apt(...args) {
  const { status, error } = tryApt(...args);
  if (status !== 0) {
    process.stderr.write(`apt-get ${args[0]} failed${error ? ` (${error.message})` : ''}. Look at its output above.\n`);
    process.exit(1);
  }
}

/**
 * Installs packages while the system's own hook for it (invoke-rc.d's policy-rc.d) forbids to start their services; those of them that have one
 * are not started with the machine either.
 */
function installWithoutStarting(args, services, install = apt) {
  const policy = '/usr/sbin/policy-rc.d';
  const isOurs = !existsSync(policy);
  if (isOurs) writeFileSync(policy, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  // apt() ends the process when it fails.
  const remove = () => rmSync(policy, { force: true });
  if (isOurs) process.once('exit', remove);
  install(...args);
  if (isOurs) remove();
  if (existsSync('/run/systemd/system')) for (const name of services) spawnSync('systemctl', ['disable', name], { stdio: 'ignore' });
}

/** The message for the user about missing packages. */
function describe(missing) {
  return missing.map(({ name, what }) => `  ${name}: ${what}\n`).join('');
}

const missing = PACKAGES.filter(({ isPresent }) => !isPresent());
if (missing.length > 0) {
  const install = ['install', '-y', '--no-install-recommends', ...missing.map(({ name }) => name)];
  if (!isDebian()) {
    process.stderr.write(`Missing for the tests; install these with your system's package manager:\n${describe(missing)}`);
    if (missing.some(({ name }) => name === 'chromium'))
      process.stderr.write('A Chromium or Chrome elsewhere is named by BENCHSIDE_CHROMIUM.\n');
    process.exitCode = 1;
  } else if (process.argv.includes('--dry-run') || process.getuid?.() !== 0) {
    process.stderr.write(`Missing for the tests:\n${describe(missing)}Run as root: apt-get update && apt-get ${install.join(' ')}\n`);
    process.exitCode = 1;
  } else {
    process.stderr.write(`Installing for the tests:\n${describe(missing)}`);
    apt('update', '-qq');
    installWithoutStarting(
      install,
      missing.flatMap(({ service }) => service ?? []),
    );
    const still = PACKAGES.filter(({ isPresent }) => !isPresent());
    if (still.length > 0) {
      process.stderr.write(`Still missing after the installation:\n${describe(still)}Install them by hand.\n`);
      process.exitCode = 1;
    }
  }
}

const left = OPTIONAL.filter(({ isPresent }) => !isPresent());
if (left.length > 0) {
  const install = ['install', '-y', '--no-install-recommends', ...left.map(({ name }) => name)];
  if (isDebian() && process.getuid?.() === 0 && !process.argv.includes('--dry-run')) {
    if (missing.length === 0) tryApt('update', '-qq');
    installWithoutStarting(
      install,
      left.map(({ service }) => service),
      tryApt,
    );
  }
  const still = left.filter(({ isPresent }) => !isPresent());
  if (still.length > 0) process.stderr.write(`Not there, so that the tests of it are left out:\n${describe(still)}`);
}

import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import path from 'node:path';

/** Where packages put the server when PATH does not say so: Debian, Fedora, Homebrew, and a build of one's own. */
const PROGRAM_FOLDERS = ['/usr/sbin', '/usr/local/sbin', '/usr/local/bin', '/opt/homebrew/bin', '/usr/local/apache2/bin'];
const MODULE_FOLDERS = [
  '/usr/lib/apache2/modules',
  '/usr/lib64/httpd/modules',
  '/usr/lib/httpd/modules',
  '/opt/homebrew/lib/httpd/modules',
  '/usr/local/lib/httpd/modules',
  '/usr/local/apache2/modules',
  '/usr/libexec/apache2',
];
const PHP_MODULE_FOLDERS = [...MODULE_FOLDERS, '/opt/homebrew/opt/php/lib/httpd/modules', '/usr/local/opt/php/lib/httpd/modules'];
const EXTENSION_PARENTS = ['/usr/lib/php', '/usr/lib64/php', '/usr/local/lib/php/extensions', '/opt/homebrew/lib/php/pecl'];
/** Homebrew's PHP has the client of PostgreSQL built in. */
const WITH_POSTGRESQL = /^\/(opt\/homebrew|usr\/local)\/opt\/php\//;

/**
 * An Apache with the prefork model, mod_php and PHP's client of PostgreSQL; null when one of them is missing.
 * `extensions` names those of PHP's that must be loaded, and can be.
 */
export function findApache(searchPath = process.env.PATH ?? '') {
  if (process.platform === 'win32') return null;
  const folders = [...searchPath.split(path.delimiter).filter(Boolean), ...PROGRAM_FOLDERS];
  const httpd = ['apache2', 'httpd'].flatMap((name) => folders.map((folder) => path.join(folder, name))).find(isExecutable);
  const modulesDir = MODULE_FOLDERS.find((folder) => existsSync(path.join(folder, 'mod_mpm_prefork.so')));
  const phpModule = PHP_MODULE_FOLDERS.flatMap((folder) =>
    namesIn(folder)
      .filter((name) => /^libphp[0-9.]*\.so$/.test(name))
      .map((name) => path.join(folder, name)),
  ).at(0);
  if (httpd === undefined || modulesDir === undefined || phpModule === undefined) return null;
  const extensionDir = EXTENSION_PARENTS.flatMap((parent) => namesIn(parent).map((name) => path.join(parent, name))).find((folder) =>
    existsSync(path.join(folder, 'pgsql.so')),
  );
  if (extensionDir === undefined && !WITH_POSTGRESQL.test(phpModule)) return null;
  const has = (name) => extensionDir !== undefined && existsSync(path.join(extensionDir, `${name}.so`));
  return { httpd, modulesDir, phpModule, extensions: ['opcache', 'pgsql'].filter(has) };
}

function namesIn(folder) {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

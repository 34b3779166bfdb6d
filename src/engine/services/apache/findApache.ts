import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Failure } from '../../../model/domain/failure.ts';
import { namesIn } from '../../supervise/smallFile.ts';
import { findSystemProgram, howToInstall } from '../systemPrograms.ts';

/** Where an Apache with mod_php is: absolute paths. `extensions` names those of PHP's that must be loaded, and can be. */
export interface ApacheInstallation {
  httpd: string;
  modulesDir: string;
  phpModule: string;
  extensions: string[];
}

/** Where packages put the modules: Debian, Fedora, Homebrew, and a build of one's own. */
const moduleFolders = [
  '/usr/lib/apache2/modules',
  '/usr/lib64/httpd/modules',
  '/usr/lib/httpd/modules',
  '/opt/homebrew/lib/httpd/modules',
  '/usr/local/lib/httpd/modules',
  '/usr/local/apache2/modules',
  '/usr/libexec/apache2',
];
const phpModuleFolders = [...moduleFolders, '/opt/homebrew/opt/php/lib/httpd/modules', '/usr/local/opt/php/lib/httpd/modules'];
const extensionParents = ['/usr/lib/php', '/usr/lib64/php', '/usr/local/lib/php/extensions', '/opt/homebrew/lib/php/pecl'];
/** Homebrew's PHP has the client of PostgreSQL built in. */
const withPostgresql = /^\/(opt\/homebrew|usr\/local)\/opt\/php\//;

/** An Apache on which the PHP app of the lab can run: prefork, mod_php and PHP's client of PostgreSQL; null when one of them is missing. */
export function findApache(): ApacheInstallation | null {
  if (process.platform === 'win32') return null;
  const httpd = findSystemProgram('apache2') ?? findSystemProgram('httpd');
  const modulesDir = moduleFolders.find((folder) => existsSync(path.join(folder, 'mod_mpm_prefork.so')));
  const phpModule = phpModuleFolders.flatMap(placesIn).find((file) => /^libphp[0-9.]*\.so$/.test(path.basename(file)));
  if (httpd === null || modulesDir === undefined || phpModule === undefined) return null;
  const extensionDir = extensionParents.flatMap(placesIn).find((folder) => existsSync(path.join(folder, 'pgsql.so')));
  if (extensionDir === undefined && !withPostgresql.test(phpModule)) return null;
  const has = (name: string): boolean => extensionDir !== undefined && existsSync(path.join(extensionDir, `${name}.so`));
  return { httpd, modulesDir, phpModule, extensions: ['opcache', 'pgsql'].filter(has) };
}

/** The files and folders in a folder, by their names. */
function placesIn(folder: string): string[] {
  const names = namesIn(folder).sort();
  return names.map((name) => path.join(folder, name));
}

export function apacheMissing(): Failure {
  return {
    code: 'apache-missing',
    message: 'The PHP app of the lab needs Apache 2.4 with mod_php and PHP’s client of PostgreSQL, and they are not all on this machine.',
    cure: howToInstall('them', {
      debian: 'apache2-bin libapache2-mod-php php-pgsql',
      fedora: 'httpd php php-pgsql',
      homebrew: 'httpd php',
    }),
  };
}

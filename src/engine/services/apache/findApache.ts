import type { Failure } from '../../../model/failure.ts';
import { findApache as find } from '../../../../samples/lab/php/findApache.mjs';
import type { ApacheInstallation } from '../../../../samples/lab/php/findApache.mjs';
import { howToInstall } from '../systemPrograms.ts';

/** An Apache on which the PHP app of the lab can run: prefork, mod_php and PHP's client of PostgreSQL; null when one of them is missing. */
export function findApache(): ApacheInstallation | null {
  return find();
}

/** What to tell when {@link findApache} finds none. */
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

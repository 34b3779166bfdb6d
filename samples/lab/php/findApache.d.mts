/** An Apache with the prefork model, mod_php and PHP's client of PostgreSQL. */
export interface ApacheInstallation {
  httpd: string;
  modulesDir: string;
  phpModule: string;
  extensions: string[];
}

export function findApache(searchPath?: string): ApacheInstallation | null;

